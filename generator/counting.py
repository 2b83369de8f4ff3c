"""Perft, divide and the statistics of leaf moves, by our own kernels."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Literal, get_args

import numpy as np

from .kernels.board import BOARD_WORDS, Board
from .kernels.counting.each import count_each, count_each_by_list, count_each_by_two
from .kernels.counting.list_perft import count_leaves_by_list
from .kernels.counting.stats import FIELDS, count_kinds
from .kernels.counting.turbo import count_leaves
from .kernels.counting.two_plies.kernel import count_leaves_by_two
from .kernels.counting.two_plies.notes import NOTES
from .kernels.encoding import MAX_MOVES
from .kernels.machine.control import Control
from .kernels.play import board_after
from .kernels.tables import Backend, tables
from .position import Position
from .states import states_of
from .types.frame import flip_move
from .types.moves import Move

Kernel = Literal["list", "turbo", "two-plies"]
"""Which kernel counts: it lists moves, or counts target sets, or takes two plies at once."""


MAX_DEPTH = 200
"""More plies than can be counted; each takes a buffer."""


class Stopped(Exception):
    """The count was stopped through its `Control` before it was complete."""


def _buffers(plies: int) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    return np.empty(plies * MAX_MOVES, dtype=np.uint16)


def _check_depth(depth: int) -> None:
    if not 0 <= operator.index(depth) <= MAX_DEPTH:
        raise ValueError(f"the depth must be from 0 to {MAX_DEPTH}, not {depth}")


def _check_kernel(kernel: Kernel) -> None:
    if kernel not in get_args(Kernel):
        raise ValueError(f"unknown kernel {kernel!r}: choose from {', '.join(get_args(Kernel))}")


def perft(
    position: Position,
    depth: int,
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
) -> int:
    """Return the number of leaf nodes of the legal move tree to `depth` plies; 1 at depth 0.

    The call releases the GIL. Another thread may watch and stop it through `control`; it then
    raises Stopped. Raises ValueError for a depth out of range and an unknown kernel.
    """
    _check_depth(depth)
    _check_kernel(kernel)
    return _count(position.board, depth, kernel, backend, control or Control())


def _count(board: Board, depth: int, kernel: Kernel, backend: Backend | None, control: Control) -> int:
    """Return the number of leaf nodes. Raises Stopped."""
    if depth == 0:
        return 1
    address, plies = control.address, np.uint64(depth)
    if kernel == "turbo":
        count = count_leaves(tables(backend), board, plies, address)
    else:
        moves, notes = _buffers(depth), np.empty(NOTES, dtype=np.uint64)
        buffers, words = np.uint64(moves.ctypes.data), np.uint64(notes.ctypes.data)
        if kernel == "list":
            count = count_leaves_by_list(tables(backend), board, plies, address, buffers)
        else:
            with np.errstate(over="ignore"):  # sums are modulo 2**64, as plain Python as well
                count = count_leaves_by_two(tables(backend), board, plies, address, buffers, words)
    if control.stopped:
        raise Stopped
    return int(count)


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
        _check_depth(depth)
    control = control or Control()
    boards = np.repeat(states_of(positions)[:, :BOARD_WORDS], numbers, axis=0)
    deep, counts = np.array(plies, dtype=np.uint64), np.zeros(len(plies), dtype=np.uint64)
    moves, notes = _buffers(max(plies, default=0)), np.empty(NOTES, dtype=np.uint64)
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
) -> dict[Move, int]:
    """Return for each legal move the number of leaf nodes below it, `depth` plies from the position.

    Raises as `perft` does, and ValueError for depth 0, where there are no moves.
    """
    return dict(root_counts(position, depth, kernel=kernel, backend=backend, control=control))


def root_counts(
    position: Position,
    depth: int,
    *,
    kernel: Kernel = "turbo",
    backend: Backend | None = None,
    control: Control | None = None,
) -> Iterator[tuple[Move, int]]:
    """Yield each legal move with the number of leaf nodes below it, as soon as that is known. Raises as `divide` does.

    The children are boards alone: to make a `Position` of each would take longer than a small count.
    """
    if depth < 1:
        raise ValueError(f"divide needs a depth of 1 or more, not {depth}")
    _check_depth(depth)
    _check_kernel(kernel)
    control = control or Control()
    for move in position.legal_moves:
        if control.stopped:
            raise Stopped
        yield move, 1 if depth == 1 else _count(_after(position, move), depth - 1, kernel, backend, control)


def _after(position: Position, move: Move) -> Board:
    return Board(*map(np.uint64, board_after(position.board, np.uint64(flip_move(move, position.turn)))))


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


def stats(position: Position, depth: int, *, backend: Backend | None = None, control: Control | None = None) -> Stats:
    """Return the statistics of the leaf moves at `depth`; at depth 0 there is one node and no move.

    Raises as `perft` does.
    """
    _check_depth(depth)
    counters = np.zeros(len(FIELDS), dtype=np.uint64)
    if depth == 0:
        counters[0] = 1
    else:
        control = control or Control()
        moves = _buffers(depth)
        count_kinds(
            tables(backend),
            position.board,
            np.uint64(depth),
            control.address,
            np.uint64(moves.ctypes.data),
            np.uint64(counters.ctypes.data),
        )
        if control.stopped:
            raise Stopped
    return Stats(*map(int, counters))
