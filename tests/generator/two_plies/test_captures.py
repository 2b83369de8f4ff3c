"""What captures change for all pieces of theirs but king and pinned ones, one at a time, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
from helpers import two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.counting.two_plies.position import NOTES
from perft_check.generator.kernels.counting.two_plies.their_pieces import BISHOP, ROOK
from perft_check.generator.kernels.tables import tables

PIECES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def test_taking_back_and_the_moves_of_the_piece_taken() -> None:
    notes, checked = np.zeros(NOTES, dtype=np.uint64), 0
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        pieces = two_plies.loose(board, *PIECES)
        now = two_plies.moves_from(two_plies.theirs_to_move(board), pieces)
        for move in two_plies.plain_moves(board, captures=True):
            if two_plies.pinned_of(board) >> move.to_square & 1:
                continue  # no simple move takes what is pinned
            tally, target = two_plies.tally_of(board, move, notes), word(1 << move.to_square)
            arguments = (tables(), look.sides, look.pins, word(notes.ctypes.data), tally)
            change = sum(int(two_plies.slider_replies(*arguments, way).change) for way in (BISHOP, ROOK))
            change += int(two_plies.pawn_departures(look.pawns, tally.origins, target))
            change += int(two_plies.capture_changes(tables(), look.sides, look.pins, look.pawns, tally.origins, target))
            then = two_plies.moves_from(two_plies.after(board, move), pieces & ~int(target))
            assert change % WORD == (then - now) % WORD, (board.fen(), move)
            checked += 1
    assert checked > 200
