"""The games that the sweep plays show the faults that need a special move before."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundling.sweep import is_shown
from helpers.fakes import written_engine
from helpers.program import Run
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.fault import PLAYED_MOVES
from perft_check.suites.bundled import PLAYED
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # processes of Python answer hundreds of questions

FAULTS = {
    "ep-victim-still-blocks": 12,
    "promoted-piece-gives-no-check": 8,
    "double-step-opens-no-line": 4,
    "castled-rook-pins-nothing": 4,
    "corner-capture-opens-no-line": 5,
    "pins-outlive-special-moves": 22,
}
"""In how many of the played games each fault shows."""

ENGINE = '''
def occupied_squares(board):
    """The squares that seem occupied: after the last move, wrongly one more."""
    if not board.move_stack:
        return board.occupied
    before = board.copy()
    last = before.pop()
    return board.occupied | WRONG

def attacked(board, move):
    king = move.to_square if board.piece_type_at(move.from_square) == chess.KING else board.king(board.turn)
    target = chess.BB_SQUARES[move.to_square]
    occupied = occupied_squares(board) & ~chess.BB_SQUARES[move.from_square] | target
    return board.attackers_mask(not board.turn, king, occupied) & ~target

def moves(board):
    for move in board.pseudo_legal_moves:
        if board.is_en_passant(move) or board.is_castling(move):
            if board.is_legal(move):
                yield move
        elif not attacked(board, move):
            yield move

class Mine(UciEngine):
    def moves(self, board):
        return list(moves(board))

Mine().serve()
'''
"""A UCI program that computes legal moves from occupied squares that it does not update correctly."""
CAPTURED = "chess.BB_SQUARES[chess.square(chess.square_file(last.to_square), chess.square_rank(last.from_square))]"
ORIGIN = "chess.BB_SQUARES[last.from_square]"
IS_PAWN = "before.piece_type_at(last.from_square) == chess.PAWN"
MISTAKES = {
    "the captured pawn's square after en passant": f"({CAPTURED} if before.is_en_passant(last) else 0)",
    "the square that en passant leaves": f"({ORIGIN} if before.is_en_passant(last) else 0)",
    "the square that an underpromotion leaves": f"({ORIGIN} if last.promotion in (2, 3, 4) else 0)",
    "the square that a double step leaves": (
        f"({ORIGIN} if {IS_PAWN} and abs(last.to_square - last.from_square) == 16 else 0)"
    ),
    "the square that a capture on a corner leaves": (
        f"({ORIGIN} if before.is_capture(last) and chess.BB_SQUARES[last.to_square] & chess.BB_CORNERS else 0)"
    ),
}


def test_every_fault_of_the_class_is_measured() -> None:
    assert {name for name, one in ZOO.items() if one.fault_class == PLAYED_MOVES} == FAULTS.keys()


def test_the_played_lines_show_each_fault() -> None:
    lines = load_suite(PLAYED)
    assert {name: sum(is_shown(ZOO[name], case) for case in lines) for name in FAULTS} == FAULTS


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_program_with_incorrect_occupied_squares_fails(run: Run, tmp_path: Path, mistake: str) -> None:
    engine = written_engine(tmp_path / "engine.py", ENGINE.replace("WRONG", MISTAKES[mistake]))
    done = run("-e", engine, "-s", str(PLAYED), "--timeout", "60", "--fail-fast")
    assert done.returncode == 1, done.stdout


def test_a_program_with_correct_occupied_squares_passes(run: Run, tmp_path: Path) -> None:
    engine = written_engine(tmp_path / "engine.py", ENGINE.replace("WRONG", "0"))
    done = run("-e", engine, "-s", str(PLAYED), "--timeout", "60")
    assert done.returncode == 0, done.stdout
    assert "all 159 positions agree" in done.stdout
