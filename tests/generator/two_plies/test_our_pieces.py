"""The legal moves of our pieces, in check and out of it, and simple castling, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from helpers import oracle, two_plies
from helpers.two_plies import word
from perft_check.generator.kernels.counting.two_plies.position import NOTES


@pytest.mark.slow
def test_the_legal_moves_of_king_knights_and_sliders() -> None:
    moves, notes = 0, np.zeros(NOTES, dtype=np.uint64)
    for board in (*two_plies.boards(), *two_plies.checked_boards()):
        look = two_plies.info_of(board, notes)
        found = {int(mover.square): int(mover.reach) for mover in two_plies.movers(board, look, notes)}
        expected = dict.fromkeys(found, 0)
        for move in board.legal_moves:
            if board.piece_type_at(move.from_square) != chess.PAWN and not board.is_castling(move):
                expected[move.from_square] |= 1 << move.to_square
                moves += 1
        assert found == expected, board.fen()
    assert moves > 3000


CASTLING = (
    # Free, attacked at the rook, in sight of their king, beside it, and with a pawn of theirs in front of the rook.
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/4b3/8/8/8/R3K2R w KQkq - 0 1",
    "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "3k4/8/8/8/8/8/p7/R3K2R w KQ - 0 1",
    "8/8/8/8/8/6k1/8/R3K2R w KQ - 0 1",
    "8/8/8/8/8/8/8/R3KN1k w Q - 0 1",
    "8/8/8/8/8/8/8/R3K1nk w Q - 0 1",
    # It blocks a line to a watch square, pins a piece, or ends a pin.
    "5k2/3p4/8/8/8/6B1/8/R3K3 w Q - 0 1",
    "3k4/3n4/8/8/8/8/8/R3K3 w Q - 0 1",
    "8/8/8/8/8/8/8/R3KQnk w Q - 0 1",
)


def _castling_of(board: chess.Board) -> list[chess.Move]:
    return [move for move in board.legal_moves if board.is_castling(move)]


@pytest.mark.slow
def test_simple_castling_changes_nothing() -> None:
    simple = other = 0
    drawn = (*oracle.random_boards(23, 2000, chess960=False), *oracle.random_boards(24, 2000, chess960=True))
    mine = (board if board.turn else board.mirror() for board in drawn if not board.is_check())
    for board in (*map(chess.Board, CASTLING), *mine):
        look = two_plies.info_of(board) if _castling_of(board) else None
        for move in _castling_of(board):
            assert look is not None
            rooks = board.clean_castling_rights() & chess.BB_RANK_1
            is_long = board.is_queenside_castling(move)
            king, target = move.from_square, chess.C1 if is_long else chess.G1
            [rook] = [s for s in chess.SquareSet(rooks) if (s < king) is is_long]
            squares = sum(1 << square for square in {king, rook, target, chess.D1 if is_long else chess.F1})
            attacked = sum(1 << square for square in chess.SQUARES if _attacks(board, square))
            child = two_plies.after(board, move)
            if squares & int(two_plies.castling_limits(look, word(attacked))):
                other += 1
                continue
            simple += 1
            assert child.legal_moves.count() == two_plies.theirs_to_move(board).legal_moves.count(), board.fen()
    assert simple > 20
    assert other > 20


def _attacks(board: chess.Board, square: chess.Square) -> bool:
    """Tell whether they attack a square, without our king on the board."""
    occupied = board.occupied & ~(board.kings & board.occupied_co[chess.WHITE])
    return bool(board.attackers_mask(chess.BLACK, square, occupied))
