"""Skipping without a branch: a free target leads to the next entry, an occupied one further (V. Diepeveen, in Diep).

An entry contains a target and the number of entries that follow it on the same ray. If the target is free, the list
pointer advances by one; if it is occupied, the pointer also skips the rest of the ray. The mask is all ones if the
target is occupied, otherwise zero.

    rook on e4    north        east      south     west         end
    target        e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4   -
    skip           3  2  1  0   2  1  0   2  1  0   3  2  1  0

    next = here + 1 + (skip & mask)

Processors predict branches, but whether a square is occupied is hard to predict. The only branches left are the end of
the list, and whether a move is kept. An entry has 16 bits, with the target in the low byte.
"""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import encode
from ..kernels.machine.bits import ALL, ONE, ZERO, load16
from ..kernels.machine.jit import inline
from . import rays
from .operations import append, is_occupied
from .rays import Occupancy
from .technique import Table, Technique, TechniqueName

SENTINEL = 255

_END, _BYTE, _8 = np.uint64(SENTINEL), np.uint64(255), np.uint64(8)


def build() -> Table:
    """Return the index of the first entry of each slider and square, then the lists of targets and skips."""
    table = [0] * (len(rays.SLIDERS) * 64)
    for number, kind in enumerate(rays.SLIDERS):
        for origin in range(64):
            table[number * 64 + origin] = len(table)
            steps = rays.steps(kind, origin)
            table += [step.blocked - (place + 1) << 8 | step.target for place, step in enumerate(steps)]
            table.append(SENTINEL)
    return np.array(table, dtype=np.uint16)


@inline
def _append_moves(
    walk: np.uint64, head: np.uint64, origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a slider whose list starts at the entry indexed by `head`."""
    place = load16(walk, head)
    entry = load16(walk, place)
    while entry != _END:
        target, skip = entry & _BYTE, entry >> _8
        if is_occupied(sides.own, target) == ZERO:
            count = append(moves, count, encode(origin, target))
        mask = ALL * is_occupied(sides.both, target)
        place += ONE + (skip & mask)
        entry = load16(walk, place)
    return count


generate = rays.make_generator(rays.each_piece(_append_moves))


SKIP = Technique(
    name=TechniqueName.SKIP,
    origin="V. Diepeveen, Diep",
    build=build,
)
