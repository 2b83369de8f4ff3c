"""The opponent's replies to a check: king steps, captures of the checker, and moves between it and the king."""

from __future__ import annotations

import numpy as np

from ...attacks import between, bishop_attacks, knight_attacks, rook_attacks
from ...machine.bits import ZERO, lsb, popcount, rest
from ...machine.jit import inline, subroutine
from ...sliders.lookup import Tables
from .position import BoardSides
from .their_king import Pins, Watch
from .their_pawns import RANK_1, RANK_6, TheirPawns, captures_on

_3, _8 = (np.uint64(number) for number in (3, 8))


@inline
def _pawn_stops(
    sides: BoardSides, pawns: TheirPawns, origin: np.uint64, target: np.uint64, path: np.uint64
) -> np.uint64:
    """Return the number of opponent pawn pushes to `path` after our move; a captured pawn has none."""
    # On `origin`, our piece may have blocked a pawn. On `target`, it may block another pawn or have captured one.
    single = (pawns.single | pawns.blocked & origin) & ~(target | target >> _8)
    double = (single & RANK_6) >> _8 & ~(sides.occupied ^ origin)
    return popcount((single | double) & path) + _3 * popcount(single & path & RANK_1)


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
    # This is a subroutine because checks are rare: with `inline`, the kernel is up to 3 % slower.
    count = ZERO
    while squares != ZERO:
        square = lsb(squares)
        pieces = bishop_attacks(tables, square, occupied) & diagonals | knight_attacks(tables, square) & knights
        count += popcount(pieces | rook_attacks(tables, square, occupied) & orthogonals)
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
    """Return the number of replies after a piece has moved from `origin` to `target`, where it alone gives check.

    `attacked` are the squares that we then attack, including those behind their king. The move must not end a pin
    except by capturing the pinned piece. Pinned pieces cannot evade the check, because their pin lines meet the line of
    the check only on the king's square.
    """
    # Castling is illegal in check, and en passant is impossible, because our move was not a pawn push.
    count = popcount((watch.steps | target & watch.near) & ~attacked) + captures_on(pawns, target)
    path = between(tables, sides.their_king, lsb(target))
    if path != ZERO:
        count += _pawn_stops(sides, pawns, origin, target, path)
    unpinned = pins.unpinned
    return count + _arrivals(
        tables,
        unpinned.diagonals & ~target,
        unpinned.orthogonals & ~target,
        unpinned.knights & ~target,
        sides.occupied ^ origin | target,
        path | target,
    )
