"""Their bishops, rooks and queens: what they see, what our arrivals cut off and our departures lay open.

Pinned ones are apart. Each way of moving is counted on its own: a queen is a bishop and a rook.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import NOT_FILE_A, NOT_FILE_H, beyond, bishop_attacks, line, rook_attacks
from ....machine.bits import ZERO, load, lowest, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..counters import Counters, number_at, some
from ..notes import MOVES
from ..scene import Scene
from ..tally import PawnMoves, Tally
from .pins import Pins, pin_lines

BISHOP, ROOK = np.uint64(0), np.uint64(1)
_7, _8, _9, _16 = (np.uint64(number) for number in (7, 8, 9, 16))


class Replies(NamedTuple):
    """How many replies there are before we move, and the sum of what all simple moves change (modulo 2**64)."""

    before: np.uint64
    change: np.uint64


@inlined
def seen_from(tables: Tables, scene: Scene, way: np.uint64, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return where a slider of theirs on `square` may go; `way` is BISHOP or ROOK."""
    seen = bishop_attacks(tables, square, occupied) if way == BISHOP else rook_attacks(tables, square, occupied)
    return seen & ~scene.their


@inlined
def arrivals(tables: Tables, square: np.uint64, seen: np.uint64, counters: Counters) -> np.uint64:
    """Return how much all quiet moves cut off by where they end, of a slider on `square` that sees `seen`."""
    lost = ZERO
    stops = seen & some(counters)
    while stops != ZERO:
        stop = lsb(stops)
        lost += popcount(seen & beyond(tables, square, stop)) * number_at(counters, stop)
        stops = rest(stops)
    return lost


@inlined
def _targets(scene: Scene, notes: np.uint64, pawns: PawnMoves, origin: np.uint64) -> np.uint64:
    """Return where the piece on `origin` goes by simple moves."""
    if origin & scene.board.pawns == ZERO:
        return load(notes, MOVES + lsb(origin))
    pushes = pawns.single & origin << _8 | pawns.double & origin << _16
    return pushes | pawns.left & (origin & NOT_FILE_A) << _7 | pawns.right & (origin & NOT_FILE_H) << _9


@inlined
def departures(
    tables: Tables,
    scene: Scene,
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
        after = seen_from(tables, scene, way, square, scene.occupied ^ origin)
        targets = _targets(scene, notes, tally.pawns, origin)
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


@inlined
def slider_replies(
    tables: Tables,
    scene: Scene,
    pins: Pins,
    notes: np.uint64,
    tally: Tally,
    way: np.uint64,
) -> Replies:
    """Return the replies of their sliders of one way that are not pinned."""
    before, change = ZERO, ZERO
    sliders = (scene.board.their_diagonals if way == BISHOP else scene.board.their_orthogonals) & ~pin_lines(pins)
    while sliders != ZERO:
        square = lsb(sliders)
        seen = seen_from(tables, scene, way, square, scene.occupied)
        before += popcount(seen)
        change -= arrivals(tables, square, seen, tally.counters)
        change += departures(tables, scene, notes, tally, way, square, seen)
        sliders = rest(sliders)
    return Replies(before, change)
