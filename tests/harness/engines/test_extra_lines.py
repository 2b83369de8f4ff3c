"""A root move that is no legal move is a mismatch and is quoted, whether the total has it or not."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # each test starts processes

ENGINE = """
import sys
sys.path.insert(0, {tests!r})
import chess
from fakes.counting import perft

extra, in_total, writes_moves = {extra!r}, {in_total!r}, {writes_moves!r}

def answer(board, depth):
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        below = perft(board, depth - 1)
        board.pop()
        total += below
        if writes_moves: print(f"{{move.uci()}}: {{below}}")
    if not board.castling_rights:
        print(f"{{extra}}: 1")
        total += in_total
    print(f"Nodes searched: {{total}}", flush=True)

if sys.argv[1:]:
    answer(chess.Board(sys.argv[2]), int(sys.argv[1]))
    sys.exit()
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]: print("uciok", flush=True)
    elif words == ["isready"]: print("readyok", flush=True)
    elif words == ["quit"]: break
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:8]))
        for move in words[9:]: board.push_uci(move)
    elif words[:2] == ["go", "perft"]: answer(board, int(words[2]))
"""
SUITE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1 ;D1 7\n"
)
EXTRA = {
    "a2h0": "'a2h0' is not a move: the board has no square h0.",
    "z9z9": "'z9z9' is not a move: the board has no square z9.",
    "a2a5": "The pawn on a2 cannot reach a5",
    "h1h2": "There is no piece on h1 that could move to h2.",
}


def engine(folder: Path, kind: str, extra: str, *, in_total: bool, writes_moves: bool = True) -> str:
    tests = str(Path(__file__).parents[2])
    text = ENGINE.format(tests=tests, extra=extra, in_total=in_total, writes_moves=writes_moves)
    (folder / "mine.py").write_text(text)
    launch = shlex.join([sys.executable, "mine.py"])
    return f"uci:{launch}" if kind == "uci" else f"cmd:{launch} {{depth}} {{fen}}"


@pytest.mark.parametrize(
    ("kind", "extra", "in_total"),
    [
        ("uci", "a2h0", True),
        ("uci", "z9z9", False),
        ("uci", "a2a5", True),
        ("uci", "h1h2", False),
        ("cmd", "a2h0", False),
        ("cmd", "h1h2", True),
        ("uci", "Ra8", True),
        ("uci", "Ra8", False),
    ],
)
def test_an_extra_line_is_a_mismatch_in_run(run: Run, tmp_path: Path, kind: str, extra: str, in_total: bool) -> None:
    (tmp_path / "mine.epd").write_text(SUITE)
    done = run("run", "-e", engine(tmp_path, kind, extra, in_total=in_total), "-s", "mine.epd", **WIDE)
    if extra == "Ra8" and not in_total:  # not known to be a root move at all
        assert done.returncode == 0, done.stdout
        return
    assert done.returncode == 1, done.stdout
    assert "1 of 2 positions agree, 1 mismatch" in done.stdout
    assert EXTRA.get(extra, "'Ra8' is not a move") in done.stdout


@pytest.mark.parametrize(("extra", "in_total"), [("a2h0", True), ("a2h0", False), ("h8h0", False)])
def test_an_extra_line_is_a_mismatch_in_fuzz(fuzz: Run, tmp_path: Path, extra: str, in_total: bool) -> None:
    spec = engine(tmp_path, "uci", extra, in_total=in_total)
    done = fuzz("-e", spec, "-n", "6", "--jobs", "1", "--seed", "1", **WIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{extra} extra: '{extra}' is not a move: the board has no square {extra[2:]}." in done.stdout
