"""Third-party engines and libraries from Debian, PyPI and npm.

`.ci/run` installs them; where one is missing its tests are skipped, and say so.
"""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
from pathlib import Path

import pytest
from helpers.node_modules import NODE_MODULES, needs
from helpers.program import Run

ADAPTERS = Path(__file__).parents[2] / "adapters"
HAS_RUST_CHESS = importlib.util.find_spec("rust_chess") is not None


def _program(name: str) -> bool:
    return bool(shutil.which(name) or shutil.which(name, path="/usr/games"))


def _needs(present: bool, what: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not present, reason=f"{what} is not installed")


DEBIAN = [
    pytest.param(f"uci:{name}", marks=_needs(_program(name), name))
    for name in ("stockfish", "fairy-stockfish", "ethereal-chess")
]


@pytest.mark.parametrize(
    "suite",
    [
        "smoke",
        "special",
        "chess960-special",
        *(pytest.param(large, marks=pytest.mark.long) for large in ("standard", "chess960")),
    ],
)
@pytest.mark.parametrize("engine", DEBIAN)
def test_debian_engines_pass_the_suites(run: Run, engine: str, suite: str) -> None:
    done = run("-e", engine, "-s", suite, "--max-nodes", "200000", "-j", "2")
    assert done.returncode == 0, done.stdout


@_needs(_program("ethereal-chess"), "ethereal-chess")
def test_engine_without_divide_is_divided_by_children(run: Run) -> None:
    done = run("divide", "kiwipete", "2", "-e", "uci:ethereal-chess", "-a", "own")
    assert done.returncode == 0, done.stdout
    assert "depth 2: ethereal-chess 2,039, own 2,039" in done.stdout


@_needs(HAS_RUST_CHESS, "rust-chess")
def test_rust_crate_chess_passes(run: Run) -> None:
    done = run(
        "-e",
        "python:rust_chess_divide:divide",
        "-s",
        "special",
        "--filter",
        "^(ep|pr|ck|pin|dc|dp|k)-",
        "--max-depth",
        "2",
        PYTHONPATH=str(ADAPTERS),
    )
    assert done.returncode == 0, done.stdout


@needs("chessops")
@pytest.mark.parametrize("suite", ["smoke", "chess960"])
def test_chessops_passes_through_a_descriptor(run: Run, tmp_path: Path, suite: str) -> None:
    launch = shlex.join(["node", str(ADAPTERS / "chessops.mjs"), NODE_MODULES])
    case = "position fen {fen}{moves}\ngo perft {depth}"
    (tmp_path / "chessops.json").write_text(json.dumps({"name": "chessops", "launch": launch, "case": case}))
    done = run("-e", "chessops.json", "-s", suite, "--max-nodes", "5000")
    assert done.returncode == 0, done.stdout


@needs("chess.js")
@pytest.mark.slow
def test_chess_js_passes_as_a_script(run: Run) -> None:
    command = shlex.join(["node", str(ADAPTERS / "chess_js.mjs"), NODE_MODULES])
    done = run("-e", f"script:{command}", "-s", "special", "--filter", "^ep-", "--max-depth", "2")
    assert done.returncode == 0, done.stdout
