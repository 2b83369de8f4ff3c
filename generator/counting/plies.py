"""Cutting a tree below its root, merging equal positions, and distributing the parts over threads.

Idle threads take the next part, so that all threads stay busy even if one root move has most of the tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..kernels.board import BOARD_WORDS, Board
from ..kernels.counting.many import count_moves, merge_children
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.memory import Control, address_of
from ..kernels.tables import tables

T = TypeVar("T")

BYTES_PER_MOVE = 8 * (BOARD_WORDS + 1) + 4 * 3
"""Memory needed per move to create the next ply: a board, its number of games, and at most three hash slots."""

MAX_GAMES = 2.0**63
"""Maximum number of games that lead to a ply; below 2**64, because the sum is computed in floating point."""

MIN_DEPTH = 3
"""Minimum number of plies below a cut; cutting deeper takes as long as counting."""


@dataclass(frozen=True)
class Ply:
    """The distinct positions of one ply, as boards, which determine all moves that follow."""

    boards: NDArray[np.uint64]
    """One row of `BOARD_WORDS` values per position."""
    games: NDArray[np.uint64]
    """The number of games that lead to each position."""
    depth: int
    """Remaining plies below the positions."""

    @classmethod
    def of(cls, board: Board, depth: int) -> Ply:
        """Return the ply that consists of a root position."""
        return cls(np.array([board], dtype=np.uint64), np.ones(1, dtype=np.uint64), depth)

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[tuple[Board, int]]:
        """Yield each board with the number of games that lead to it."""
        for words, games in zip(self.boards, self.games.tolist(), strict=True):
            yield Board(*words), games

    @property
    def addresses(self) -> tuple[np.uint64, np.uint64]:
        """Addresses of the boards and of the numbers of games; valid during the lifetime of this object."""
        return address_of(self.boards), address_of(self.games)

    @property
    def moves(self) -> int:
        """Total number of legal moves in the positions."""
        return int(count_moves(tables(None), address_of(self.boards), np.uint64(len(self))))

    @property
    def can_grow(self) -> bool:
        """Whether the number of games at the next ply fits into 64 bits."""
        return float(self.games.sum(dtype=np.float64)) * MAX_MOVES < MAX_GAMES

    def below(self, control: Control) -> Ply:
        """Return the next ply, which is incomplete if `control` requests a stop."""
        most = self.moves
        slots = np.zeros(1 << (3 * most // 2).bit_length(), dtype=np.uint32)
        boards, games = np.empty((most, BOARD_WORDS), dtype=np.uint64), np.empty(most, dtype=np.uint64)
        buffer = np.empty(MAX_MOVES, dtype=np.uint16)
        number = merge_children(
            tables(None),
            *self.addresses,
            np.uint64(len(self)),
            np.uint64(buffer.ctypes.data),
            np.uint64(slots.ctypes.data),
            np.uint64(len(slots) - 1),
            address_of(boards),
            address_of(games),
            control.address,
        )
        return Ply(boards[: int(number)], games[: int(number)], self.depth - 1)

    def parts(self, number: int) -> list[Ply]:
        """Divide the ply into `number` parts of about equal size, or fewer if there are fewer positions."""
        return self.cut_at(np.linspace(0, len(self), min(number, len(self)) + 1, dtype=np.int64).tolist())

    def cut_at(self, ends: Sequence[int]) -> list[Ply]:
        """Return the parts between consecutive indices of `ends`, which run from 0 to the number of positions."""
        return [Ply(self.boards[first:last], self.games[first:last], self.depth) for first, last in pairwise(ends)]


def cut(board: Board, depth: int, parts: int, control: Control) -> Ply:
    """Cut a tree at the first ply with at least `parts` positions, or with only `MIN_DEPTH` plies below it."""
    ply = Ply.of(board, depth)
    while 0 < len(ply) < parts and ply.depth > MIN_DEPTH and ply.can_grow:
        ply = ply.below(control)
    return ply


def cut_within(board: Board, depth: int, size: int, control: Control) -> Ply:
    """Cut a tree as deep as `size` bytes of memory allow, leaving at least `MIN_DEPTH` plies below the cut."""
    ply = Ply.of(board, depth)
    while len(ply) and ply.depth > MIN_DEPTH and ply.can_grow and ply.moves * BYTES_PER_MOVE <= size:
        ply = ply.below(control)
    return ply


PARTS_PER_THREAD = 32
"""Positions per thread needed to keep all threads busy, even if some trees are ten times as large as others."""
_FIRST, _LAST = 8, 128
"""The first part is 1/8, and the last parts are 1/128, of the number of positions per thread."""
_GUESSED_FROM = 3
"""Number of plies counted to estimate the number of leaf nodes."""


def is_larger(count: Callable[[Board, int], int], board: Board, depth: int, leaf_nodes: float) -> bool:
    """Estimate whether a tree has more than `leaf_nodes` leaf nodes.

    The estimate extrapolates the average growth over the second and third plies, because the first ply has few moves if
    the root is in check. The result is False for trees of at most three plies and for trees in which all games end
    within three plies. Exceptions of `count` are propagated.
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
    """Yield the total of each ply, counted in threads; `add` sums the counts of the parts of a ply.

    The threads continue with later plies in the background. If `count` raises an exception or the generator is closed,
    all threads are stopped through `control`.
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
    """Return the indices of the boundaries between the parts of a ply, from 0 to `positions`.

    Each part is a fixed fraction of the remaining positions. As a result, there are few parts, and all threads finish
    at about the same time (guided self-scheduling: Polychronopoulos and Kuck, IEEE Transactions on Computers C-36,
    1987).
    """
    ends, least = [0], max(1, positions // (_LAST * threads))
    while ends[-1] < positions:
        left = positions - ends[-1]
        ends.append(ends[-1] + min(left, max(least, left // (_FIRST * threads))))
    return ends
