"""Their knights, bishops, rooks and queens: what they can do, and what our moves cut off, lay open, or take.

Pinned pieces are apart. Each way of moving is counted on its own: a queen is a bishop and a rook. No quiet move of ours
changes what their knights can do. A capture is counted as if the piece taken still stood there, and ours had only
left its square; what is missing then are those who take back, and what the piece taken would have done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import (
    NOT_FILE_A,
    NOT_FILE_H,
    beyond,
    bishop_attacks,
    knight_attacks,
    line,
    rook_attacks,
    their_pawn_attacks,
)
from ...machine.bits import ZERO, load, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...pawns import PawnTargets
from ...sliders.lookup import Tables
from .position import MOVES, BoardSides
from .tally import Counters, Tally, count_at, squares_counted
from .their_king import Pins, pin_lines
from .their_pawns import RANK_6, TheirPawns, captures_on

_2, _7, _8, _9, _16 = (np.uint64(number) for number in (2, 7, 8, 9, 16))
_RANK_2 = np.uint64(0xFF00)
BISHOP, ROOK = np.uint64(0), np.uint64(1)
"""The two ways in which sliders move."""


@inline
def pawn_moves(pawn: np.uint64, own: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the number of moves of one pawn of theirs that is not pinned."""
    push = pawn >> _8 & ~occupied
    moves = popcount(push | their_pawn_attacks(pawn) & own)
    # From our second rank every move is a promotion, and that is four moves.
    if pawn & _RANK_2 != ZERO:
        moves = moves << _2
    return moves + popcount((push & RANK_6) >> _8 & ~occupied)


@inline
def capture_change(
    tables: Tables, sides: BoardSides, pins: Pins, pawns: TheirPawns, origin: np.uint64, target: np.uint64
) -> np.uint64:
    """Return how many may take back on `target` what came from `origin`, less the moves of the piece taken there.

    Modulo 2**64. Their king is apart.
    """
    board, square, after = sides.board, lsb(target), sides.occupied ^ origin
    by_bishop, by_rook = bishop_attacks(tables, square, after), rook_attacks(tables, square, after)
    by_knight = knight_attacks(tables, square)
    # Who may take on a square is found from the square: attacks are symmetric, but for those of pawns.
    takers = popcount(by_bishop & board.their_diagonals & ~pin_lines(pins))
    takers += popcount(by_rook & board.their_orthogonals & ~pin_lines(pins))
    takers += popcount(by_knight & board.their_knights & ~pin_lines(pins)) + captures_on(pawns, target)
    # What stood on the target has been counted as if it could still move; a pawn or knight is no slider besides.
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
    """Return the sum of `capture_change` over those of `targets` that are captures."""
    change = ZERO
    targets &= sides.their
    while targets != ZERO:
        change += capture_change(tables, sides, pins, pawns, origin, lowest(targets))
        targets = rest(targets)
    return change


@inline
def knight_replies(tables: Tables, sides: BoardSides, pins: Pins) -> np.uint64:
    """Return the number of moves of their knights that are not pinned, before we move."""
    count, knights = ZERO, sides.board.their_knights & ~pin_lines(pins)
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & ~sides.their)
        knights = rest(knights)
    return count


class Replies(NamedTuple):
    """How many replies there are before we move, and the sum of what all simple moves change (modulo 2**64)."""

    before: np.uint64
    change: np.uint64


@inline
def seen_from(tables: Tables, sides: BoardSides, way: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return where a slider of theirs on `square` may go; `way` is BISHOP or ROOK."""
    seen = bishop_attacks(tables, square, occupied) if way == BISHOP else rook_attacks(tables, square, occupied)
    return seen & ~sides.their


@inline
def arrivals(tables: Tables, square: np.uint64, seen: np.uint64, counters: Counters) -> np.uint64:
    """Return how much all quiet moves cut off by where they end, of a slider on `square` that sees `seen`."""
    lost = ZERO
    # What lies behind the stop is lost, and read from a table: the attacks with the piece there need no look-up. Each
    # of the moves is alone on the board, so what they cut off is a sum.
    stops = seen & squares_counted(counters)
    while stops != ZERO:
        stop = lsb(stops)
        lost += popcount(seen & beyond(tables, square, stop)) * count_at(counters, stop)
        stops = rest(stops)
    return lost


@inline
def _targets(sides: BoardSides, notes: np.uint64, pawns: PawnTargets, origin: np.uint64) -> np.uint64:
    """Return where the piece on `origin` goes by simple moves."""
    if origin & sides.board.pawns == ZERO:
        return load(notes, MOVES + lsb(origin))
    # A pawn has few moves, and they are found from the sets of all targets by their distance: no notes of pawns.
    pushes = pawns.single & origin << _8 | pawns.double & origin << _16
    return pushes | pawns.left & (origin & NOT_FILE_A) << _7 | pawns.right & (origin & NOT_FILE_H) << _9


@inline
def departures(
    tables: Tables,
    sides: BoardSides,
    notes: np.uint64,
    tally: Tally,
    way: np.uint64,
    square: np.uint64,
    seen: np.uint64,
) -> np.uint64:
    """Return what simple moves change for a slider by where they start, beside what `arrivals` has (modulo 2**64).

    On leaving, a piece lays open what is behind it. If it goes along the slider's own line, it stops it again:
    further off, which `arrivals` does not see; or nearer by, where nothing is laid open.
    """
    change, mobility = ZERO, popcount(seen)
    origins = tally.origins & seen
    while origins != ZERO:
        origin = lowest(origins)
        # For each move the slider sees as if the piece were gone; then what it stops again is taken off.
        after = seen_from(tables, sides, way, square, sides.occupied ^ origin)
        targets = _targets(sides, notes, tally.pawns, origin)
        change += (popcount(after) - mobility) * popcount(targets)
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
    pins: Pins,
    notes: np.uint64,
    tally: Tally,
    way: np.uint64,
) -> Replies:
    """Return the replies of their sliders of one way that are not pinned."""
    before, change = ZERO, ZERO
    sliders = (sides.board.their_diagonals if way == BISHOP else sides.board.their_orthogonals) & ~pin_lines(pins)
    while sliders != ZERO:
        square = lsb(sliders)
        seen = seen_from(tables, sides, way, square, sides.occupied)
        before += popcount(seen)
        change -= arrivals(tables, square, seen, tally.counters)
        change += departures(tables, sides, notes, tally, way, square, seen)
        sliders = rest(sliders)
    return Replies(before, change)
