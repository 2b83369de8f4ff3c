"""Plies as arrays of 32-byte records, which can be sorted, merged and written to files.

`distinct_positions` returns the distinct positions of a ply. It makes each ply from the one above, part by part. The
positions of a part are sorted into a run; the runs are then merged, and equal positions become one record.
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
from .plies import BYTES_A_MOVE, MOST_GAMES, Ply

Records: TypeAlias = NDArray[np.uint64]
"""Positions and how many games lead to each: n x 4 words, as `kernels.counting.records` has them."""

RECORD_BYTES = 8 * RECORD_WORDS
MOST_PIECES = RECORD_SQUARES

_GAMES, _PASSED = int(GAMES), int(PASSED)
_HALF = np.uint64(32)


def records_of(ply: Ply) -> Records:
    """Return the records of a ply, in its order. Raises ValueError if a board has more than `MOST_PIECES` pieces."""
    pieces = np.bitwise_count(np.bitwise_or.reduce(ply.boards[:, :_PASSED], axis=1)).max(initial=0)
    if pieces > MOST_PIECES:
        raise ValueError(f"a board has {pieces} pieces, and a record has room for {MOST_PIECES}")
    records = np.empty((len(ply), RECORD_WORDS), dtype=np.uint64)
    pack_boards(*ply.addresses, np.uint64(len(ply)), np.uint64(records.ctypes.data))
    return records


def ply_of(records: Records, depth: int) -> Ply:
    """Return the ply of records, in their order, with so many plies below it."""
    records = np.ascontiguousarray(records)
    ply = Ply(np.empty((len(records), BOARD_WORDS), dtype=np.uint64), np.empty(len(records), dtype=np.uint64), depth)
    unpack_records(np.uint64(records.ctypes.data), np.uint64(len(records)), *ply.addresses)
    return ply


def bytes_of(records: Records) -> bytes:
    """Return records as bytes, the same ones on every machine."""
    return records.astype("<u8").tobytes()


def records_in(data: bytes) -> Records:
    """Return the records that `bytes_of` has made bytes of."""
    return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(-1, RECORD_WORDS)


def merge_records(records: Records) -> Records:
    """Return the records sorted by their first three words, equal positions as one whose games are added.

    Raises ValueError if more games lead to a position than 64 bits hold.
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
    """Return how many games lead to all positions together, which may be more than 64 bits hold."""
    games = records[:, _GAMES]
    high, low = games >> _HALF, games & np.uint64(0xFFFF_FFFF)
    return (int(high.sum()) << int(_HALF)) + int(low.sum())


def _sort(records: Records) -> Records:
    """Return sorted records: with their highest byte first, words are in the order of their bytes, as strings are."""
    strings = records.astype(">u8", order="C")
    strings.view(f"S{RECORD_BYTES}").sort(axis=0, kind="stable")  # which makes use of parts that are sorted already
    return strings.astype(np.uint64)


PART_BYTES = 1 << 26
"""Memory for the children of a part, unless it is one position."""
MOST_PARENTS = 1 << 16
"""Positions whose boards are in memory at once."""
LEAST_MERGED = 1 << 16
"""Records of new runs that are worth a merge."""

_BYTES_A_CHILD = BYTES_A_MOVE + 2 * RECORD_BYTES
"""Memory for each move of a part: for the children, and for as many records to be sorted."""
_BYTES_MERGED = 4 * RECORD_BYTES
"""Bytes per merged record beside the runs: for concatenating, sorting, and the result."""


def distinct_positions(
    board: Board, plies: int, *, control: Control | None = None, on_ply: Callable[[int, int], None] | None = None
) -> Records:
    """Return the distinct positions so many plies below a root, in ascending order of their records.

    `on_ply` is called with each ply and its number of positions. Raises Stopped, MemoryError if the machine has too
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
        if on_ply:
            on_ply(ply, len(records))
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
