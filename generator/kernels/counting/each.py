"""Count the leaves below many positions in one call: each kernel of the counts, position after position.

A call from Python takes longer than a small count does.
"""

from __future__ import annotations

import numpy as np

from ..board import BOARD_WORDS, Board, load_board
from ..machine.bits import ZERO, load, store
from ..machine.control import STOP
from ..machine.jit import inlined, kernel
from ..sliders.common import Tables
from .list_perft import count_leaves_by_list
from .turbo import count_leaves
from .two_plies.kernel import count_leaves_by_two

_BYTES = np.uint64(8 * BOARD_WORDS)


@inlined
def _board(boards: np.uint64, index: np.uint64) -> Board:
    return load_board(boards + index * _BYTES)


@kernel
def count_each_by_list(
    tables: Tables,
    boards: np.uint64,
    depths: np.uint64,
    number: np.uint64,
    control: np.uint64,
    buffers: np.uint64,
    counts: np.uint64,
) -> None:
    """Write the count of each of so many boards at address `boards`, at its depth, to address `counts`.

    A depth is 1 or more. When the control asks to stop, the counts are meaningless. `buffers` is for the
    deepest count what `count_leaves_by_list` takes.
    """
    for place in range(number):
        index = np.uint64(place)
        if load(control, STOP) != ZERO:
            return
        count = count_leaves_by_list(tables, _board(boards, index), load(depths, index), control, buffers)
        store(counts, index, count)


@kernel
def count_each(
    tables: Tables, boards: np.uint64, depths: np.uint64, number: np.uint64, control: np.uint64, counts: np.uint64
) -> None:
    """Write the counts that `count_leaves` makes, as `count_each_by_list` does."""
    for place in range(number):
        index = np.uint64(place)
        if load(control, STOP) != ZERO:
            return
        store(counts, index, count_leaves(tables, _board(boards, index), load(depths, index), control, ZERO))


@kernel
def count_each_by_two(
    tables: Tables,
    boards: np.uint64,
    depths: np.uint64,
    number: np.uint64,
    control: np.uint64,
    notes: np.uint64,
    counts: np.uint64,
) -> None:
    """Write the counts that `count_leaves_by_two` makes, as `count_each_by_list` does; it takes `notes` instead."""
    for place in range(number):
        index = np.uint64(place)
        if load(control, STOP) != ZERO:
            return
        count = count_leaves_by_two(tables, _board(boards, index), load(depths, index), control, notes)
        store(counts, index, count)
