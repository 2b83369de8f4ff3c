"""Counts that are divided among threads: the parts of a tree, and agreement with the counts of one thread."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from helpers import oracle
from helpers.each import check_each
from helpers.oracle import Known, KnownCount
from perft_check.generator import Position, divide, perft, stats
from perft_check.generator.counting import counter
from perft_check.generator.counting import perft as perft_module
from perft_check.generator.counting.counter import Kernel, Stopped, Table
from perft_check.generator.counting.perft import root_counts
from perft_check.generator.counting.plies import BYTES_PER_MOVE, Ply, cut, cut_within, ends, is_larger, share_counts
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.machine.memory import Control

START = Position.start()
LOPSIDED = "k7/8/8/8/8/8/6pp/3qrnbK w - - 0 1"
"""A position with a king in check that has only one move."""
DEEP = oracle.known_counts(300_000, least_depth=4)
CROWDED = Position.from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
"""A position with 218 moves."""
MATE = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
IN_CHECK = Position.from_fen("2bq1bnr/1ppkp3/B1np1ppp/2N5/p4rP1/N3P2P/PPPP4/R1BQK2R b KQ - 1 14")
"""A position with two moves, each of which has thirty replies."""


@pytest.fixture
def everything_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (counter, perft_module):
        monkeypatch.setattr(module, "WORTH_CUTTING", 0.5)


@pytest.mark.slow
@pytest.mark.usefixtures("everything_is_shared")
@pytest.mark.parametrize("kernel", ["list", "turbo", "two-plies"])
def test_shared_counts(kernel: Kernel) -> None:
    def check(case: KnownCount) -> None:
        known, depth, count = case
        for threads in (2, 3):
            assert perft(known.position(), depth, kernel=kernel, threads=threads) == count

    check_each(check, DEEP)


@pytest.mark.usefixtures("everything_is_shared")
def test_shared_divides_keep_the_order_of_the_moves() -> None:
    def check(case: KnownCount) -> None:
        known, depth, count = case
        alone = list(root_counts(known.position(), depth))
        assert list(root_counts(known.position(), depth, threads=3)) == alone
        assert sum(nodes for _, nodes in alone) == count
        assert divide(known.position(), depth, threads=2) == dict(alone)

    check_each(check, DEEP[::4])


@pytest.mark.usefixtures("everything_is_shared")
def test_shared_stats() -> None:
    def check(case: KnownCount) -> None:
        known, depth, _ = case
        assert stats(known.position(), depth, threads=3) == stats(known.position(), depth)

    check_each(check, DEEP[::4])


def merged(position: Position, plies: int) -> dict[Board, int]:
    """Return the positions some plies below with the number of games that lead to each, found game by game."""
    boards = Counter([position])
    for _ in range(plies):
        boards = sum(
            (Counter({one.play(move): games for move in one.legal_moves}) for one, games in boards.items()), Counter()
        )
    found: Counter[Board] = Counter()
    for one, games in boards.items():
        found[one.board] += games
    return found


def test_equal_positions_of_a_ply_are_merged() -> None:
    def check(known: Known) -> None:
        ply = Ply.of(known.position().board, 5)
        for plies in (1, 2):
            assert ply.moves == known.counts[plies - 1]
            ply = ply.below(Control())
            assert ply.depth == 5 - plies
            assert len(ply) == len(dict(ply))
            assert dict(ply) == merged(known.position(), plies)

    known = [one for one in oracle.known_positions() if len(one.counts) > 1 and one.counts[1] < 1_000]
    check_each(check, known, lambda known: known.name)


def test_a_cut_contains_every_position_of_its_ply_once() -> None:
    ply = cut(START.board, 6, 1_000, Control())
    assert (ply.depth, len(ply)) == (3, 5_362)  # 8,902 games; python-chess counts as many positions
    assert sum(games for _, games in ply) == perft(START, 3)
    size = ply.moves * BYTES_PER_MOVE
    within = cut_within(START.board, 9, size, Control())
    assert (within.depth, len(within)) == (5, 72_078)  # as in A083276 of the encyclopedia of integer sequences
    assert cut_within(START.board, 9, size - 1, Control()).depth == 6


def test_a_cut_leaves_enough_plies() -> None:
    assert cut(START.board, 4, 1_000, Control()).depth == 3
    assert list(cut(START.board, 3, 1_000, Control())) == list(cut_within(START.board, 3, 1 << 30, Control()))
    assert list(cut(START.board, 3, 1_000, Control())) == [(START.board, 1)]
    for ply in (cut(MATE.board, 9, 64, Control()), cut_within(MATE.board, 9, 1 << 30, Control())):
        assert (len(ply), ply.depth) == (0, 8)


def test_parts_of_a_ply_have_equal_sizes() -> None:
    ply = cut(START.board, 6, 1_000, Control())
    for number in (1, 7, 64, 5_362, 10_000):
        parts = ply.parts(number)
        assert len(parts) == min(number, 5_362)
        assert [one for part in parts for one in part] == list(ply)
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_parts_get_smaller_so_that_threads_finish_together() -> None:
    assert ends(0, 2) == [0]
    assert ends(1, 2) == [0, 1]
    assert ends(20, 2) == list(range(21))
    for positions, threads in ((64, 2), (400, 2), (1_773, 3), (1_000_000, 16), (10**12, 1)):
        places = ends(positions, threads)
        sizes = [last - first for first, last in pairwise(places)]
        assert (places[0], places[-1]) == (0, positions)
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == max(1, positions // (8 * threads))
        assert sizes[-1] <= max(1, positions // (128 * threads))
        assert len(sizes) <= 48 * threads


def test_a_cut_can_be_stopped() -> None:
    control = Control()
    control.stop()
    assert len(cut_within(START.board, 9, 1 << 30, control)) == 0


@pytest.mark.usefixtures("everything_is_shared")
@pytest.mark.parametrize("table", [None, Table(1 << 20)])
def test_a_count_can_be_stopped_while_its_tree_is_cut(table: Table | None, monkeypatch: pytest.MonkeyPatch) -> None:
    below, control = Ply.below, Control()

    def stopped(ply: Ply, control: Control) -> Ply:
        control.stop()
        return below(ply, control)

    monkeypatch.setattr(Ply, "below", stopped)
    with pytest.raises(Stopped):
        perft(START, 6, threads=2, table=table, control=control)
    assert control.stopped
    control = Control()
    with pytest.raises(Stopped):
        stats(START, 6, threads=2, control=control)


def test_a_root_with_one_move_is_cut_below_it() -> None:
    root = Position.from_fen(LOPSIDED)
    assert len(Ply.of(root.board, 9).below(Control())) == 1
    assert len(cut(root.board, 9, 64, Control())) >= 64


def test_only_large_counts_are_shared() -> None:
    def count(board: Board, depth: int) -> int:
        return next(perft(one, depth) for one in (START, CROWDED, IN_CHECK, MATE) if one.board == board)

    for depth, expected in ((3, False), (6, False), (7, True), (200, True)):
        assert is_larger(count, START.board, depth, 3e8) is expected
    assert is_larger(count, CROWDED.board, 200, 3e8)
    for depth, expected in ((6, False), (7, True)):  # 48,171,267 and 1,473,331,567 leaf nodes
        assert is_larger(count, IN_CHECK.board, depth, 3e8) is expected
    assert not is_larger(count, MATE.board, 200, 3e8)


@pytest.mark.parametrize("threads", [0, -1])
def test_at_least_one_thread_is_needed(threads: int) -> None:
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


def test_closing_a_divide_stops_its_threads() -> None:
    control = Control()
    counts = root_counts(START, 7, threads=2, control=control)
    assert next(counts)[1] == 106_743_106  # a2a3, according to Stockfish
    assert counting_threads()
    counts.close()  # type: ignore[attr-defined]
    assert control.stopped
    assert counting_threads() == []


def test_a_failure_in_one_thread_stops_the_others() -> None:
    control, other = Control(), START.play(START.legal_moves[0])

    def total(counts: Iterable[int]) -> int:
        return sum(counts)

    def failing(ply: Ply) -> int:
        if dict(ply) == {START.board: 1}:
            raise MemoryError
        return perft(other, ply.depth, control=control)

    with pytest.raises(MemoryError):
        list(share_counts([Ply.of(START.board, 12), Ply.of(other.board, 12)], 2, failing, total, control))
    assert control.stopped
    assert counting_threads() == []
