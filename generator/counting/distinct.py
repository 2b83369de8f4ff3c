"""The distinct positions some plies below a root.

Each ply is made from the one above in parts. The positions of a part are sorted, which is a run; runs are merged, and
equal positions become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...platforms.memory import available_bytes
from ..kernels.board import Board
from ..kernels.counting.records import RECORD_WORDS
from ..kernels.machine.memory import Control
from .counter import Stopped
from .plies import BYTES_A_MOVE, MOST_GAMES, Ply
from .records import RECORD_BYTES, Records, merge_records, ply_of, records_of

PART_BYTES = 1 << 26
"""Memory for the children of a part, unless it is one position."""
MOST_PARENTS = 1 << 16
"""Positions whose boards are in memory at once."""
LEAST_MERGED = 1 << 16
"""Records of new runs that are worth a merge."""

_BYTES_A_CHILD = BYTES_A_MOVE + 2 * RECORD_BYTES
"""Memory for each move of a part: for the children, and for as many records to be sorted."""
_BYTES_MERGED = 4 * RECORD_BYTES
"""Memory for each record that is merged, beside the runs: put together, sorted, and what is left."""


def distinct(
    board: Board, plies: int, *, control: Control | None = None, tell: Callable[[int, int], None] | None = None
) -> Records:
    """Return the distinct positions so many plies below a root, in ascending order of their records.

    `tell` is called with each ply and its number of positions. Raises Stopped, MemoryError where the machine has too
    little memory, ValueError for a board with more than `MOST_PIECES` pieces, plies below 0, and where more games lead
    to a position than 64 bits hold.
    """
    if plies < 0:
        raise ValueError(f"the plies must be 0 or more, not {plies}")
    control = control or Control()
    records = records_of(Ply.of(board, plies))
    for ply in range(1, plies + 1):
        try:
            records = _below(records, plies - ply, control)
        except MemoryError as error:
            raise MemoryError(f"no room for the positions after ply {ply}: {error}") from None
        if tell:
            tell(ply, len(records))
        if control.stopped:
            raise Stopped
    return records


def _below(records: Records, depth: int, control: Control) -> Records:
    """Return the positions one ply further down, below which `depth` plies remain. Raises Stopped, MemoryError.

    Runs are merged when they have as many records as were merged before, so that each record is merged a few times.
    """
    found, runs, waiting = np.empty((0, RECORD_WORDS), dtype=np.uint64), list[Records](), 0
    for part in _parts(records, depth + 1):
        _check_memory(part.moves * _BYTES_A_CHILD)
        children = merge_records(records_of(part.below(control)))
        if control.stopped:
            raise Stopped
        runs.append(children)
        waiting += len(children)
        if waiting > max(len(found), LEAST_MERGED):
            found, runs, waiting = _merge([found, *runs]), [], 0
    return _merge([found, *runs])


def _merge(runs: list[Records]) -> Records:
    """Return the records of runs as one. Raises MemoryError."""
    filled = [run for run in runs if len(run)]
    if len(filled) < 2:
        return filled[0] if filled else runs[0]
    _check_memory(sum(map(len, filled)) * _BYTES_MERGED)
    return merge_records(np.concatenate(filled))


def _check_memory(needed: int) -> None:
    """Raise MemoryError before memory is taken that is not there: a system may promise it, and end us later."""
    free = available_bytes()
    if needed > free:
        raise MemoryError(f"{needed >> 20:,} MiB are needed, and {free >> 20:,} MiB are free")


def _parts(records: Records, depth: int) -> Iterator[Ply]:
    """Yield a ply in parts whose children fit `PART_BYTES`."""
    for first in range(0, len(records), MOST_PARENTS):
        yield from _fitting(ply_of(records[first : first + MOST_PARENTS], depth))


def _fitting(ply: Ply) -> Iterator[Ply]:
    """Yield a ply in parts whose children fit `PART_BYTES`, and whose games 64 bits."""
    needed = max(ply.moves * _BYTES_A_CHILD / PART_BYTES, ply.games.sum(dtype=np.float64) / MOST_GAMES)
    if needed < 1 or len(ply) == 1:
        yield ply
    else:
        for part in ply.parts(int(needed) + 1):
            yield from _fitting(part)
