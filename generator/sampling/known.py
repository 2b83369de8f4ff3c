"""Positions that are known, with the right answers, as a block for an engine that is asked ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..fens import states_of, write_states
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.bits import ONE, ZERO
from ..kernels.machine.memory import Control, address_of
from ..kernels.sampling.answers import SCRATCH_BYTES, write_answers
from ..kernels.tables import tables
from ..position import Position
from .position_batch import PositionBatch


def known_block(
    positions: Sequence[Position], depths: Sequence[int], *, chess960: bool, castles_to_rook: bool
) -> PositionBatch:
    """Return a block of positions, all of one variant, each to be counted to its depth, 1 or more."""
    number, states, control = len(positions), states_of(positions), Control()
    text = np.frombuffer(write_states(states, "shredder" if chess960 else "xfen"), dtype=np.uint8)
    wanted = np.array(depths, dtype=np.int64)
    keys, counts = np.empty(number * MAX_MOVES, dtype=np.uint16), np.empty(number * MAX_MOVES, dtype=np.int64)
    ends, totals = np.empty(number, dtype=np.int64), np.empty(number, dtype=np.int64)
    scratch = np.zeros(SCRATCH_BYTES, dtype=np.uint8)
    if number:
        # Compiled as a part of another kernel, a recursive one takes twice as long as on its own.
        count_leaves(tables(), positions[0].board, ONE, control.address, ZERO)
        write_answers(
            tables(),
            address_of(states),
            address_of(wanted),
            np.uint64(number),
            np.uint64(castles_to_rook),
            address_of(keys),
            address_of(counts),
            address_of(ends),
            address_of(totals),
            address_of(scratch),
            control.address,
        )
    listed = int(ends[-1]) if number else 0
    return PositionBatch.without_bases(
        text,
        wanted,
        keys[:listed],
        counts[:listed],
        ends,
        totals,
        chess960=chess960,
        castles_to_rook=castles_to_rook,
    )
