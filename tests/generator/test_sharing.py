"""Counts that threads share: the parts of a tree, and the same counts as of one thread."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import oracle
from helpers.each import check_each
from helpers.oracle import Known
from perft_check.generator import Position, divide, perft, stats
from perft_check.generator.counting import kinds, leaves
from perft_check.generator.counting.leaves import Kernel, Stopped, root_counts
from perft_check.generator.counting.sharing import Cut, children, cut, is_larger, shared
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.machine.control import Control

START = Position.start()
LOPSIDED = "k7/8/8/8/8/8/6pp/3qrnbK w - - 0 1"
"""The king, in check, has one move."""
LARGEST = 300_000
CROWDED = Position.from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
"""218 moves."""
MATE = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")


@pytest.fixture
def everything_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (leaves, kinds):
        monkeypatch.setattr(module, "WORTH_SHARING", 0.5)


def deep_counts() -> list[tuple[Known, int, int]]:
    return [
        (known, depth, count)
        for known in oracle.known_positions()
        for depth, count in enumerate(known.counts, start=1)
        if depth >= 4 and count <= LARGEST
    ]


@pytest.mark.usefixtures("everything_is_shared")
@pytest.mark.parametrize("kernel", ["list", "turbo", "two-plies"])
def test_shared_counts(kernel: Kernel) -> None:
    def check(case: tuple[Known, int, int]) -> None:
        known, depth, count = case
        for threads in (2, 3):
            assert perft(known.position(), depth, kernel=kernel, threads=threads) == count

    check_each(check, deep_counts(), lambda case: f"{case[0].name} depth {case[1]}")


@pytest.mark.usefixtures("everything_is_shared")
def test_shared_divides_have_the_moves_in_their_order() -> None:
    def check(case: tuple[Known, int, int]) -> None:
        known, depth, count = case
        alone = list(root_counts(known.position(), depth))
        assert list(root_counts(known.position(), depth, threads=3)) == alone
        assert sum(nodes for _, nodes in alone) == count
        assert divide(known.position(), depth, threads=2) == dict(alone)

    check_each(check, deep_counts()[::4], lambda case: f"{case[0].name} depth {case[1]}")


@pytest.mark.usefixtures("everything_is_shared")
def test_shared_kinds_of_moves() -> None:
    def check(case: tuple[Known, int, int]) -> None:
        known, depth, _ = case
        assert stats(known.position(), depth, threads=3) == stats(known.position(), depth)

    check_each(check, deep_counts()[::4], lambda case: f"{case[0].name} depth {case[1]}")


def test_a_cut_has_every_position_of_its_ply_once() -> None:
    plies = cut(START.board, 6, 1_000)
    assert (plies.depth, len(plies.boards)) == (3, 5_362)  # 8,902 games; python-chess counts as many positions
    assert sum(plies.boards.values()) == perft(START, 3)


def test_a_cut_leaves_enough_below() -> None:
    assert cut(START.board, 4, 1_000).depth == 3
    assert cut(START.board, 3, 1_000) == Cut({START.board: 1}, 3)
    assert cut(MATE.board, 9, 64) == Cut({}, 8)


def test_a_root_with_one_move_is_cut_below_it() -> None:
    root = Position.from_fen(LOPSIDED)
    plies = cut(root.board, 9, 64)
    assert len(list(children(root.board))) == 1
    assert len(plies.boards) >= 64


def test_only_large_counts_are_shared() -> None:
    def count(board: Board, depth: int) -> int:
        return {START.board: perft(START, depth), CROWDED.board: perft(CROWDED, depth), MATE.board: 0}[board]

    for depth, expected in ((3, False), (6, False), (7, True), (200, True)):
        assert is_larger(count, START.board, depth, 3e8) is expected
    assert is_larger(count, CROWDED.board, 200, 3e8)
    assert not is_larger(count, MATE.board, 200, 3e8)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_thread(threads: int) -> None:
    for count in (perft, divide, stats):
        with pytest.raises(ValueError, match=f"^a count needs 1 thread or more, not {threads}$"):
            count(START, 2, threads=threads)


def counting_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("count_")]


def test_all_threads_stop() -> None:
    control = Control()
    with ThreadPoolExecutor(1) as pool:
        count = pool.submit(perft, START, 12, threads=3, control=control)
        while len(counting_threads()) < 3:
            assert not count.done()
        control.stop()
        with pytest.raises(Stopped):
            count.result()
    assert counting_threads() == []


def test_a_divide_that_nobody_reads_on_ends() -> None:
    control = Control()
    counts = root_counts(START, 7, threads=2, control=control)
    assert next(counts)[1] == 106_743_106  # a2a3, says Stockfish
    assert counting_threads()
    counts.close()  # type: ignore[attr-defined]
    assert control.stopped
    assert counting_threads() == []


def test_a_failure_in_one_thread_stops_the_others() -> None:
    control, other = Control(), START.play(START.legal_moves[0])

    def failing(board: Board, depth: int) -> int:
        if board == START.board:
            raise MemoryError
        return perft(other, depth, control=control)

    with pytest.raises(MemoryError):
        list(shared([Cut({START.board: 1, other.board: 1}, 12)], 2, failing, lambda pairs: sum(dict(pairs)), control))
    assert control.stopped
    assert counting_threads() == []
