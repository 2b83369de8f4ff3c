"""A line that sounds like a refusal refuses nothing if a correct count follows."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.program import WIDE, Run
from perft_check.harness.engines.stdio.lines import is_rejection

pytestmark = pytest.mark.slow  # most tests start processes

ENGINE = """
import sys
sys.path.insert(0, {tests!r})
import chess
from fakes.counting import perft

before, after, speaks_uci = {before!r}, {after!r}, {speaks_uci!r}
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words == ["uci"] and speaks_uci: print("uciok", flush=True)
    elif words == ["isready"] and speaks_uci: print("readyok", flush=True)
    elif words == ["quit"]: break
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
        for move in words[9:]: board.push_uci(move)
        if {refuses!r} and board.castling_rights == chess.BB_H1:
            board = None
            print("Invalid position: castling is unknown", flush=True)
    elif words[:2] == ["go", "perft"] and board is not None:
        for text in before: print(text, flush=True)
        moves = list(board.legal_moves)
        total = 0
        for move in moves:
            board.push(move)
            below = perft(board, int(words[2]) - 1)
            board.pop()
            total += below
            print(f"{{move.uci()}}: {{below}}")
        for text in after: print(text)
        print(f"Nodes searched: {{total}}", flush=True)
"""
SUITE = "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1 ;D1 6 ;D2 44\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 ;D1 17\n"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n"
REMARKS = [
    ["Illegal moves: 0"],
    ["Bad captures: 3", "Invalid positions = 0", "errors: 0", "invalid"],
    ["info string 0 illegal moves, 0 bad positions"],
    ["checked for illegal moves and bad positions", "every fen error is counted"],
]


def engine(
    folder: Path, kind: str, before: Sequence[str] = (), after: Sequence[str] = (), *, refuses: bool = False
) -> str:
    tests = str(Path(__file__).parents[2])
    text = ENGINE.format(tests=tests, before=[*before], after=[*after], speaks_uci=kind == "uci", refuses=refuses)
    (folder / "mine.py").write_text(text)
    launch = shlex.join([sys.executable, "mine.py"])
    if kind == "uci":
        return f"uci:{launch}"
    case = "position fen {fen}{moves}\ngo perft {depth}"
    (folder / "mine.json").write_text(json.dumps({"launch": launch, "case": case}))
    return "mine.json"


@pytest.mark.parametrize(("kind", "place"), [("uci", "before"), ("descriptor", "after")])
@pytest.mark.parametrize("remarks", REMARKS)
def test_a_remark_beside_a_correct_count_is_no_refusal(
    run: Run, tmp_path: Path, kind: str, remarks: list[str], place: str
) -> None:
    (tmp_path / "mine.epd").write_text(SUITE + CASTLING)
    spec = engine(tmp_path, kind, *((remarks, []) if place == "before" else ([], remarks)))
    done = run("run", "-e", spec, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 3 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["uci", "descriptor"])
def test_a_refusal_without_an_answer_is_one(run: Run, tmp_path: Path, kind: str) -> None:
    (tmp_path / "mine.epd").write_text(SUITE + CASTLING)
    spec = engine(tmp_path, kind, refuses=True)
    done = run("run", "-e", spec, "-s", "mine.epd", "--timeout", "20", **WIDE)
    assert "refuses the position: Invalid position: castling is unknown" in done.stdout
    assert "timeout" not in done.stdout


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("Illegal moves: 0", False),
        ("illegal moves = 1,204 (0.2 %)", False),
        ("12 illegal moves", False),
        ("Bad captures: 3, bad moves: 0", False),
        ("Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1", True),
        ("invalid move e1g1", True),
        ("info string illegal position: 2 kings", True),
        ("Error: bad fen", True),
    ],
)
def test_a_figure_refuses_nothing(line: str, is_one: bool) -> None:
    assert is_rejection(line) is is_one
