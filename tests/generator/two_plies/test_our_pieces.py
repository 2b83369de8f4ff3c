"""The legal moves of our pieces, in check and out of it, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
from helpers import two_plies
from perft_check.generator.kernels.counting.two_plies.position import NOTES


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
