"""How threads share a count: the tree is cut into parts, and whoever is idle takes the next one.

So a root with one large subtree keeps all threads busy as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ..kernels.board import Board
from ..kernels.machine.memory import Control
from .merging import Ply

T = TypeVar("T")

PARTS_A_THREAD = 32
"""So many positions at least keep threads busy to the end, though some trees are ten times as large as others."""
_FIRST, _LAST = 8, 128
"""The first part has an eighth of what one thread has to do, the last ones a 128th."""
_GUESSED_FROM = 3
"""Plies that are counted to guess how many leaf nodes a tree has."""


def is_larger(count: Callable[[Board, int], int], board: Board, depth: int, leaf_nodes: float) -> bool:
    """Guess whether a tree has more leaf nodes, as if each ply had as many moves as the second and third on average.

    The first one may have few, in check. Raises what `count` raises.
    """
    few = count(board, _GUESSED_FROM) if depth > _GUESSED_FROM else 0
    if few == 0:
        return False
    growth = math.log(few / count(board, 1)) / (_GUESSED_FROM - 1)
    return math.log(few) + growth * (depth - _GUESSED_FROM) > math.log(leaf_nodes)


def share_counts(
    plies: Sequence[Ply],
    threads: int,
    count: Callable[[Ply], T],
    add: Callable[[Iterable[T]], T],
    control: Control,
) -> Generator[T, None, None]:
    """Yield for each ply what is counted below its positions, for all games: `add` takes the counts of its parts.

    The threads go on with the next plies meanwhile. Raises what `count` raises, and then stops them all through
    `control`, as where nobody asks for the rest.
    """
    with ThreadPoolExecutor(threads, thread_name_prefix="count") as pool:
        counts = [pool.map(count, ply.cut_at(ends(len(ply), threads))) for ply in plies]
        try:
            yield from map(add, counts)
        except BaseException:
            control.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def ends(positions: int, threads: int) -> list[int]:
    """Return where the parts of so many positions end, the first of them at 0.

    Each has the same share of what is left, and so fewer than the one before: few parts, and all threads end together
    (guided self-scheduling: Polychronopoulos and Kuck, IEEE Transactions on Computers C-36, 1987).
    """
    ends, least = [0], max(1, positions // (_LAST * threads))
    while ends[-1] < positions:
        left = positions - ends[-1]
        ends.append(ends[-1] + min(left, max(least, left // (_FIRST * threads))))
    return ends
