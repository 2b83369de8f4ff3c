"""Positions in 32 bytes each: plies as arrays of records, which can be sorted, merged and written to files."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..kernels.board import BOARD_WORDS, PASSED
from ..kernels.counting.records import GAMES, RECORD_SQUARES, RECORD_WORDS, pack_boards, unpack_records
from .plies import Ply

Records: TypeAlias = NDArray[np.uint64]
"""Positions and how many games lead to each: n x 4 words, as `kernels.counting.records` has them."""

RECORD_BYTES = 8 * RECORD_WORDS
MOST_PIECES = RECORD_SQUARES

_GAMES, _PASSED = int(GAMES), int(PASSED)
_HALF = np.uint64(32)


def records_of(ply: Ply) -> Records:
    """Return the records of a ply, in its order. Raises ValueError where a board has more than `MOST_PIECES` pieces."""
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

    Raises ValueError where more games lead to a position than 64 bits hold.
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
