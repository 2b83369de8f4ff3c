"""Perft and divide: the leaf nodes of the tree of legal moves, counted by our own kernels."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Literal, get_args

import numpy as np

from ..kernels.board import BOARD_WORDS, Board
from ..kernels.counting.each import count_each, count_each_by_list, count_each_by_two
from ..kernels.counting.list_perft import count_leaves_by_list
from ..kernels.counting.turbo import count_leaves
from ..kernels.counting.two_plies.kernel import count_leaves_by_two
from ..kernels.counting.two_plies.notes import NOTES
from ..kernels.counting.with_table import count_leaves_with_table
from ..kernels.encoding import MAX_MOVES
from ..kernels.machine.control import Control
from ..kernels.play import board_after
from ..kernels.tables import Backend, tables
from ..position import Position
from ..states import states_of
from ..types.frame import flip_move
from ..types.moves import Move
from .sharing import PARTS_A_THREAD, cut, is_larger, shared
from .table import Table

Kernel = Literal["list", "turbo", "two-plies"]
"""Which kernel counts: it lists moves, or counts target sets, or takes two plies at once."""


WORTH_SHARING = 3e8
"""Leaf nodes for which a second thread is worth its start, which takes a tenth of a second."""

MAX_DEPTH = 200
"""More plies than can be counted; each takes a buffer."""


class Stopped(Exception):
    """The count was stopped through its `Control` before it was complete."""


def move_buffers(plies: int) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    """Return memory for the moves of each ply."""
    return np.empty(plies * MAX_MOVES, dtype=np.uint16)


def check_depth(depth: int) -> None:
    """Raise ValueError for a depth out of range."""
    if not 0 <= operator.index(depth) <= MAX_DEPTH:
        raise ValueError(f"the depth must be from 0 to {MAX_DEPTH}, not {depth}")


def check_threads(threads: int) -> None:
    """Raise ValueError where there is no thread."""
    if operator.index(threads) < 1:
        raise ValueError(f"a count needs 1 thread or more, not {threads}")


def _check_kernel(kernel: Kernel, table: Table | None = None) -> None:
    if kernel not in get_args(Kernel):
        raise ValueError(f"unknown kernel {kernel!r}: choose from {', '.join(get_args(Kernel))}")
    if table is not None and kernel == "list":
        raise ValueError("the list kernel has no table")


def perft(
    position: Position,
    depth: int,
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
    threads: int = 1,
    table: Table | None = None,
) -> int:
    """Return the number of leaf nodes of the legal move tree to `depth` plies; 1 at depth 0.

    The call releases the GIL. Another thread may watch and stop it through `control`; it then
    raises Stopped. A count that takes long is shared by so many `threads`. With a `table`, positions that come again
    are counted once. Raises ValueError for a depth out of range, an unknown kernel, no thread, and the list kernel
    with a table.
    """
    check_depth(depth)
    _check_kernel(kernel, table)
    check_threads(threads)
    control = control or Control()
    count = partial(_count, kernel=kernel, backend=backend, control=control, table=table)
    if threads == 1 or not is_larger(count, position.board, depth, WORTH_SHARING):
        return count(position.board, depth)
    (nodes,) = shared([cut(position.board, depth, threads * PARTS_A_THREAD)], threads, count, _sum, control)
    return nodes


def _sum(pairs: Iterable[tuple[int, int]]) -> int:
    return sum(times * nodes for times, nodes in pairs)


def _count(
    board: Board, depth: int, kernel: Kernel, backend: Backend | None, control: Control, table: Table | None = None
) -> int:
    """Return the number of leaf nodes. Raises Stopped."""
    if depth == 0:
        return 1
    address, plies = control.address, np.uint64(depth)
    if table is not None:
        count = _count_with(table, board, plies, kernel, backend, address)
    elif kernel == "turbo":
        count = count_leaves(tables(backend), board, plies, address)
    else:
        moves, notes = move_buffers(depth), np.empty(NOTES, dtype=np.uint64)
        buffers, words = np.uint64(moves.ctypes.data), np.uint64(notes.ctypes.data)
        if kernel == "list":
            count = count_leaves_by_list(tables(backend), board, plies, address, buffers)
        else:
            with np.errstate(over="ignore"):  # sums are modulo 2**64, as plain Python as well
                count = count_leaves_by_two(tables(backend), board, plies, address, buffers, words)
    if control.stopped:
        raise Stopped
    return int(count)


def _count_with(
    table: Table, board: Board, plies: np.uint64, kernel: Kernel, backend: Backend | None, control: np.uint64
) -> np.uint64:
    """Return the number of leaf nodes; positions that come again are looked up in the table."""
    moves, notes = move_buffers(int(plies)), np.empty(NOTES, dtype=np.uint64)
    buffers, words = np.uint64(moves.ctypes.data), np.uint64(notes.ctypes.data if kernel == "two-plies" else 0)
    with np.errstate(over="ignore"):  # sums are modulo 2**64, as plain Python as well
        return count_leaves_with_table(
            tables(backend), board, plies, control, buffers, words, table.address, table.mask
        )


def perft_each(
    positions: Sequence[Position],
    depths: Sequence[Sequence[int]],
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
) -> list[list[int]]:
    """Return what `perft` returns for each position at each of its depths, in one call of compiled code.

    Raises as `perft` does, ValueError also for a depth of 0 and where not each position has its depths.
    """
    _check_kernel(kernel)
    numbers, plies = list(map(len, depths)), list(chain.from_iterable(depths))
    if len(positions) != len(numbers) or 0 in plies:
        raise ValueError("each position needs its depths, and each of them is at least 1")
    for depth in set(plies):
        check_depth(depth)
    control = control or Control()
    boards = np.repeat(states_of(positions)[:, :BOARD_WORDS], numbers, axis=0)
    deep, counts = np.array(plies, dtype=np.uint64), np.zeros(len(plies), dtype=np.uint64)
    moves, notes = move_buffers(max(plies, default=0)), np.empty(NOTES, dtype=np.uint64)
    words, limits, buffers, noted, found = (
        np.uint64(array.ctypes.data) for array in (boards, deep, moves, notes, counts)
    )
    number, address = np.uint64(len(plies)), control.address
    if kernel == "turbo":
        count_each(tables(backend), words, limits, number, address, found)
    elif kernel == "list":
        count_each_by_list(tables(backend), words, limits, number, address, buffers, found)
    else:
        with np.errstate(over="ignore"):  # as above
            count_each_by_two(tables(backend), words, limits, number, address, buffers, noted, found)
    if control.stopped:
        raise Stopped
    counted = iter(counts.tolist())
    return [list(islice(counted, number)) for number in numbers]


def divide(
    position: Position,
    depth: int,
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
    threads: int = 1,
    table: Table | None = None,
) -> dict[Move, int]:
    """Return for each legal move the number of leaf nodes below it, `depth` plies from the position.

    Raises as `perft` does, and ValueError for depth 0, where there are no moves.
    """
    return dict(
        root_counts(position, depth, kernel=kernel, backend=backend, control=control, threads=threads, table=table)
    )


def root_counts(
    position: Position,
    depth: int,
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
    threads: int = 1,
    table: Table | None = None,
) -> Iterator[tuple[Move, int]]:
    """Yield each legal move with the number of leaf nodes below it, as soon as that is known. Raises as `divide` does.

    The children are boards alone: to make a `Position` of each would take longer than a small count.
    """
    if depth < 1:
        raise ValueError(f"divide needs a depth of 1 or more, not {depth}")
    check_depth(depth)
    _check_kernel(kernel, table)
    check_threads(threads)
    control = control or Control()
    count = partial(_count, kernel=kernel, backend=backend, control=control, table=table)
    moves = position.legal_moves
    boards = (_after(position, move) for move in moves)
    if threads == 1 or not is_larger(count, position.board, depth, WORTH_SHARING):
        counts: Iterator[int] = (1 if depth == 1 else count(board, depth - 1) for board in boards)
    else:
        parts = threads * PARTS_A_THREAD // max(1, len(moves))
        counts = shared([cut(board, depth - 1, parts) for board in boards], threads, count, _sum, control)
    for move, nodes in zip(moves, counts, strict=True):
        if control.stopped:
            raise Stopped
        yield move, nodes


def _after(position: Position, move: Move) -> Board:
    return Board(*map(np.uint64, board_after(position.board, np.uint64(flip_move(move, position.turn)))))
