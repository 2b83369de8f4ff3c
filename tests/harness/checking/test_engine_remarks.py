"""What an engine itself says about a question is quoted in the finding: short, and without control characters."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.processes import PATIENCE
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test starts several processes

ENGINE = r"""
import sys, chess

def perft(board, depth):
    if depth == 0:
        return 1
    return sum((board.push(move), perft(board, depth - 1), board.pop())[1] for move in list(board.legal_moves))

fault, said = sys.argv[1:]
said = said.encode().decode("unicode_escape")
board = chess.Board()
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("id name x\nuciok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        fen, _, moves = line.partition(" fen ")[2].partition(" moves ")
        board = chess.Board(fen.strip() or chess.STARTING_FEN)
        for move in moves.split():
            if fault == "turn" and fen.split()[1] == "b":
                print(said, flush=True)  # it takes White to be on the move, and plays nothing
                break
            board.push_uci(move)
    elif words[:1] == ["go"]:
        total = 0
        if fault == "castling" and any(map(board.is_castling, board.legal_moves)):
            print(said, flush=True)
        for move in list(board.legal_moves):
            if fault == "castling" and board.is_castling(move):
                continue
            board.push(move)
            nodes = perft(board, int(words[2]) - 1)
            board.pop()
            total += nodes
            print(f"{move.uci()}: {nodes}")
        print(f"\nNodes searched: {total}", flush=True)
    elif words == ["quit"]:
        break
"""
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
PLAYED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves g8f6"


def asked(run: Run, folder: Path, line: str, fault: str, said: str) -> str:
    """Return what `divide` prints to depth 2 about a line."""
    (folder / "engine.py").write_text(ENGINE)
    spec = f"uci:{sys.executable} {folder / 'engine.py'} {fault} '{said}'"
    done = run("divide", line, "2", "-e", spec, "--timeout", f"{PATIENCE:.0f}")
    assert done.returncode == 1, done.stdout + done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("info string Error: no rook on h1", "info string Error: no rook on h1"),
        ("info string unknown\\x07 castling", "info string unknown  castling"),
        ("Illegal " + 300 * "x", "Illegal " + 192 * "x"),
    ],
)
def test_a_complaint_is_quoted(run: Run, tmp_path: Path, said: str, quoted: str) -> None:
    told = asked(run, tmp_path, CASTLING, "castling", said)
    assert "missing move e1g1: Castling" in told
    assert f"the engine says: {' '.join(repr(quoted).split())}" in told


def test_a_complaint_about_a_played_move_is_quoted(run: Run, tmp_path: Path) -> None:
    told = asked(run, tmp_path, PLAYED, "turn", "info string error: it is not your turn")
    assert "the engine says: 'info string error: it is not your turn'" in told


@pytest.mark.parametrize("said", ["info string NNUE evaluation using nn-1.nnue", "Illegal moves: 0", "errors = 3"])
def test_an_ordinary_remark_is_not_quoted(run: Run, tmp_path: Path, said: str) -> None:
    told = asked(run, tmp_path, CASTLING, "castling", said)
    assert "missing move e1g1: Castling" in told
    assert "the engine says" not in told
