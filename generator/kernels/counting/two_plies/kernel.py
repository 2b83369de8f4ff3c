"""The counting kernel that takes two plies at once: the replies to all simple moves are one sum.

    replies = number of simple moves * replies if it were their move + what the moves change

What they could do if it were their move, and what each kind of piece of theirs gains or loses by our moves,
is in `theirs/`; which moves of ours are simple, and what they change by themselves, in `ours/` and `limits`.
"""

from __future__ import annotations

import numpy as np

from ...attacks import their_pawn_attacks
from ...board import Board
from ...machine.bits import ZERO, lowest, lsb, rest
from ...machine.jit import inlined, subroutine
from ...pawns import RANK_7, RANK_8, legal_pawn_targets
from ...safety import en_passant_is_safe
from ...sliders.common import Tables
from ..walk import walking
from .fallback import replies_to_en_passant
from .ours.king import with_castling_and_steps
from .ours.own import own_of
from .ours.pawns import with_pawns
from .ours.pieces import with_pieces
from .ours.promotions import with_promotions
from .outlook import Outlook, outlook_of
from .scene import Scene, scene_of
from .tally import PawnMoves, Tally, no_tally, with_replies
from .theirs.knights import knight_replies
from .theirs.pawns import pawn_arrivals, pawn_replies
from .theirs.pinned import pinned_replies
from .theirs.sliders import BISHOP, ROOK, slider_replies

_2, _7, _8, _9 = (np.uint64(number) for number in (2, 7, 8, 9))


@inlined
def _en_passant(tables: Tables, scene: Scene, tally: Tally) -> Tally:
    """Add our captures en passant."""
    board = scene.board
    if board.en_passant != ZERO:
        takers = their_pawn_attacks(board.en_passant) & board.pawns
        while takers != ZERO:
            if en_passant_is_safe(tables, board, scene.king, scene.occupied, lowest(takers)):
                tally = with_replies(tally, replies_to_en_passant(tables, board, lsb(takers)))
            takers = rest(takers)
    return tally


@inlined
def _summed(tables: Tables, outlook: Outlook, notes: np.uint64, tally: Tally) -> np.uint64:
    """Return the number of replies to all moves of the tally."""
    scene, pins, pawns = outlook.scene, outlook.pins, outlook.pawns
    bishops = slider_replies(tables, scene, pins, notes, tally, BISHOP)
    rooks = slider_replies(tables, scene, pins, notes, tally, ROOK)
    before = outlook.watch.replies + knight_replies(tables, scene, pins) + pawn_replies(scene, pawns)
    before += pinned_replies(tables, scene, pins) + bishops.before + rooks.before
    change = pawn_arrivals(pawns, tally.counters) + bishops.change + rooks.change
    return tally.replies + tally.simple * before + change


@subroutine
def count_two_plies(tables: Tables, board: Board, notes: np.uint64) -> np.uint64:
    """Return the number of leaves two plies below; `notes` is the address of `NOTES` words."""
    scene = scene_of(board)
    own, outlook = own_of(tables, scene), outlook_of(tables, scene, notes)
    king = with_castling_and_steps(tables, outlook, own, no_tally())
    tally = with_pieces(tables, outlook, notes, own, king.steps, king.tally)
    single, double, left, right = legal_pawn_targets(
        board.pawns, own.orthogonal_pins, own.diagonal_pins, scene.occupied, scene.their, own.mask
    )
    tally = with_pawns(tables, outlook, PawnMoves(single, double, left, right), tally)
    if board.pawns & RANK_7 != ZERO:
        for targets, ahead in ((single, _8), (left, _7), (right, _9)):
            tally = with_promotions(tables, outlook, targets & RANK_8, ahead, tally)
    tally = _en_passant(tables, scene, tally)
    return _summed(tables, outlook, notes, tally) if tally.simple != ZERO else tally.replies


count_leaves_by_two = walking("count_leaves_by_two", count_two_plies, _2)
