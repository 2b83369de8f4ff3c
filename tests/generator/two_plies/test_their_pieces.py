"""Their knights and sliders, and who takes back, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from helpers import two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.counting.two_plies.position import NOTES
from perft_check.generator.kernels.counting.two_plies.their_pieces import BISHOP, ROOK
from perft_check.generator.kernels.tables import tables

SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)


@pytest.mark.parametrize("is_double", [False, True])
def test_a_quiet_move_stops_some_lines_and_opens_others(is_double: bool) -> None:
    """A double push alone leaves a pawn's square by two ranks."""
    notes = np.zeros(NOTES, dtype=np.uint64)
    checked = 0
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        sliders = two_plies.loose(board, *SLIDERS)
        for move in two_plies.plain_moves(board, captures=False):
            if is_double is not (
                abs(move.to_square - move.from_square) == 16 and board.piece_type_at(move.from_square) == 1
            ):
                continue
            tally = two_plies.tally_of(board, move, notes)
            arguments = (tables(), look.sides, look.pins, word(notes.ctypes.data), tally)
            found = [two_plies.slider_replies(*arguments, way) for way in (BISHOP, ROOK)]
            now = two_plies.moves_from(two_plies.theirs_to_move(board), sliders)
            assert sum(int(one.before) for one in found) == now, board.fen()
            then = two_plies.moves_from(two_plies.after(board, move), sliders)
            assert sum(int(one.change) for one in found) % WORD == (then - now) % WORD, (board.fen(), move)
            checked += 1
    assert checked > (100 if is_double else 1500)


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
