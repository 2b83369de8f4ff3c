"""Totals that are incorrect in the same way everywhere have one cause, which says what the engine counts."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.fuzz_report import reported_findings
from helpers.games import epd
from helpers.headlines import without_moves
from helpers.program import Run
from perft_check.generator import Position, perft
from perft_check.harness.checking.systematic.errors import ERRORS, TotalQuestion

pytestmark = pytest.mark.slow  # most tests start processes

MISCOUNTS = shlex.join([sys.executable, str(FAKES / "miscounts.py")])
TITLES = {
    "from-1": "it adds up the counts of all depths from 1 to N",
    "from-0": "it adds up the counts of all depths from 0 to N",
    "every-other": "it adds up the counts of every other depth, N and N-2 and so on",
    "deeper": "it counts one ply too deep, N+1 in place of N",
    "shallower": "it counts one ply too shallow, N-1 in place of N",
    "one-more": "it counts one leaf node too many, as if the position itself were one",
    "last-ply": "it counts pseudo-legal moves at the last ply",
    "all-plies": "it counts pseudo-legal moves at all plies",
    "one-side": "it moves one side only: after a move the turn does not change",
    "white": "it counts the moves of White, regardless of the side to move",
    "repeats": "it repeats its previous answer",
    "again": "its root moves are repeated for each depth from 1 to N, and added up",
}
FENS = (
    "4k3/8/8/8/8/8/P7/4K2R w K - 0 1",
    "4k2r/8/8/8/8/8/8/R3K3 b Qk - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "4k3/4r3/8/8/8/4B3/8/4K2b w - - 0 1",
    "r3k3/8/8/8/4R3/8/6b1/4K3 b q - 0 1",
)
"""Positions with either side to move, with checks and pins."""
POSITIONS = {"white": 1, "repeats": 4}
"""Least number of positions in which an error shows, if not in all."""


@pytest.fixture
def engine(kind: str, error: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Return the SPEC of an engine with this error."""
    if kind == "python":
        monkeypatch.setenv("MISCOUNTS", error)
        text = f"import sys\nsys.path.insert(0, {str(FAKES.parent)!r})\nfrom fakes.miscounts import again, count\n"
        (tmp_path / "counts.py").write_text(text)
        return f"python:counts:{'again' if error == 'again' else 'count'}"
    return f"cmd:{MISCOUNTS} argv {error} {{fen}} {{depth}}" if kind == "cmd" else f"uci:{MISCOUNTS} uci {error} {kind}"


KINDS = [(error, kind) for error in TITLES for kind in ["python" if error == "again" else "totals"]]
KINDS += [("from-1", "moves"), ("from-0", "moves"), ("one-more", "moves"), ("from-1", "cmd")]
KINDS += [("from-1", "python"), ("repeats", "python"), ("one-side", "python")]


FIRST = ("from-1", "deeper", "one-side")


@pytest.mark.parametrize(
    ("error", "kind"), [pytest.param(*one, marks=[pytest.mark.slow] * (one[0] not in FIRST)) for one in KINDS]
)
def test_a_run_names_the_error(error: str, engine: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "five.epd").write_text("".join(epd(fen, 1, 2, 3) for fen in FENS))
    done = run("run", "-s", "five.epd", "-e", engine, "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    causes = json.loads(done.stdout)["causes"]
    assert [cause["title"].partition(";")[0] for cause in causes] == [TITLES[error]]
    assert causes[0]["positions"] >= POSITIONS.get(error, 5)


@pytest.mark.parametrize(("error", "kind"), [("from-1", "totals"), ("from-0", "moves"), ("last-ply", "python")])
def test_fuzz_reports_one_cause(error: str, engine: str, fuzz: Run) -> None:
    done = fuzz("-e", engine, "-n", "20", "--seed", "2", "-j", "1", "--careful", "--strategy", "placements")
    assert done.returncode == 1, done.stderr
    (finding,) = reported_findings(done.stdout)
    assert finding.title.partition(";")[0] == TITLES[error]
    again = fuzz(*finding.replay[1:])
    assert TITLES[error] in again.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("error", "kind"), [("from-0", "totals"), ("again", "python"), ("one-more", "cmd")])
def test_divide_and_doctor_name_the_error(error: str, engine: str, run: Run) -> None:
    done = run("divide", FENS[0], "2", "-e", engine, "-a", "own", COLUMNS="200")
    assert done.returncode == 1, done.stderr
    assert TITLES[error] in done.stdout
    done = run("doctor", "-e", engine, COLUMNS="200")
    assert done.returncode == 1, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("startpos 3")]
    assert line.endswith(f"instead of 8,902: {TITLES[error]}")


@pytest.mark.parametrize("fault", ["promotion-no-bishop", "castling-from-check", "king-along-the-check"])
def test_wrong_moves_are_not_reported_as_an_error_of_totals(fault: str, run: Run) -> None:
    """A fault that shows in the root moves is reported with the move."""
    fen, depth, title = {
        "promotion-no-bishop": ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "1", "missing move: Promotion"),
        "castling-from-check": ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "1", "extra move: Castling out of check"),
        "king-along-the-check": ("4k3/4r3/8/8/8/4K3/8/8 w - - 0 1", "1", "extra move: King steps back along the line"),
    }[fault]
    one_bug = shlex.join([sys.executable, str(FAKES / "one_bug.py")])
    done = run("divide", fen, depth, "-e", f"uci:{one_bug} uci {fault}", "-a", "own", COLUMNS="200")
    assert done.returncode == 1, done.stderr
    assert title in without_moves(done.stdout)


def test_large_pseudo_legal_counts_are_given_up() -> None:
    """In check few moves are legal, but there are 695,886 pseudo-legal ones, and 1,497,252 if one side moves alone."""
    asked = TotalQuestion(Position.from_fen("1k6/6R1/Q7/Q7/Q7/QB6/5n2/7K w - - 0 1"), 4)
    errors = {error.title: error for error in ERRORS}
    counts = [errors[TITLES[error]].count(asked) for error in ("last-ply", "all-plies", "one-side")]
    assert (perft(asked.position, 4), counts) == (4_675, [12_349, None, None])
