"""A tree cut some plies below its root, where positions that equal each other are one, and how threads share it.

Whoever is idle takes the next part. So a root with one large subtree keeps all threads busy as well.
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

BYTES_A_MOVE = 8 * (BOARD_WORDS + 1) + 4 * 3
"""Memory for each move of a ply while the next one is made: a board, its games, and at most three slots."""

MOST_GAMES = 2.0**63
"""Games that lead to a ply: less than 64 bits hold, so that the sum need not be exact."""

LEAST_DEPTH = 3
"""Plies that are left below: to cut deeper takes as long as to count."""


@dataclass(frozen=True)
class Ply:
    """The positions of one ply. The board has all that decides which moves follow."""

    boards: NDArray[np.uint64]
    """A row of `BOARD_WORDS` words for each."""
    games: NDArray[np.uint64]
    """How many games lead to each."""
    depth: int
    """The plies below them."""

    @classmethod
    def of(cls, board: Board, depth: int) -> Ply:
        """Return the ply of a root."""
        return cls(np.array([board], dtype=np.uint64), np.ones(1, dtype=np.uint64), depth)

    def __len__(self) -> int:
        return len(self.games)

    def __iter__(self) -> Iterator[tuple[Board, int]]:
        """Yield each board, and how many games lead there."""
        for words, games in zip(self.boards, self.games.tolist(), strict=True):
            yield Board(*words), games

    @property
    def addresses(self) -> tuple[np.uint64, np.uint64]:
        """Addresses of the boards and of the numbers of games; valid as long as this object lives."""
        return address_of(self.boards), address_of(self.games)

    @property
    def moves(self) -> int:
        """How many legal moves the positions have together."""
        return int(count_moves(tables(None), address_of(self.boards), np.uint64(len(self))))

    @property
    def can_grow(self) -> bool:
        """Whether 64 bits hold the games that lead to the positions of the next ply."""
        return float(self.games.sum(dtype=np.float64)) * MAX_MOVES < MOST_GAMES

    def below(self, control: Control) -> Ply:
        """Return the next ply; a part of it where the control asks to stop."""
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
        """Return the ply in so many parts of about the same number of positions, fewer where there are too few."""
        return self.cut_at(np.linspace(0, len(self), min(number, len(self)) + 1, dtype=np.int64).tolist())

    def cut_at(self, ends: Sequence[int]) -> list[Ply]:
        """Return the parts between each of these places and the next, from 0 to the number of positions."""
        return [Ply(self.boards[first:last], self.games[first:last], self.depth) for first, last in pairwise(ends)]


def cut(board: Board, depth: int, parts: int, control: Control) -> Ply:
    """Cut a tree where it has so many positions, unless too few plies are left below them."""
    ply = Ply.of(board, depth)
    while 0 < len(ply) < parts and ply.depth > LEAST_DEPTH and ply.can_grow:
        ply = ply.below(control)
    return ply


def cut_within(board: Board, depth: int, size: int, control: Control) -> Ply:
    """Cut a tree as deep as so many bytes allow, unless too few plies are left below its positions."""
    ply = Ply.of(board, depth)
    while len(ply) and ply.depth > LEAST_DEPTH and ply.can_grow and ply.moves * BYTES_A_MOVE <= size:
        ply = ply.below(control)
    return ply


PARTS_A_THREAD = 32
"""So many positions at least keep threads busy to the end, though some trees are ten times as large as others."""
_FIRST, _LAST = 8, 128
"""The first part has an eighth of what one thread has to do, the last ones a 128th."""
_GUESSED_FROM = 3
"""Plies that are counted to guess how many leaf nodes a tree has."""


def is_larger(count: Callable[[Board, int], int], board: Board, depth: int, leaf_nodes: float) -> bool:
    """Guess whether a tree has more leaf nodes, as if each ply had as many moves as the second and third on average.

    The first one may have few, in check. A tree of three plies or fewer is not larger, nor one whose game has ended by
    then. Raises what `count` raises.
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
