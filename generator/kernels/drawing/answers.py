"""The right answers about positions that were not drawn: their root moves, and the counts below these."""

from __future__ import annotations

import numpy as np

from ..encoding import MAX_MOVES
from ..fen.state import flip_of, load_state
from ..generate import generate_legal
from ..machine.bits import ALL, ONE, ZERO, load, store
from ..machine.jit import kernel
from ..sliders.common import Tables
from .depth import counts_below
from .roots import MARK_BYTES, PLACED_BYTES, write_roots

_LIST = 2 * MAX_MOVES
ORDERED, ROOTS = (np.uint64(place) for place in (_LIST, 2 * _LIST))
"""Where in the scratch memory what lies; the legal moves come first."""
SCRATCH_BYTES = int(ROOTS) + MARK_BYTES + PLACED_BYTES
_2, _8 = np.uint64(2), np.uint64(8)


@kernel
def write_answers(
    tables: Tables,
    states: np.uint64,
    depths: np.uint64,
    number: np.uint64,
    to_rook: np.uint64,
    keys: np.uint64,
    counts: np.uint64,
    ends: np.uint64,
    totals: np.uint64,
    scratch: np.uint64,
    control: np.uint64,
) -> None:
    """Write the answers about so many states, each at its depth, 1 or more, as the arrays of a `Drawn` have them.

    All but `number` and `to_rook` are addresses. `to_rook` is 1 if the key of castling has the rook as its target.
    `scratch` is that of `SCRATCH_BYTES`, all zero, `control` that of a `Control`.
    """
    start = ZERO
    for place in range(number):
        index = np.uint64(place)
        state, depth = load_state(states, index), load(depths, index)
        found = generate_legal(tables, state.board, scratch)
        ordered, below = scratch + ORDERED, counts + _8 * start
        write_roots(scratch, found, flip_of(state), to_rook, scratch + ROOTS, keys + _2 * start, ordered)
        total = found
        for root in range(found):
            store(below, np.uint64(root), ONE)
        if depth > ONE:
            total = counts_below(tables, state.board, ordered, found, depth, ALL, control, below)
        start += found
        store(ends, index, start)
        store(totals, index, total)
