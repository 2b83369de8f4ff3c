"""Perft, divide, and statistics of leaf moves (captures, checks, mates ...), counted by perft-check's kernels."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from ..kernels.board import Board
from ..kernels.counting.list_perft import COUNTERS, count_kinds
from ..kernels.machine.memory import Control
from ..kernels.play import board_after
from ..kernels.tables import Backend, tables
from ..position import Position
from ..types.frame import flip_move
from ..types.moves import Move
from .counter import Counter, Kernel, ScratchMemory, Stopped, Table
from .plies import PARTS_PER_THREAD, Ply, cut, is_larger, share_counts

MAX_DEPTH = 200
"""Maximum depth. It is more than can ever be counted, but must be limited because each ply needs a buffer."""


def check_depth(depth: int) -> None:
    """Raise ValueError if the depth is out of range."""
    if not 0 <= operator.index(depth) <= MAX_DEPTH:
        raise ValueError(f"the depth must be from 0 to {MAX_DEPTH}, not {depth}")


def check_threads(threads: int) -> None:
    """Raise ValueError if the number of threads is less than 1."""
    if operator.index(threads) < 1:
        raise ValueError(f"a count needs 1 thread or more, not {threads}")


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
    """Return the number of leaf nodes of the legal move tree at `depth` plies; 1 at depth 0.

    The GIL is released while kernels run, so that another thread can monitor the count or stop it through `control`; a
    stopped count raises Stopped. Large counts are distributed over `threads` threads. With a `table`, recurring
    positions are counted only once.

    Raises ValueError if the depth is out of range, the kernel is unknown, `threads` is less than 1, or the list kernel
    is combined with a table.
    """
    check_depth(depth)
    check_threads(threads)
    counter = Counter(kernel, backend, control or Control(), table)
    if not counter.is_worth_cutting(position.board, depth, threads):
        return counter.count(position.board, depth)
    (nodes,) = counter.count_cut([position.board], depth, threads)
    return nodes


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
    """Return the number of leaf nodes below each legal move, `depth` plies from the position.

    Raises the errors of `perft`, and ValueError for depth 0, at which there are no moves.
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
    """Yield each legal move and its number of leaf nodes as soon as it is known. Raises the errors of `divide`.

    The children are kernel boards, because creating a `Position` for each takes longer than a small count.
    """
    if depth < 1:
        raise ValueError(f"divide needs a depth of 1 or more, not {depth}")
    check_depth(depth)
    check_threads(threads)
    counter = Counter(kernel, backend, control or Control(), table)
    moves = position.legal_moves
    boards = [_after(position, move) for move in moves]
    if not counter.is_worth_cutting(position.board, depth, threads):
        counts: Iterator[int] = (1 if depth == 1 else counter.count(board, depth - 1) for board in boards)
    else:
        counts = counter.count_cut(boards, depth - 1, threads)
    for move, nodes in zip(moves, counts, strict=True):
        if counter.control.stopped:
            raise Stopped
        yield move, nodes


def _after(position: Position, move: Move) -> Board:
    return Board(*map(np.uint64, board_after(position.board, np.uint64(flip_move(move, position.turn)))))


WORTH_CUTTING = 1e7
"""Minimum number of leaf nodes for which a second thread speeds up the statistics."""


@dataclass(frozen=True)
class Stats:
    """Number of leaf moves of each kind.

    A check is *double* if two pieces give it, and *discovered* if it is given by a single piece that has not moved
    (castling moves both king and rook). A double check is not counted as discovered. Mates are also counted as checks.
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
    """Return the statistics of the leaf moves at `depth`; depth 0 has one node and no moves.

    Raises the errors of `perft`.
    """
    check_depth(depth)
    check_threads(threads)
    control = control or Control()
    count = partial(_counters, backend=backend, control=control)
    if threads == 1 or not is_larger(lambda *words: count(*words)[0], position.board, depth, WORTH_CUTTING):
        return Stats(*count(position.board, depth))

    def count_ply(ply: Ply) -> list[int]:
        return _sum([games * number for number in count(board, ply.depth)] for board, games in ply)

    (numbers,) = share_counts(
        [cut(position.board, depth, threads * PARTS_PER_THREAD, control)], threads, count_ply, _sum, control
    )
    if control.stopped:  # possibly while the tree was being cut
        raise Stopped
    return Stats(*numbers)


def _sum(numbers: Iterable[list[int]]) -> list[int]:
    return [sum(column) for column in zip([0] * COUNTERS, *numbers, strict=True)]


def _counters(board: Board, depth: int, backend: Backend | None, control: Control) -> list[int]:
    """Return the values of the `Stats` fields in order. Raises Stopped."""
    counters = np.zeros(COUNTERS, dtype=np.uint64)
    if depth == 0:
        counters[0] = 1
        return list(map(int, counters))
    memory, found = ScratchMemory(depth), np.uint64(counters.ctypes.data)
    count_kinds(tables(backend), board, np.uint64(depth), control.address, memory.moves, found)
    if control.stopped:
        raise Stopped
    return list(map(int, counters))
