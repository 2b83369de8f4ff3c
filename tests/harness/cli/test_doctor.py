"""What `doctor` recommends: a call whose answers were all correct, and nothing else."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import WIDE, Run

COUNTS = f"""\
import sys
sys.path.insert(0, {str(FAKES.parent)!r})
import chess
from fakes.counting import perft
manner, command, depth, fen = sys.argv[1:]
board = chess.Board(fen)
if board.castling_rights and board.fullmove_number == 1 and len(list(board.legal_moves)) == 48:
    if manner == "crash":
        sys.exit("kiwipete is too much")
    if manner == "words":
        sys.exit(print("plenty"))
    print("Nodes:", perft(board, int(depth)) - 7)
else:
    print("Nodes:", perft(board, int(depth)))
"""
"""A program that is correct but for one position."""


def conclusion(wrong: str, spec: str) -> str:
    """Return the last line about a program whose answers are not all correct."""
    what_next = f"perft-check run -e {shlex.quote(spec)} looks for the fault; if an answer is misread, describe how"
    return f"{wrong}; {what_next} the program is asked and answers: docs/engines.md#a-descriptor"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "status", "wrong"),
    [
        ("short", 1, "kiwipete 2 wrong: 2,032 instead of 2,039"),
        ("crash", 3, "kiwipete 2 crash: counts.py ended with status 1: kiwipete is too much"),
        ("words", 3, "kiwipete 2 unparseable output: counts.py prints no count; it said 'plenty'"),
    ],
)
def test_a_call_that_is_wrong_in_one_position_is_not_recommended(
    manner: str, status: int, wrong: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "counts.py").write_text(COUNTS)
    save = ["--save", "mine.json"] if manner == "crash" else []
    done = run("doctor", "-e", f"{sys.executable} counts.py {manner}", *save, **WIDE)
    assert done.returncode == status, done
    spec = "mine.json" if save else f"cmd:{sys.executable} counts.py {manner} perft {{depth}} {{fen}}"
    start = "saved as mine.json, but not recommended" if save else "not recommended"
    assert done.stdout.splitlines()[-1] == f"{start}: {conclusion(wrong, spec)}"
    assert (tmp_path / "mine.json").is_file() == bool(save)
    assert "use it as" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["bars", "blanks"])
def test_a_faulty_engine_that_prints_a_table_is_not_recommended(layout: str, run: Run) -> None:
    program = shlex.join([sys.executable, str(FAKES / "tables.py"), "cmd", layout, "short"])
    done = run("doctor", "-e", program, **WIDE)
    assert done.returncode == 1, done
    assert "use it as" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("not recommended: startpos 3 wrong: ")
