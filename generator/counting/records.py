"""Plies as arrays of 32-byte records, which can be sorted, merged and written to files.

`distinct_positions` returns the distinct positions of a ply. It generates each ply from the previous one in parts. The
positions of each part are sorted into a run; the runs are then merged, which combines equal positions into one record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...platforms.memory import available_bytes
from ..kernels.board import BOARD_WORDS, PASSED, Board
from ..kernels.counting.records import GAMES, RECORD_SQUARES, RECORD_WORDS, pack_boards, unpack_records
from ..kernels.machine.memory import Control
from .counter import Stopped
from .plies import BYTES_PER_MOVE, MAX_GAMES, Ply

Records: TypeAlias = NDArray[np.uint64]
"""Positions and the number of games that lead to each: n x 4 uint64 values, as `kernels.counting.records` describes."""

RECORD_BYTES = 8 * RECORD_WORDS
MAX_PIECES = RECORD_SQUARES

_GAMES, _PASSED = int(GAMES), int(PASSED)
_HALF = np.uint64(32)


def records_of(ply: Ply) -> Records:
    """Return the records of a ply in the same order. Raises ValueError if a board has more than `MAX_PIECES` pieces."""
    pieces = np.bitwise_count(np.bitwise_or.reduce(ply.boards[:, :_PASSED], axis=1)).max(initial=0)
    if pieces > MAX_PIECES:
        raise ValueError(f"a board has {pieces} pieces, and a record has room for {MAX_PIECES}")
    records = np.empty((len(ply), RECORD_WORDS), dtype=np.uint64)
    pack_boards(*ply.addresses, np.uint64(len(ply)), np.uint64(records.ctypes.data))
    return records


def ply_of(records: Records, depth: int) -> Ply:
    """Return the records as a ply in the same order, with `depth` plies below it."""
    records = np.ascontiguousarray(records)
    ply = Ply(np.empty((len(records), BOARD_WORDS), dtype=np.uint64), np.empty(len(records), dtype=np.uint64), depth)
    unpack_records(np.uint64(records.ctypes.data), np.uint64(len(records)), *ply.addresses)
    return ply


def bytes_of(records: Records) -> bytes:
    """Return records as bytes in a machine-independent format."""
    return records.astype("<u8").tobytes()


def records_in(data: bytes) -> Records:
    """Return the records encoded by `bytes_of`."""
    return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(-1, RECORD_WORDS)


def merge_records(records: Records) -> Records:
    """Return the records sorted by position, with the numbers of games of equal positions added.

    Raises ValueError if the number of games of a position exceeds 64 bits.
    """
    ordered = _sort(records)
    is_first = np.ones(len(ordered), dtype=np.bool_)
    is_first[1:] = (ordered[1:, :_GAMES] != ordered[:-1, :_GAMES]).any(axis=1)
    firsts = np.flatnonzero(is_first)
    if len(firsts) == len(ordered):
        return ordered
    found = ordered[firsts]
    found[:, _GAMES] = np.add.reduceat(ordered[:, _GAMES], firsts)
    if total_games(found) != total_games(ordered):
        raise ValueError("more games lead to a position than 64 bits hold")
    return found


def total_games(records: Records) -> int:
    """Return the total number of games, which may exceed 64 bits."""
    games = records[:, _GAMES]
    high, low = games >> _HALF, games & np.uint64(0xFFFF_FFFF)
    return (int(high.sum()) << int(_HALF)) + int(low.sum())


def _sort(records: Records) -> Records:
    """Return the records in sorted order. Big-endian values compare like byte strings, which NumPy can sort."""
    strings = records.astype(">u8", order="C")
    strings.view(f"S{RECORD_BYTES}").sort(axis=0, kind="stable")  # faster if parts are already sorted
    return strings.astype(np.uint64)


PART_BYTES = 1 << 26
"""Memory limit for the children of a part, unless the part is a single position."""
MAX_PARENTS = 1 << 16
"""Number of boards in memory at the same time."""
MIN_MERGED = 1 << 16
"""Minimum number of new records for which a merge pays off."""

_BYTES_PER_CHILD = BYTES_PER_MOVE + 2 * RECORD_BYTES
"""Memory per move of a part, for the children and for sorting their records."""
_BYTES_MERGED = 4 * RECORD_BYTES
"""Bytes per merged record in addition to the runs, for concatenating, sorting and the result."""


def distinct_positions(
    board: Board, plies: int, *, control: Control | None = None, on_ply: Callable[[int, int], None] | None = None
) -> Records:
    """Return the distinct positions `plies` plies below a root, sorted by their records.

    `on_ply` is called with the number of each ply and the number of its positions.

    Raises Stopped; MemoryError if the machine has too little memory; ValueError if a board has more than `MAX_PIECES`
    pieces, if `plies` is negative, or if the number of games of a position exceeds 64 bits.
    """
    if plies < 0:
        raise ValueError(f"the plies must be 0 or more, not {plies}")
    control = control or Control()
    records = records_of(Ply.of(board, plies))
    for ply in range(1, plies + 1):
        try:
            records = _below(records, plies - ply, control)
        except MemoryError as error:
            raise MemoryError(f"not enough memory for the positions after ply {ply}: {error}") from None
        if on_ply:
            on_ply(ply, len(records))
        if control.stopped:
            raise Stopped
    return records


def _below(records: Records, depth: int, control: Control) -> Records:
    """Return the positions of the next ply, with `depth` plies below them. Raises Stopped, MemoryError.

    Runs are merged once they have as many records as the result so far, so that each record is merged only a few times.
    """
    found, runs, waiting = np.empty((0, RECORD_WORDS), dtype=np.uint64), list[Records](), 0
    for part in _parts(records, depth + 1):
        _check_memory(part.moves * _BYTES_PER_CHILD)
        children = merge_records(records_of(part.below(control)))
        if control.stopped:
            raise Stopped
        runs.append(children)
        waiting += len(children)
        if waiting > max(len(found), MIN_MERGED):
            found, runs, waiting = _merge([found, *runs]), [], 0
    return _merge([found, *runs])


def _merge(runs: list[Records]) -> Records:
    """Merge sorted runs. Raises MemoryError."""
    filled = [run for run in runs if len(run)]
    if len(filled) < 2:
        return filled[0] if filled else runs[0]
    _check_memory(sum(map(len, filled)) * _BYTES_MERGED)
    return merge_records(np.concatenate(filled))


def _check_memory(needed: int) -> None:
    """Raise MemoryError early, because a system may allocate more memory than it has and later kill the process."""
    free = available_bytes()
    if needed > free:
        raise MemoryError(f"{needed >> 20:,} MiB are needed, and {free >> 20:,} MiB are free")


def _parts(records: Records, depth: int) -> Iterator[Ply]:
    for first in range(0, len(records), MAX_PARENTS):
        yield from _fitting(ply_of(records[first : first + MAX_PARENTS], depth))


def _fitting(ply: Ply) -> Iterator[Ply]:
    """Yield parts of a ply whose children fit into `PART_BYTES` and whose number of games fits into 64 bits."""
    needed = max(ply.moves * _BYTES_PER_CHILD / PART_BYTES, ply.games.sum(dtype=np.float64) / MAX_GAMES)
    if needed < 1 or len(ply) == 1:
        yield ply
    else:
        for part in ply.parts(int(needed) + 1):
            yield from _fitting(part)
