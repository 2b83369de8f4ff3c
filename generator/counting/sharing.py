"""How threads share a count: the tree is cut into parts, and whoever is idle takes the next one.

So a root with one large subtree keeps all threads busy as well. Positions that equal each other are one part: the board
has all that decides which moves follow.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import MAX_MOVES
from ..kernels.generate import generate
from ..kernels.machine.control import Control
from ..kernels.play import board_after
from ..kernels.tables import tables
from ..types.moves import GenType

T = TypeVar("T")

PARTS_A_THREAD = 32
"""So many parts keep threads busy to the end, though some are ten times as large as others."""
LEAST_DEPTH = 3
"""Plies that are left to each part: below, cutting takes as long as counting."""
_GUESSED_FROM = 3
"""Plies that are counted to guess how many leaf nodes a tree has."""


@dataclass(frozen=True)
class Cut:
    """A tree that is cut some plies below its root."""

    boards: Mapping[Board, int]
    """The positions there, and how often each comes."""
    depth: int
    """The plies below them."""


def is_larger(count: Callable[[Board, int], int], board: Board, depth: int, leaf_nodes: float) -> bool:
    """Guess whether a tree has more leaf nodes, as if each ply had as many moves as the first ones.

    Raises what `count` raises.
    """
    few = count(board, _GUESSED_FROM) if depth > _GUESSED_FROM else 0
    return few > 0 and math.log(few) * depth / _GUESSED_FROM > math.log(leaf_nodes)


def cut(board: Board, depth: int, parts: int) -> Cut:
    """Cut a tree where it has so many parts, unless too few plies are left below them."""
    boards = Counter([board])
    while 0 < len(boards) < parts and depth > LEAST_DEPTH:
        below: Counter[Board] = Counter()
        for one, times in boards.items():
            for child in children(one):
                below[child] += times
        boards, depth = below, depth - 1
    return Cut(boards, depth)


def children(board: Board) -> Iterator[Board]:
    """Yield the board after each legal move."""
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    size = int(generate(tables(None), board, np.uint64(GenType.LEGAL), np.uint64(buffer.ctypes.data)))
    for move in buffer[:size]:
        yield Board(*map(np.uint64, board_after(board, np.uint64(move))))


def shared(
    cuts: Sequence[Cut],
    threads: int,
    count: Callable[[Board, int], T],
    add: Callable[[Iterable[tuple[int, T]]], T],
    control: Control,
) -> Iterator[T]:
    """Yield for each cut what is counted below its positions: `add` takes how often each comes, and its count.

    The threads go on with the next cuts meanwhile. Raises what `count` raises, and then stops them all through
    `control`, as where nobody asks for the rest.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="count") as pool:
        results = [pool.map(partial(_counted, count, one.depth), one.boards) for one in cuts]
        try:
            for one, counts in zip(cuts, results, strict=True):
                yield add(zip(one.boards.values(), counts, strict=True))
        except BaseException:
            control.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _counted(count: Callable[[Board, int], T], depth: int, board: Board) -> T:
    return count(board, depth)
