"""For each of a dozen engines with one bug, the bug is the first cause; correct engines of each type pass."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.games import epd
from helpers.program import Run

POSITIONS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 2,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": 2,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": 3,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1": 2,
    "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1": 3,
    "4k3/8/8/8/8/8/7r/R3K3 b Q - 0 1": 2,
    "4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1": 3,
    "4k3/8/8/8/8/8/P7/4K2R w K - 0 1": 3,
    "4k3/8/8/8/8/8/3K4/r7 b - - 0 1": 2,
    "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1": 3,
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1": 2,
    "7k/P1P5/8/8/8/8/8/K7 w - - 0 1": 3,
    "rk6/8/8/8/8/8/N7/K7 w - - 0 1": 2,
}
"""Positions, each with the depth of its count."""

SCRIPT = shlex.join([sys.executable, str(FAKES / "one_bug.py")])
PROMOTIONS = "extra move: Promotion piece is missing"
BUGS = {
    f"uci:{SCRIPT} uci ep-pinned-along": "missing move: En passant along the line of a pin",
    f"uci:{SCRIPT} uci ep-no-evasion ignores": "missing move: En passant takes the pawn that gives check",
    f"uci:{SCRIPT} uci pins-forgotten count": "extra move: Pinned piece leaves its line",
    f"uci:{SCRIPT} uci none once ignores": PROMOTIONS,
    f"uci:{SCRIPT} uci stays-promoted": "wrong undo: Promoted piece does not become a pawn again",
    f"cmd:{SCRIPT} argv castling-from-check {{fen}} {{depth}}": "extra move: Castling out of check",
    f"cmd:{SCRIPT} argv king-along-the-check {{fen}} {{depth}} count": (
        "extra move: King steps back along the line of a check"
    ),
    f"script:{SCRIPT} script right-survives-capture": "extra move: Castling without the right",
    "python:one_bug:divide_of right-lost-by-undo": "wrong undo: Castling right does not come back",
    "python:one_bug:moves_of king-along-the-check": "extra move: King steps back along the line of a check",
    "python:one_bug:count_of hash-move-twice": "duplicate move: Move listed more than once",
}
"""Engines, with the fault of those in Python, and the first cause that is reported."""

RIGHT = [
    f"uci:{SCRIPT} uci none",
    f"uci:{SCRIPT} uci none standard count",
    f"cmd:{SCRIPT} argv none {{fen}} {{depth}}",
    f"script:{SCRIPT} script none",
    "python:one_bug:moves_of none",
    "python:one_bug:count_of none",
    "python:one_bug:divide_of none",
]


def made(spec: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the engine of a row, ready to run in a folder."""
    if not spec.startswith("python:"):
        return spec
    shutil.copy(FAKES / "one_bug.py", folder)
    engine, fault = spec.split(" ")
    monkeypatch.setenv("ONE_BUG", fault)
    return engine


def suite(folder: Path) -> None:
    lines = (epd(fen, *range(1, depth + 1)) for fen, depth in POSITIONS.items())
    (folder / "trial.epd").write_text("".join(lines))


@pytest.mark.long
@pytest.mark.parametrize("spec", BUGS, ids=lambda spec: spec.replace(SCRIPT, "").replace(" ", "-"))
def test_the_bug_of_an_engine_is_the_first_cause(
    run: Run, tmp_path: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(tmp_path)
    done = run("-e", made(spec, tmp_path, monkeypatch), "-s", "trial.epd", "--report", "json=-", "--timeout", "60")
    assert done.returncode == 1, done.stdout + done.stderr
    causes = json.loads(done.stdout)["causes"]
    assert [cause["title"] for cause in causes][:1] == [BUGS[spec]], causes


@pytest.mark.long
@pytest.mark.parametrize("spec", RIGHT, ids=lambda spec: spec.replace(SCRIPT, "").replace(" ", "-"))
def test_a_correct_engine_passes(run: Run, tmp_path: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    suite(tmp_path)
    done = run("-e", made(spec, tmp_path, monkeypatch), "-s", "trial.epd", "--timeout", "60")
    assert (done.returncode, "all 13 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr
