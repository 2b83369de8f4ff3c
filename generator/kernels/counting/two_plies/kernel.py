"""The kernel that counts two plies at once: the replies to all simple moves are computed as one sum.

    replies = number of simple moves * replies if the opponent were to move + changes caused by the moves

The modules `their_king`, `their_pawns`, `their_pieces` and `pinned` compute the opponent's replies before our move and
how our moves change them. `simple_moves` decides which of our moves are simple; `our_pieces` and `our_pawns` compute
the changes caused by each of them.
"""

from __future__ import annotations

import numpy as np

from ...attacks import their_pawn_attacks
from ...board import Board
from ...encoding import EN_PASSANT, encode
from ...machine.bits import ZERO, lowest, lsb, rest
from ...machine.jit import inline, subroutine
from ...pawns import RANK_7, RANK_8, legal_pawn_targets
from ...safety import en_passant_is_safe
from ...sliders.lookup import Tables
from ..walk import make_walk
from .our_pawns import add_pawns, add_promotions
from .our_pieces import add_castling_and_steps, add_pieces, king_safety_of
from .pinned import pinned_replies
from .position import BoardSides, mobile_sliders, sides_of
from .simple_moves import PositionInfo, position_info, replies_to_move
from .tally import Tally, add_replies, empty_tally
from .their_pawns import pawn_arrivals, pawn_replies
from .their_pieces import BISHOP, ROOK, knight_replies, slider_replies

_2, _7, _8, _9 = (np.uint64(number) for number in (2, 7, 8, 9))


@inline
def _add_en_passant(tables: Tables, sides: BoardSides, tally: Tally) -> Tally:
    board = sides.board
    takers = their_pawn_attacks(board.en_passant) & board.pawns
    while takers != ZERO:
        if en_passant_is_safe(tables, board, sides.king, sides.occupied, lowest(takers)):
            # The move is played, because it changes three squares, and the rest of this kernel supports only two.
            move = EN_PASSANT | encode(lsb(takers), lsb(board.en_passant))
            tally = add_replies(tally, replies_to_move(tables, board, move))
        takers = rest(takers)
    return tally


@inline
def _sum_replies(tables: Tables, info: PositionInfo, notes: np.uint64, tally: Tally) -> np.uint64:
    sides, pins, pawns = info.sides, info.pins, info.pawns
    mobile = mobile_sliders(pins.unpinned.diagonals, pins.unpinned.orthogonals, sides.their)
    bishops = slider_replies(tables, sides, notes, tally, BISHOP, mobile.diagonals)
    rooks = slider_replies(tables, sides, notes, tally, ROOK, mobile.orthogonals)
    before = info.watch.replies + knight_replies(tables, sides, pins) + pawn_replies(sides, pawns)
    before += pinned_replies(tables, sides, pins) + bishops.before + rooks.before
    change = pawn_arrivals(pawns, tally.counters) + bishops.change + rooks.change
    return tally.replies + tally.simple * before + change


@subroutine
def count_two_plies(tables: Tables, board: Board, notes: np.uint64) -> np.uint64:
    """Return the number of leaf nodes at depth 2; `notes` is the address of `NOTES` uint64 values."""
    sides = sides_of(board)
    king_safety, info = king_safety_of(tables, sides), position_info(tables, sides, notes)
    king = add_castling_and_steps(tables, info, king_safety, empty_tally())
    tally = add_pieces(tables, info, notes, king_safety, king.steps, king.tally)
    moves = legal_pawn_targets(board.pawns, king_safety, sides.occupied, sides.their)
    tally = add_pawns(tables, info, moves, tally)
    if board.pawns & RANK_7 != ZERO:
        for targets, ahead in ((moves.single, _8), (moves.left, _7), (moves.right, _9)):
            tally = add_promotions(tables, info, targets & RANK_8, ahead, tally)
    if board.en_passant != ZERO:
        tally = _add_en_passant(tables, sides, tally)
    # If there are no simple moves, the replies before our move are not needed.
    return _sum_replies(tables, info, notes, tally) if tally.simple != ZERO else tally.replies


count_leaves_by_two = make_walk("count_leaves_by_two", count_two_plies, _2)
