"""Counting leaf nodes with a given kernel, slider back-end and hash table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from operator import mul
from typing import Literal, get_args
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...platforms.memory import available_bytes
from ..kernels.board import Board
from ..kernels.counting.list_perft import count_leaves_by_list
from ..kernels.counting.many import (
    count_each,
    count_each_by_list,
    count_each_by_two,
    count_merged,
    count_moves,
    merge_children,
)
from ..kernels.counting.table import (
    ABSENT,
    BUCKET_BYTES,
    KEYS_BUFFERS,
    TOO_LARGE,
    Buckets,
    count_leaves_with_table,
    keep_count,
    known_count,
)
from ..kernels.counting.two_plies.kernel import count_leaves_by_two
from ..kernels.counting.two_plies.position import NOTES
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.bits import ZERO
from ..kernels.machine.jit import Specialization, specializations_of
from ..kernels.machine.memory import Control, large_pages
from ..kernels.tables import Backend, tables
from .plies import PARTS_PER_THREAD, Ply, cut, cut_within, is_larger, share_counts

MIN_BYTES = 1 << 20
_tables: WeakSet[Table] = WeakSet()


class Table:
    """A table of counts of recurring positions; its size is `size` bytes rounded down to a power of two.

    A table can be used for any positions and depths, and by several counts at the same time. Raises UsageError if the
    machine has too little memory.
    """

    def __init__(self, size: int) -> None:
        self.size = 1 << size.bit_length() - 1
        """Size in bytes."""
        self._asked = size
        self._check()
        try:
            self._memory = large_pages(self.size)
        except (OSError, ValueError, OverflowError):
            raise UsageError(self._too_large()) from None
        self._words = np.frombuffer(self._memory, dtype=np.uint64)
        _tables.add(self)

    @property
    def buckets(self) -> Buckets:
        """The memory, as passed to kernels; valid during the lifetime of this object."""
        return Buckets(np.uint64(self._words.ctypes.data), np.uint64(self.size // BUCKET_BYTES - 1))

    def clear(self) -> None:
        """Remove all counts. This is never necessary for correctness; it is intended for measurements."""
        self._words.fill(0)

    @property
    def cutting_bytes(self) -> int:
        """Bytes that may be used, in addition to the table, for the first plies of a tree."""
        return self.size // 2

    def _check(self) -> None:
        """Raise UsageError before memory is allocated, because a system may allocate more memory than it has."""
        if self.size < MIN_BYTES:
            raise UsageError(f"a table has {MIN_BYTES >> 20} MiB or more")
        free = available_bytes()
        taken = sum(table.size for table in _tables)  # the system counts memory only once it is written to
        if self.size + self.cutting_bytes + taken > free:
            raise UsageError(f"{self._too_large()}: only {max(0, free - taken) >> 20:,} MiB are free")

    def _too_large(self) -> str:
        rounded = f" ({self._asked >> 20:,} rounded down to a power of two)" * (self._asked != self.size)
        table = f"a hash table of {self.size >> 20:,} MiB{rounded}"
        return f"not enough memory for {table} and up to {self.cutting_bytes >> 20:,} MiB of working memory"


Kernel = Literal["list", "turbo", "two-plies"]
"""The counting kernel: by move lists, by target sets, or two plies at once."""

KERNELS = get_args(Kernel)

COUNTING = {"list": count_leaves_by_list, "turbo": count_leaves, "two-plies": count_leaves_by_two}
COUNTING_MANY = {"list": count_each_by_list, "turbo": count_each, "two-plies": count_each_by_two}
WORTH_CUTTING = 3e8
"""Minimum number of leaf nodes that justifies starting threads or merging equal positions, which takes about 0.1 s."""


class Stopped(Exception):
    """The count was stopped through its `Control` before it was complete."""


class ScratchMemory:
    """Scratch memory for a count to a given depth."""

    def __init__(self, plies: int) -> None:
        self._moves = np.empty((plies + KEYS_BUFFERS) * MAX_MOVES, dtype=np.uint16)
        self._notes = np.empty(NOTES, dtype=np.uint64)

    @property
    def moves(self) -> np.uint64:
        """Address of one move buffer per ply, followed by space for keys; valid during the lifetime of this object."""
        return np.uint64(self._moves.ctypes.data)

    @property
    def notes(self) -> np.uint64:
        """Address of `NOTES` uint64 values; valid during the lifetime of this object."""
        return np.uint64(self._notes.ctypes.data)


@dataclass(frozen=True)
class Counter:
    """Counts leaf nodes with one kernel, back-end and hash table.

    Raises ValueError if the kernel is unknown, or if the list kernel is combined with a table.
    """

    kernel: Kernel
    backend: Backend | None
    control: Control = field(default_factory=Control)
    table: Table | None = None

    def __post_init__(self) -> None:
        if self.kernel not in KERNELS:
            raise ValueError(f"unknown kernel {self.kernel!r}: choose from {', '.join(KERNELS)}")
        if self.table is not None and self.kernel == "list":
            raise ValueError("the list kernel has no table")

    def count(self, board: Board, depth: int) -> int:
        """Return the number of leaf nodes below a board. Raises Stopped."""
        if depth == 0:
            return 1
        plies = np.uint64(depth)
        if self.kernel == "turbo" and self.table is None:
            return self._complete(count_leaves(tables(self.backend), board, plies, self.control.address, ZERO))
        count = self._complete(self._count(board, plies, ScratchMemory(depth)))
        return count if self.table is None or count != TOO_LARGE else self._count_large([(board, 1)], depth)

    def specializations(self, *, large: bool) -> list[Specialization]:
        """Return the kernels that a count needs; `large` adds those that split a tree between threads."""
        one: Callable[..., object] = COUNTING[self.kernel] if self.table is None else count_leaves_with_table
        using = [type(tables(self.backend))]
        if not large:
            return specializations_of(using, one)
        if self.table is not None:
            return specializations_of(using, one, count_merged, count_moves, merge_children, known_count, keep_count)
        return specializations_of(using, one, COUNTING_MANY[self.kernel], count_moves, merge_children)

    def count_ply(self, ply: Ply) -> int:
        """Return the number of leaf nodes below a ply, with each position weighted by its games. Raises Stopped."""
        if self.table is None:
            depths = np.full(len(ply), ply.depth, dtype=np.uint64)
            counts = self.count_each(ply.boards, depths) if ply.depth else [1] * len(ply)
            return sum(map(mul, ply.games.tolist(), counts))
        memory = ScratchMemory(ply.depth)
        count = self._complete(
            count_merged(
                tables(self.backend),
                *ply.addresses,
                np.uint64(len(ply)),
                np.uint64(ply.depth),
                self.control.address,
                memory.moves,
                self._notes(memory),
                self.table.buckets,
            )
        )
        return count if count != TOO_LARGE else self._count_large(list(ply), ply.depth)

    def _count_large(self, boards: list[tuple[Board, int]], depth: int) -> int:
        """Return a count that exceeds 64 bits: the leaf nodes below each board times its number of games.

        If the count of a single board exceeds 64 bits, its children are counted instead, with equal children counted
        only once. Raises Stopped.
        """
        total = 0
        while boards:
            below: dict[Board, int] = {}
            memory = ScratchMemory(depth)
            for board, games in boards:
                count = self._complete(self._count(board, np.uint64(depth), memory))
                if count != TOO_LARGE:
                    total += games * count
                    continue
                for child, more in Ply.of(board, depth).below(self.control):
                    below[child] = below.get(child, 0) + games * more
            boards, depth = list(below.items()), depth - 1
        return total

    def count_each(self, boards: NDArray[np.uint64], depths: NDArray[np.uint64]) -> list[int]:
        """Return the number of leaf nodes below each board.

        `boards` has one row of `BOARD_WORDS` values per board; each of `depths` is at least 1. Raises Stopped.
        """
        found, memory = np.zeros(len(depths), dtype=np.uint64), ScratchMemory(int(max(depths, default=0)))
        words, limits, counts = (np.uint64(array.ctypes.data) for array in (boards, depths, found))
        before = tables(self.backend), words, limits, np.uint64(len(depths)), self.control.address
        notes = {"turbo": ZERO, "list": memory.moves, "two-plies": memory.notes}[self.kernel]
        COUNTING_MANY[self.kernel](*before, notes, counts)
        if self.control.stopped:
            raise Stopped
        return found.tolist()

    def is_worth_cutting(self, board: Board, depth: int, threads: int) -> bool:
        """Return True if a tree is large enough to be cut, and there are several threads or a table.

        Raises Stopped.
        """
        return (threads > 1 or self.table is not None) and is_larger(self.count, board, depth, WORTH_CUTTING)

    def count_cut(self, boards: Sequence[Board], depth: int, threads: int) -> Iterator[int]:
        """Yield the number of leaf nodes below each board, dividing each tree between threads. Raises Stopped.

        A tree is cut into enough parts for all threads or, if there is a table, as deep as its memory allows.
        """
        known = [self._look_up(board, depth) for board in boards]
        left = [board for board, count in zip(boards, known, strict=True) if count is None]
        plies = [self._cut(board, depth, threads, len(left)) for board in left]
        counts = share_counts(plies, threads, self.count_ply, _sum, self.control)
        with closing(counts):
            for board, count in zip(boards, known, strict=True):
                yield self._keep(board, depth, next(counts)) if count is None else count

    def _cut(self, board: Board, depth: int, threads: int, share: int) -> Ply:
        if self.table is None:
            return cut(board, depth, max(1, threads * PARTS_PER_THREAD // share), self.control)
        return cut_within(board, depth, self.table.cutting_bytes // share, self.control)

    def _look_up(self, board: Board, depth: int) -> int | None:
        if self.table is None:
            return None
        found = known_count(board, np.uint64(depth), self.table.buckets)
        return None if found == ABSENT else int(found)

    def _keep(self, board: Board, depth: int, count: int) -> int:
        """Store the count of a complete tree in the table, if any, and return it. Raises Stopped."""
        if self.control.stopped:  # a count stopped while the tree was being cut is incomplete
            raise Stopped
        if self.table is not None and count < TOO_LARGE:
            keep_count(board, np.uint64(depth), np.uint64(count), self.table.buckets)
        return count

    def _count(self, board: Board, plies: np.uint64, memory: ScratchMemory) -> np.uint64:
        """Count with the selected kernel."""
        using, control = tables(self.backend), self.control.address
        if self.table is not None:
            notes, buckets = self._notes(memory), self.table.buckets
            return count_leaves_with_table(using, board, plies, control, memory.moves, notes, buckets)
        if self.kernel == "list":
            return count_leaves_by_list(using, board, plies, control, memory.moves)
        if self.kernel == "turbo":
            return count_leaves(using, board, plies, control, ZERO)
        return count_leaves_by_two(using, board, plies, control, memory.notes)

    def _notes(self, memory: ScratchMemory) -> np.uint64:
        """Return the argument that selects the kernel for the last plies of a count with a table."""
        return memory.notes if self.kernel == "two-plies" else ZERO

    def _complete(self, count: np.uint64) -> int:
        if self.control.stopped:
            raise Stopped
        return int(count)


def _sum(counts: Iterable[int]) -> int:
    return sum(counts)
