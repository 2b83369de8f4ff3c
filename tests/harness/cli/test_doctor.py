"""What `doctor` recommends: a call whose answers were all correct, and nothing else."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import WIDE, Run
from perft_check.harness.cli.actions.doctor import describe_output

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
    misread = "if perft-check misreads the program's output, describe it: see 'A descriptor' in the documentation"
    return f"{wrong}; to find the wrong move: perft-check run -e {shlex.quote(spec)}; {misread}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "status", "wrong"),
    [
        ("short", 1, "kiwipete 2 incorrect: 2,032 instead of 2,039"),
        ("crash", 3, "kiwipete 2 crash: counts.py exited with status 1: kiwipete is too much"),
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
    start = "saved as mine.json, but a check failed" if save else "a check failed"
    assert done.stdout.splitlines()[-1] == f"{start}: {conclusion(wrong, spec)}"
    assert (tmp_path / "mine.json").is_file() == bool(save)
    assert "use it as" not in done.stdout


UNREAD = """\
import sys
if len(sys.argv) != 4:
    sys.exit("I need a level, a board and some words")
for place, move in enumerate(("a2a3", "b2b3"), 1):
    print(f"{move}\\t=> {place * 100}")
print("\\x07leaf positions that I have seen: 8902 of 8902, or " + "eight" * 60)
print("other: 12345" if sys.argv[2] == "3" else "nothing")
"""


@pytest.mark.slow
def test_what_a_program_prints_is_shown_if_it_is_not_understood(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(UNREAD)
    program = f"{sys.executable} mine.py any {{depth}} {{fen}}"
    done = run("doctor", "-e", f"cmd:{program}", **WIDE)
    assert (done.returncode, done.stdout) == (2, ""), done
    title, *shown, advice, _ = done.stderr.splitlines()
    assert title == "asked about the starting position at depth 3, whose count is 8,902, it printed:"
    long = f"\\x07leaf positions that I have seen: 8902 of 8902, or {'eight' * 60}"[:160] + " ..."
    assert shown == [f"    {line}" for line in ("a2a3\\t=> 100", "b2b3\\t=> 200", long, "other: 12345")]
    assert (
        advice == "if the count is in this output, a descriptor can say where: see 'A descriptor' in the documentation"
    )
    (tmp_path / "mine.json").write_text(json.dumps({"launch": program, "total_re": "of (?P<nodes>[0-9]+), or"}))
    again = run("divide", "startpos", "3", "-e", "mine.json", "--alone")
    assert again.stderr == "perft-check: mine contradicts itself: its total is 8,902, its divide adds up to 300\n"


@pytest.mark.slow
def test_the_output_of_an_engine_that_crashes_at_its_first_position_is_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('uci'): print('id name Mine', 'uciok', sep='\\n', flush=True)\n"
        "    if line.startswith('isready'): print('readyok', flush=True)\n"
        "    if line.startswith('position'): print('board:\\x01 empty', flush=True); sys.exit('no kings')\n"
    )
    done = run("doctor", "-e", f"uci:{sys.executable} mine.py", **WIDE)
    assert (done.returncode, done.stdout) == (3, ""), done
    _, *shown, advice, last = done.stderr.splitlines()
    assert shown == [f"    {line}" for line in ("id name Mine", "uciok", "readyok", "board:\\x01 empty", "no kings")]
    assert "'A descriptor' in the documentation" in advice
    assert last.startswith("perft-check: mine.py exited with status 1: no kings; try: ")


def test_of_many_lines_the_first_and_the_last_are_shown() -> None:
    shown = list(describe_output([f"line {place}" for place in range(1_000)]))
    assert shown[1:3] + shown[20:23] == [
        "    line 0",
        "    line 1",
        "    line 19",
        "    ... 960 lines ...",
        "    line 980",
    ]
