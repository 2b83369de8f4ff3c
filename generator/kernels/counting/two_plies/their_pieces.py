"""The opponent's knights, bishops, rooks and queens: their moves, and how our moves change them.

Pinned pieces are not included. A queen is counted as a bishop and as a rook. Our quiet moves do not change the moves of
their knights. A capture is counted as if the captured piece were still there and our piece had only left its square;
the recaptures are then added, and the moves of the captured piece subtracted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import (
    NOT_FILE_A,
    NOT_FILE_H,
    beyond,
    bishop_attacks,
    bishop_blockers,
    knight_attacks,
    line,
    rook_attacks,
    rook_blockers,
    their_pawn_attacks,
)
from ...machine.bits import ZERO, load, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...pawns import PawnTargets
from ...sliders.lookup import Tables
from .position import MOVES, BoardSides
from .tally import Counters, Tally, count_at, squares_counted
from .their_king import Pins
from .their_pawns import RANK_6, TheirPawns, captures_on

_2, _7, _8, _9, _16 = (np.uint64(number) for number in (2, 7, 8, 9, 16))
_RANK_2 = np.uint64(0xFF00)
BISHOP, ROOK = np.uint64(0), np.uint64(1)
"""The two types of slider movement."""


@inline
def pawn_moves(pawn: np.uint64, own: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the number of moves of one of their pawns that is not pinned."""
    push = pawn >> _8 & ~occupied
    moves = popcount(push | their_pawn_attacks(pawn) & own)
    # Every pawn move from our second rank is a promotion and counts as four moves.
    if pawn & _RANK_2 != ZERO:
        moves = moves << _2
    return moves + popcount((push & RANK_6) >> _8 & ~occupied)


@inline
def capture_change(
    tables: Tables, sides: BoardSides, pins: Pins, pawns: TheirPawns, origin: np.uint64, target: np.uint64
) -> np.uint64:
    """Return the number of recaptures after a capture, minus the number of moves of the captured piece.

    The result is modulo 2**64. Captures by their king are not included.
    """
    board, square, after = sides.board, lsb(target), sides.occupied ^ origin
    by_bishop, by_rook = bishop_attacks(tables, square, after), rook_attacks(tables, square, after)
    by_knight = knight_attacks(tables, square)
    # The pieces that can recapture are found by attacks from the target, because attacks are symmetric except for
    # pawns.
    unpinned = pins.unpinned
    pieces = by_bishop & unpinned.diagonals | by_rook & unpinned.orthogonals | by_knight & unpinned.knights
    takers = popcount(pieces) + captures_on(pawns, target)
    # The captured piece has been counted as if it could still move; pawns and knights are in neither slider bitboard.
    if target & board.their_pawns != ZERO:
        return takers - pawn_moves(target, sides.own & ~origin, after)
    if target & board.their_knights != ZERO:
        return takers - popcount(by_knight & ~sides.their)
    if target & board.their_diagonals != ZERO:
        takers -= popcount(by_bishop & ~sides.their)
    if target & board.their_orthogonals != ZERO:
        takers -= popcount(by_rook & ~sides.their)
    return takers


@inline
def capture_changes(
    tables: Tables, sides: BoardSides, pins: Pins, pawns: TheirPawns, origin: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the sum of `capture_change` over all captures on `targets`."""
    change = ZERO
    targets &= sides.their
    while targets != ZERO:
        change += capture_change(tables, sides, pins, pawns, origin, lowest(targets))
        targets = rest(targets)
    return change


@inline
def knight_replies(tables: Tables, sides: BoardSides, pins: Pins) -> np.uint64:
    """Return the number of moves of their unpinned knights before our move."""
    count, knights = ZERO, pins.unpinned.knights
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & ~sides.their)
        knights = rest(knights)
    return count


class Replies(NamedTuple):
    """The number of replies before our move, and the sum of the changes caused by all simple moves (mod 2**64)."""

    before: np.uint64
    change: np.uint64


@inline
def seen_from(
    tables: Tables, sides: BoardSides, movement: np.uint64, square: np.uint64, occupied: np.uint64
) -> np.uint64:
    """Return the targets of their slider on `square`; `movement` is BISHOP or ROOK."""
    seen = bishop_attacks(tables, square, occupied) if movement == BISHOP else rook_attacks(tables, square, occupied)
    return seen & ~sides.their


@inline
def arrivals(tables: Tables, movement: np.uint64, square: np.uint64, seen: np.uint64, counters: Counters) -> np.uint64:
    """Return the number of moves that a slider loses when quiet moves block it, summed over all quiet moves.

    The slider stands on `square` and sees `seen`.
    """
    lost = ZERO
    blockers = bishop_blockers(tables, square) if movement == BISHOP else rook_blockers(tables, square)
    # The squares behind the blocker are lost; they come from a table, so that no attacks have to be looked up. Each
    # move is considered separately, so the losses add up.
    stops = seen & squares_counted(counters) & blockers
    while stops != ZERO:
        stop = lsb(stops)
        lost += popcount(seen & beyond(tables, square, stop)) * count_at(counters, stop)
        stops = rest(stops)
    return lost


@inline
def _targets(sides: BoardSides, notes: np.uint64, pawns: PawnTargets, origin: np.uint64) -> np.uint64:
    """Return the targets of simple moves of the piece on `origin`."""
    if origin & sides.board.pawns == ZERO:
        return load(notes, MOVES + lsb(origin))
    # Pawns have no notes: their few moves are derived from the sets of all pawn targets.
    pushes = pawns.single & origin << _8 | pawns.double & origin << _16
    return pushes | pawns.left & (origin & NOT_FILE_A) << _7 | pawns.right & (origin & NOT_FILE_H) << _9


@inline
def departures(
    tables: Tables,
    sides: BoardSides,
    notes: np.uint64,
    tally: Tally,
    movement: np.uint64,
    square: np.uint64,
    seen: np.uint64,
) -> np.uint64:
    """Return the change in the number of a slider's moves when simple moves leave their origins (mod 2**64).

    A piece that leaves opens the squares behind it. If it moves along the slider's line, it blocks the line again:
    either further away, which `arrivals` does not include, or nearer, so that nothing is opened.
    """
    change, origins = ZERO, tally.origins & seen
    while origins != ZERO:
        origin = lowest(origins)
        # For each move, the slider's targets are counted as if the piece were gone; those that it blocks again are
        # subtracted.
        after = seen_from(tables, sides, movement, square, sides.occupied ^ origin)
        targets = _targets(sides, notes, tally.pawns, origin)
        change += popcount(after ^ seen) * popcount(targets)
        stops = targets & after & line(tables, square, lsb(origin))
        while stops != ZERO:
            behind = beyond(tables, square, lsb(stops))
            change -= popcount(after & behind)
            if lowest(stops) & seen != ZERO:
                change += popcount(seen & behind)
            stops = rest(stops)
        origins = rest(origins)
    return change


@inline
def slider_replies(
    tables: Tables,
    sides: BoardSides,
    notes: np.uint64,
    tally: Tally,
    movement: np.uint64,
    sliders: np.uint64,
) -> Replies:
    """Return the replies of `sliders`, none of which is pinned."""
    before, change = ZERO, ZERO
    while sliders != ZERO:
        square = lsb(sliders)
        seen = seen_from(tables, sides, movement, square, sides.occupied)
        before += popcount(seen)
        change -= arrivals(tables, movement, square, seen, tally.counters)
        change += departures(tables, sides, notes, tally, movement, square, seen)
        sliders = rest(sliders)
    return Replies(before, change)
