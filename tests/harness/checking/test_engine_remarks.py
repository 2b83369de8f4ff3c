"""The engine's own complaint about a question is quoted in the finding, shortened and without control characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.processes import PATIENCE
from helpers.program import Run

pytestmark = pytest.mark.slow  # each test starts several processes

ENGINE = r"""
fault, said = sys.argv[1:]
said = said.encode().decode("unicode_escape")

class Mine(UciEngine):
    def set_up(self, board, moves):
        takes_white = fault == "turn" and moves and board.turn == chess.BLACK
        if takes_white:
            print(said, flush=True)
        super().set_up(board, [] if takes_white else moves)
    def answer(self, depth):
        if fault == "castling" and any(map(self.board.is_castling, self.board.legal_moves)):
            print(said, flush=True)
        super().answer(depth)
    def moves(self, board):
        return [move for move in board.legal_moves if fault != "castling" or not board.is_castling(move)]

Mine().serve()
"""
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
PLAYED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 moves g8f6"


def asked(run: Run, folder: Path, line: str, fault: str, said: str) -> str:
    """Return what `divide` prints about a game at depth 2."""
    spec = written_engine(folder / "engine.py", ENGINE, fault, said)
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
def test_a_complaint_of_the_engine_is_quoted(run: Run, tmp_path: Path, said: str, quoted: str) -> None:
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
