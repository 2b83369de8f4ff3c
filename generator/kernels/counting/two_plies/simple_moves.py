"""Simple moves, which give no check, create or end no pin, and open or block no line to a watch square.

The classification has no false positives. It may miss simple moves; their replies are counted one by one.
`PositionInfo` contains the criteria and everything else that is computed once per position.
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
from .position import BoardSides, OurAttacks, our_attacks_of
from .their_king import Pins, TheirCastling, Watch, pin_lines, pins_of, their_castling, watch_of, watch_squares
from .their_pawns import TheirPawns, pawn_origins, their_pawns


class Limits(NamedTuple):
    """Squares that simple moves must avoid, and squares on which they change more than the attacks of the moving piece.

    Simple moves do not start on `held` or end on `closed`. Moves that start on `opening` may open a line of one of our
    sliders to a watch square. From `pawns` ... `rooks`, a piece of that type would give check; from `bishop_pins` and
    `rook_pins`, it would pin an opponent's piece.
    """

    held: np.uint64
    closed: np.uint64
    opening: np.uint64
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
    """Return the restrictions on simple moves."""
    king, occupied, their, places = sides.their_king, sides.occupied, sides.their, watch.places
    bishops, rooks = bishop_attacks(tables, king, occupied), rook_attacks(tables, king, occupied)
    # A slider pins a piece if it would see the king through it. The squares from which this is possible are found by
    # removing their first piece on each line from the king.
    bishop_pins = bishop_attacks(tables, king, occupied ^ bishops & their) & ~bishops
    rook_pins = rook_attacks(tables, king, occupied ^ rooks & their) & ~rooks
    return Limits(
        # A piece that leaves such a line discovers check or creates a pin; a piece that leaves the castling path
        # enables castling.
        pins.held | castling.held,
        # `capture_change` subtracts the moves of an unpinned piece, which would be incorrect for a pinned one.
        castling.held | pin_lines(pins) & their,
        # A piece on a square seen both from a watch square and from our slider may stand between the two. So may a pawn
        # that attacks a watch square.
        (places.bishops | watch.pawns) & our_attacks.diagonals | places.rooks & our_attacks.orthogonals,
        their_pawn_attacks(sides.board.their_king),
        knight_attacks(tables, king),
        bishops,
        rooks,
        bishop_pins,
        rook_pins,
    )


@inline
def changed_targets(
    limits: Limits, our_attacks: OurAttacks, near: np.uint64, origin: np.uint64, lines: np.uint64
) -> np.uint64:
    """Return the targets with which a piece on `origin` may change the watch squares that our sliders attack.

    On `lines` the piece blocks sliders. After a capture next to their king, a slider behind `origin` may attack the
    square of the capture.
    """
    # If the piece on `origin` alone blocks a slider's line to a watch square, each of its moves changes the attacks
    # there.
    if origin & limits.opening != ZERO:
        return ALL
    return lines | near if origin & our_attacks.sliders != ZERO else lines


class Special(NamedTuple):
    """The squares on which moves need more than counting: all other moves are plain.

    A plain move only blocks their pieces on its target and opens lines for them on its origin. A move is plain unless
    it starts on `origins`, it ends on a square that is special for the kind of the moved piece, or only this piece
    attacks a watch square.
    """

    origins: np.uint64
    kings: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64


@inline
def special_squares(
    sides: BoardSides, our_attacks: OurAttacks, pins: Pins, watch: Watch, limits: Limits, pawns: TheirPawns
) -> Special:
    """Return the special squares; all captures are special."""
    targets = sides.their | limits.closed | pin_lines(pins) | our_attacks.lines.once
    return Special(
        limits.held | limits.opening | pins.pinners | pawn_origins(pawns),
        targets | watch.places.kings,
        targets | watch.places.knights | limits.knights,
        targets | watch.places.bishops | limits.bishops | limits.bishop_pins,
        targets | watch.places.rooks | limits.rooks | limits.rook_pins,
    )


class PositionInfo(NamedTuple):
    """The position, our attacks, the conditions of the replies, and the restrictions on simple moves."""

    sides: BoardSides
    our_attacks: OurAttacks
    pins: Pins
    watch: Watch
    limits: Limits
    pawns: TheirPawns
    special: Special


@inline
def position_info(tables: Tables, sides: BoardSides, notes: np.uint64) -> PositionInfo:
    """Return everything that is computed once per position, and write the attacks of our sliders to the notes."""
    pins = pins_of(tables, sides)
    castling = their_castling(tables, sides, pins)
    watched = watch_squares(tables, sides, castling)
    our_attacks = our_attacks_of(tables, sides, watched, notes)
    watch = watch_of(tables, sides, watched, our_attacks, castling)
    limits = limits_of(tables, sides, our_attacks, pins, castling, watch)
    pawns = their_pawns(sides, pins)
    special = special_squares(sides, our_attacks, pins, watch, limits, pawns)
    return PositionInfo(sides, our_attacks, pins, watch, limits, pawns, special)


@subroutine
def replies_to(tables: Tables, board: Board, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return the number of replies to normal moves from `origin` to `targets`."""
    count = ZERO
    while targets != ZERO:
        count += count_legal(tables, play(board, encode(origin, lsb(targets))))
        targets = rest(targets)
    return count


@subroutine
def replies_to_move(tables: Tables, board: Board, move: np.uint64) -> np.uint64:
    """Return the number of replies to one move."""
    # Few moves are not simple, so calling this function is cheaper than inlining the code that plays a move.
    return count_legal(tables, play(board, move))


@inline
def replies_to_pawns(tables: Tables, board: Board, targets: np.uint64, ahead: np.uint64) -> np.uint64:
    """Return the number of replies to pawn moves to `targets`, which are `ahead` squares ahead of their origins."""
    count = ZERO
    while targets != ZERO:
        count += replies_to_move(tables, board, encode(lsb(targets) - ahead, lsb(targets)))
        targets = rest(targets)
    return count
