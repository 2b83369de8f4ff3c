"""Which of our moves are simple: they give no check, create or end no pin, and open or block no line to a watch square.

A move that is classified as simple is simple. Some simple moves are not classified as such; their replies are counted
one by one. `PositionInfo` holds this and everything else that is computed once per position.
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
    """What simple moves must avoid, and where they change more than what the piece itself attacks.

    Simple moves do not start on `held` or end on `closed`. Those that start on `opening` may open a line of ours to a
    watch square, those that end on `bishop_lines` or `rook_lines` may block one. On `pawns` ... `rooks` such a piece
    would give check. On `bishop_pins` and `rook_pins` it would pin a piece of the opponent.
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
    """Return what simple moves must avoid."""
    king, occupied, their = sides.their_king, sides.occupied, sides.their
    bishops, rooks = bishop_attacks(tables, king, occupied), rook_attacks(tables, king, occupied)
    # A slider pins the piece through which it sees the king. Their first pieces on the lines from the king are removed;
    # the squares that are seen only then are behind them.
    bishop_pins = bishop_attacks(tables, king, occupied ^ bishops & their) & ~bishops
    rook_pins = rook_attacks(tables, king, occupied ^ rooks & their) & ~rooks
    return Limits(
        # A piece that leaves such a line discovers check or creates a pin; one that leaves the castling path allows
        # castling.
        pins.held | castling.held,
        # The moves of a pinned piece are not those of a free one, which `capture_change` subtracts.
        castling.held | pin_lines(pins) & their,
        # Squares seen both from a watch square and from our slider: a piece there may stand between the two.
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
    """Return the squares on which a piece may block sliders that attack them from a watch square.

    `diagonals` and `orthogonals` are the squares that the sliders attack.
    """
    return limits.bishop_lines & diagonals | limits.rook_lines & orthogonals


@inline
def squares_leapers_cross(limits: Limits, our_attacks: OurAttacks) -> np.uint64:
    """Return the squares on which our king, knight or pawn may block our slider on its way to a watch square."""
    return crossed_squares(limits, our_attacks.diagonals.once, our_attacks.orthogonals.once)


@inline
def changed_targets(
    limits: Limits, our_attacks: OurAttacks, near: np.uint64, origin: np.uint64, stops: np.uint64
) -> np.uint64:
    """Return the targets of a piece on `origin` for which our sliders may attack other watch squares than before.

    On `stops` it blocks sliders. If a slider sees through `origin`, it may attack a piece captured next to their king.
    """
    # If a piece on `origin` alone blocks a slider from a watch square, each of its moves changes what is attacked
    # there.
    if origin & limits.opening != ZERO:
        return ALL
    return stops | near if origin & opened_by_leaving(our_attacks) != ZERO else stops


class PositionInfo(NamedTuple):
    """The position, our attacks, what the replies depend on, and what prevents our moves from being simple."""

    sides: BoardSides
    our_attacks: OurAttacks
    pins: Pins
    watch: Watch
    limits: Limits
    pawns: TheirPawns


@inline
def position_info(tables: Tables, sides: BoardSides, notes: np.uint64) -> PositionInfo:
    """Return what is computed once per position; the attacks of our sliders are written to the notes."""
    our_attacks = our_attacks_of(tables, sides, notes)
    pins = pins_of(tables, sides)
    castling = their_castling(tables, sides, pins)
    watch = watch_of(tables, sides, our_attacks, castling)
    limits = limits_of(tables, sides, our_attacks, pins, castling, watch)
    return PositionInfo(sides, our_attacks, pins, watch, limits, their_pawns(sides, pins))


@subroutine
def replies_to(tables: Tables, board: Board, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the number of replies to normal moves from a square to `targets`."""
    count = ZERO
    while targets != ZERO:
        count += count_legal(tables, play(board, encode(origin, lsb(targets))))
        targets = rest(targets)
    return count


@subroutine
def replies_to_move(tables: Tables, board: Board, move: np.uint64) -> np.uint64:
    """Return the number of replies to one move."""
    # Few moves are not simple. A call for each of them is cheaper than inlining the code that plays a move.
    return count_legal(tables, play(board, move))


@inline
def replies_to_pawns(tables: Tables, board: Board, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the number of replies to pawn moves to `targets`, which are `ahead` squares ahead of their origins."""
    count = ZERO
    while targets != ZERO:
        count += replies_to_move(tables, board, encode(lsb(targets) - ahead, lsb(targets)))
        targets = rest(targets)
    return count
