"""Which of our moves are simple: they give no check, make or end no pin, open or close no line to a watch square.

A move that looks simple here is simple. Some others would be, too; their replies are counted one by one. `PositionInfo`
has this and all else that is found once for a position, before its moves are gone through.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import bishop_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ...board import Board
from ...encoding import encode
from ...machine.bits import ALL, ZERO, lsb, rest
from ...machine.jit import inline, subroutine
from ...play import play
from ...sliders.lookup import Tables
from ..last_ply import count_legal
from .position import BoardSides, OurAttacks, opened_by_leaving, our_attacks_of
from .their_king import Pins, TheirCastling, Watch, pin_lines, pins_of, their_castling, watch_of
from .their_pawns import TheirPawns, their_pawns


class Limits(NamedTuple):
    """What simple moves keep away from, and where they change more than what the piece itself attacks.

    No simple move starts on `held`, or ends on `closed`. One that starts on `opening` may open a line of ours to a
    watch square, one that ends on `bishop_lines` or `rook_lines` may close one. From `pawns` ... `rooks` such a piece
    would give check. From `bishop_pins` and `rook_pins` it would pin a piece of theirs.
    """

    held: np.uint64
    closed: np.uint64
    opening: np.uint64
    bishop_lines: np.uint64
    rook_lines: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    bishop_pins: np.uint64
    rook_pins: np.uint64


@inline
def limits_of(
    tables: Tables, sides: BoardSides, our_attacks: OurAttacks, pins: Pins, castling: TheirCastling, watch: Watch
) -> Limits:
    """Return what simple moves keep away from."""
    king, occupied, their = sides.their_king, sides.occupied, sides.their
    bishops, rooks = bishop_attacks(tables, king, occupied), rook_attacks(tables, king, occupied)
    # Through a piece of theirs a slider pins it: their first pieces on the lines from the king are taken off the board,
    # and what is seen then and was not before lies behind them.
    bishop_pins = bishop_attacks(tables, king, occupied ^ bishops & their) & ~bishops
    rook_pins = rook_attacks(tables, king, occupied ^ rooks & their) & ~rooks
    return Limits(
        # What leaves such a line discovers check or makes a pin; what leaves the way of castling allows it.
        pins.held | castling.held,
        # A pinned piece has been counted with other moves than those of a free one, which `capture_change` takes off.
        castling.held | pin_lines(pins) & their,
        # Seen from a watch square and from a slider of ours: a piece here may part the two.
        watch.bishops & our_attacks.diagonals.once | watch.rooks & our_attacks.orthogonals.once,
        watch.bishops & ~their,
        watch.rooks & ~their,
        their_pawn_attacks(sides.board.their_king),
        knight_attacks(tables, king),
        bishops,
        rooks,
        bishop_pins,
        rook_pins,
    )


@inline
def crossed_squares(limits: Limits, diagonals: np.uint64, orthogonals: np.uint64) -> np.uint64:
    """Return the squares where a piece may stop a slider that attacks these squares on its way to a watch square."""
    return limits.bishop_lines & diagonals | limits.rook_lines & orthogonals


@inline
def squares_leapers_cross(limits: Limits, our_attacks: OurAttacks) -> np.uint64:
    """Return the squares where king, knight or pawn may stop a slider of ours on its way to a watch square."""
    return crossed_squares(limits, our_attacks.diagonals.once, our_attacks.orthogonals.once)


@inline
def changed_targets(
    limits: Limits, our_attacks: OurAttacks, near: np.uint64, origin: np.uint64, stops: np.uint64
) -> np.uint64:
    """Return the targets of a piece on `origin` on which our sliders may attack other watch squares than before.

    It stops some on `stops`. If they look through `origin`, they may attack what has been taken next to their king.
    """
    # Where `origin` alone keeps a slider from a watch square, each of its moves changes what is attacked there.
    if origin & limits.opening != ZERO:
        return ALL
    return stops | near if origin & opened_by_leaving(our_attacks) != ZERO else stops


class PositionInfo(NamedTuple):
    """The position, what we attack, what their replies depend on, and what keeps a move of ours from being simple."""

    sides: BoardSides
    our_attacks: OurAttacks
    pins: Pins
    watch: Watch
    limits: Limits
    pawns: TheirPawns


@inline
def position_info(tables: Tables, sides: BoardSides, notes: np.uint64) -> PositionInfo:
    """Return what is found once for a position; the notes get what our sliders attack."""
    our_attacks = our_attacks_of(tables, sides, notes)
    pins = pins_of(tables, sides)
    castling = their_castling(tables, sides, pins)
    watch = watch_of(tables, sides, our_attacks, castling)
    limits = limits_of(tables, sides, our_attacks, pins, castling, watch)
    return PositionInfo(sides, our_attacks, pins, watch, limits, their_pawns(sides, pins))


@subroutine
def replies_to(tables: Tables, board: Board, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the number of replies to the moves from a square to `targets`; no castling, promotion, en passant."""
    count = ZERO
    while targets != ZERO:
        count += count_legal(tables, play(board, encode(origin, lsb(targets))))
        targets = rest(targets)
    return count


@subroutine
def replies_to_move(tables: Tables, board: Board, move: np.uint64) -> np.uint64:
    """Return the number of replies to one move."""
    # Moves that are not simple are few. A call for each costs less than copies of what plays a move.
    return count_legal(tables, play(board, move))


@inline
def replies_to_pawns(tables: Tables, board: Board, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the number of replies to pawn moves that end on `targets`, so many squares ahead of their start."""
    count = ZERO
    while targets != ZERO:
        count += replies_to_move(tables, board, encode(lsb(targets) - ahead, lsb(targets)))
        targets = rest(targets)
    return count
