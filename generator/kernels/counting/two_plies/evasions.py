"""Their replies to a check: the king steps away, a piece takes what gives check, or stops it on its way."""

from __future__ import annotations

import numpy as np

from ...attacks import between, bishop_attacks, knight_attacks, rook_attacks
from ...machine.bits import ZERO, lsb, popcount, rest
from ...machine.jit import inline, subroutine
from ...sliders.lookup import Tables
from .position import BoardSides
from .their_king import Pins, Watch, pin_lines
from .their_pawns import RANK_1, RANK_6, TheirPawns, captures_on

_3, _8 = (np.uint64(number) for number in (3, 8))


@inline
def _pawn_stops(
    sides: BoardSides, pawns: TheirPawns, origin: np.uint64, target: np.uint64, way: np.uint64
) -> np.uint64:
    """Return the number of pushes that end on `way` after our move, those of a pawn that it has taken left out."""
    # What has left `origin` may have stopped a pawn there. What stands on `target` stops one, and has taken another one
    # where that stood: its step is gone.
    single = (pawns.single | pawns.blocked & origin) & ~(target | target >> _8)
    double = (single & RANK_6) >> _8 & ~(sides.occupied ^ origin)
    count = popcount(single & way) + popcount(double & way)
    return count + _3 * popcount(single & way & RANK_1)


@subroutine
def _arrivals(
    tables: Tables,
    diagonals: np.uint64,
    orthogonals: np.uint64,
    knights: np.uint64,
    occupied: np.uint64,
    squares: np.uint64,
) -> np.uint64:
    """Return the number of moves of these pieces to `squares`."""
    # A subroutine: checks are few, and inlined it would be copied for king, knights and sliders.
    count = ZERO
    while squares != ZERO:
        square = lsb(squares)
        count += popcount(bishop_attacks(tables, square, occupied) & diagonals)
        count += popcount(rook_attacks(tables, square, occupied) & orthogonals)
        count += popcount(knight_attacks(tables, square) & knights)
        squares = rest(squares)
    return count


@inline
def evasions(
    tables: Tables,
    sides: BoardSides,
    pins: Pins,
    watch: Watch,
    pawns: TheirPawns,
    origin: np.uint64,
    target: np.uint64,
    attacked: np.uint64,
) -> np.uint64:
    """Return the number of replies when a piece has gone from `origin` to `target`, from where it alone gives check.

    Then we attack `attacked`, through their king too. No pin ends by it, but where it takes the piece pinned. So a
    pinned piece can do nothing: it stays on the line of another slider, which meets that of the check on the king's
    square alone.
    """
    # No castling out of check, and no en passant: only pieces come here, and no pawn has just moved.
    count = popcount((watch.steps | target & watch.near) & ~attacked) + captures_on(pawns, target)
    way = between(tables, sides.their_king, lsb(target))
    if way != ZERO:
        count += _pawn_stops(sides, pawns, origin, target, way)
    board, free = sides.board, ~(pin_lines(pins) | target)
    return count + _arrivals(
        tables,
        board.their_diagonals & free,
        board.their_orthogonals & free,
        board.their_knights & free,
        sides.occupied ^ origin | target,
        way | target,
    )
