"""The words in which every technique is written: ask for a square, look up a set, store a move.

A technique asks and stores through these functions alone, so that its walk can be followed (see
`tracing`): which squares it visits, which way it branches, what it keeps.
"""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, lsb, rest, store16
from ..kernels.machine.jit import inline


@inline
def is_occupied(occupied: np.uint64, square: np.uint64) -> np.uint64:
    """Return 1 where a piece stands on `square`, else 0."""
    return occupied >> square & ONE


@inline
def looked_up(origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Return `targets`, the whole set that one look-up gives for the piece on `origin`."""
    return targets


@inline
def append(moves: np.uint64, count: np.uint64, move: np.uint64) -> np.uint64:
    """Store a move at the end of the list; return the new length."""
    store16(moves, count, move)
    return count + ONE


@inline
def append_if(moves: np.uint64, count: np.uint64, move: np.uint64, condition: np.uint64) -> np.uint64:
    """Store a move beyond the end of the list, and keep it there if `condition` is 1, not 0, without a branch."""
    store16(moves, count, move)
    return count + condition


@inline
def append_targets(moves: np.uint64, count: np.uint64, origin: np.uint64, targets: np.uint64) -> np.uint64:
    """Store a normal move from `origin` to each of `targets`."""
    while targets != ZERO:
        count = append(moves, count, encode(origin, lsb(targets)))
        targets = rest(targets)
    return count
