"""The statistics of leaf moves: captures, checks, mates ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from ..kernels.board import Board
from ..kernels.counting.list_perft import FIELDS, count_kinds
from ..kernels.machine.memory import Control
from ..kernels.tables import Backend, tables
from ..position import Position
from .counter import Memory, Stopped
from .leaves import check_depth, check_threads
from .merging import Ply, cut
from .sharing import PARTS_A_THREAD, is_larger, share_counts

WORTH_CUTTING = 1e7
"""Leaf nodes for which a second thread is worth its start."""


@dataclass(frozen=True)
class Stats:
    """How many of the moves that lead to the leaves are of each kind.

    A check is *double* when two pieces give it, *discovered* when one does and it is not the piece
    that has moved (after castling: neither king nor rook); the two are disjoint. Mates are checks.
    """

    nodes: int
    captures: int
    en_passant: int
    castles: int
    promotions: int
    checks: int
    discovered_checks: int
    double_checks: int
    mates: int

    def as_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)


def stats(
    position: Position,
    depth: int,
    *,
    backend: Backend | None = None,
    control: Control | None = None,
    threads: int = 1,
) -> Stats:
    """Return the statistics of the leaf moves at `depth`; at depth 0 there is one node and no move.

    Raises as `perft` does.
    """
    check_depth(depth)
    check_threads(threads)
    control = control or Control()
    count = partial(_counters, backend=backend, control=control)
    if threads == 1 or not _is_large(count, position.board, depth):
        return Stats(*count(position.board, depth))

    def count_ply(ply: Ply) -> list[int]:
        return _sum([games * number for number in count(board, ply.depth)] for board, games in ply)

    (numbers,) = share_counts(
        [cut(position.board, depth, threads * PARTS_A_THREAD, control)], threads, count_ply, _sum, control
    )
    if control.stopped:  # while the tree was cut, perhaps
        raise Stopped
    return Stats(*numbers)


def _is_large(count: Callable[[Board, int], list[int]], board: Board, depth: int) -> bool:
    return is_larger(lambda board, depth: count(board, depth)[0], board, depth, WORTH_CUTTING)


def _sum(numbers: Iterable[list[int]]) -> list[int]:
    return [sum(column) for column in zip([0] * len(FIELDS), *numbers, strict=True)]


def _counters(board: Board, depth: int, backend: Backend | None, control: Control) -> list[int]:
    """Return the numbers of `Stats`. Raises Stopped."""
    counters = np.zeros(len(FIELDS), dtype=np.uint64)
    if depth == 0:
        counters[0] = 1
        return list(map(int, counters))
    memory, found = Memory(depth), np.uint64(counters.ctypes.data)
    count_kinds(tables(backend), board, np.uint64(depth), control.address, memory.moves, found)
    if control.stopped:
        raise Stopped
    return list(map(int, counters))
