"""The page about installing lists the extras, and commands import only what they use."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from docs.blocks import ROOT
from helpers.program import PROGRAM, STOCKFISH

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLING = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
FIRST_CELL = re.compile(r"^\| `([\w.-]+)` \|", re.MULTILINE)
FOR_DEVELOPERS = {"dev", "docs", "coverage"}

RARE = {"asyncio", "dask", "distributed", "jinja2", "junitparser", "pytest", "textual"}
"""Modules that a command must not import unless it uses them."""
NETWORK = {"http", "ssl", "urllib.request"}
HEAVY = RARE | NETWORK | {"chess", "hypothesis", "numba"}
BEYOND_HELP = {"llvmlite", "msgspec", "multiprocessing", "numpy", "platformdirs", "psutil", "regex", "rich"}
NOT_LOADED = {
    "--help": HEAVY | BEYOND_HELP,
    "run --help": HEAVY | BEYOND_HELP,
    "--version": HEAVY | {"msgspec", "multiprocessing", "numpy", "psutil", "regex", "rich"},
    "perft startpos 1": HEAVY | {"msgspec", "psutil", "regex"},
    "perft startpos 4 --hash 1M": {"numba"},
    "perft startpos 3 --stats": {"numba"},
    "divide startpos 1": HEAVY | {"msgspec", "psutil"},
    "moves startpos": HEAVY | {"msgspec", "psutil"},
    "run --max-nodes 1k": {"numba"},
    "run -s smoke -q -e uci:STOCKFISH": HEAVY | {"msgspec"},
}
"""Command lines, each with modules that it must not import."""


def test_the_page_about_installing_lists_the_extras() -> None:
    assert set(FIRST_CELL.findall(INSTALLING)) == set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS


@pytest.mark.slow
@pytest.mark.parametrize("line", NOT_LOADED)
def test_a_command_imports_only_what_it_uses(line: str, tmp_path: Path) -> None:
    if "STOCKFISH" in line and STOCKFISH is None:
        pytest.skip("Stockfish is not installed")
    words = [word.replace("STOCKFISH", STOCKFISH or "") for word in line.split()]
    subprocess.run([*PROGRAM, *words], capture_output=True, check=True, cwd=tmp_path)  # compiles the kernels
    command = [sys.executable, "-X", "importtime", *PROGRAM[1:], *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path)
    loaded = {
        found.rpartition("|")[2].strip() for found in done.stderr.splitlines() if found.startswith("import time:")
    }
    assert "perft_check.harness.cli.app" in loaded
    assert {one for one in NOT_LOADED[line] if one in loaded} == set()
