"""What our quiet moves change for their pawns, and how many moves their knights have, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
from helpers import two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.counting.two_plies.position import NOTES
from perft_check.generator.kernels.tables import tables


def test_a_quiet_move_blocks_frees_offers_and_withdraws() -> None:
    notes, changed = np.zeros(NOTES, dtype=np.uint64), 0
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        pawns = two_plies.loose(board, chess.PAWN)
        now = two_plies.moves_from(two_plies.theirs_to_move(board), pawns)
        assert two_plies.pawn_replies(look.sides, look.pawns) == now, board.fen()
        for move in two_plies.plain_moves(board, captures=False):
            tally = two_plies.tally_of(board, move, notes)
            target = word(1 << move.to_square)
            change = int(two_plies.pawn_arrivals(look.pawns, tally.counters))
            change += int(two_plies.pawn_departures(look.pawns, tally.origins, target))
            then = two_plies.moves_from(two_plies.after(board, move), pawns)
            assert change % WORD == (then - now) % WORD, (board.fen(), move)
            changed += then != now
    assert changed > 400


def test_no_quiet_move_changes_what_their_knights_do() -> None:
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        moves = two_plies.moves_from(two_plies.theirs_to_move(board), two_plies.loose(board, chess.KNIGHT))
        assert two_plies.knight_replies(tables(), look.sides, look.pins) == moves, board.fen()
