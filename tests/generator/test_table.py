"""Counts with a hash table equal those without one, whatever the table contains; limits of tables."""

from __future__ import annotations

import ctypes
import random
import re
import threading
from collections import Counter
from functools import cache

import chess
import numpy as np
import pytest
from helpers import oracle
from helpers.backends import EACH_BACKEND
from helpers.each import check_each
from helpers.oracle import KnownCount
from helpers.program import printed_by_python
from perft_check.errors import UsageError
from perft_check.generator import Position, divide, perft
from perft_check.generator.counting import counter
from perft_check.generator.counting.counter import Kernel, Stopped, Table
from perft_check.generator.counting.plies import Ply
from perft_check.generator.kernels.board import BOARD_WORDS, Board
from perft_check.generator.kernels.counting.table import key_of
from perft_check.generator.kernels.machine.jit import kernel as compiled
from perft_check.generator.kernels.machine.memory import Control
from perft_check.generator.kernels.tables import Backend
from perft_check.platforms.memory import available_bytes

START = Position.start()
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
COUNTS = oracle.known_counts(5_000_000)
EACH_KERNEL = pytest.mark.parametrize("kernel", ["turbo", "two-plies"])


@EACH_KERNEL
@EACH_BACKEND
def test_one_small_table_can_serve_all_positions(kernel: Kernel, backend: Backend) -> None:
    table = Table(1 << 20)

    def check(case: KnownCount) -> None:
        known, depth, count = case
        assert perft(known.position(), depth, kernel=kernel, backend=backend, table=table) == count

    check_each(check, COUNTS)
    check_each(check, COUNTS)  # most counts are looked up now


@EACH_KERNEL
def test_threads_share_a_table(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter, "WORTH_CUTTING", 0.5)
    table = Table(1 << 20)

    def check(case: KnownCount) -> None:
        known, depth, count = case
        assert perft(known.position(), depth, kernel=kernel, threads=3, table=table) == count

    check_each(check, COUNTS)


@pytest.mark.slow
def test_stored_counts_are_looked_up() -> None:
    table, control = Table(1 << 26), Control()
    assert perft(KIWIPETE, 5, table=table) == 193_690_690
    words = words_of(table)
    above = sum(len(boards_below(KIWIPETE.board, plies)) for plies in range(4))  # with two or more plies left
    guessed = 1 + len(KIWIPETE.legal_moves)  # for the three plies from which the size of the tree is estimated
    assert np.count_nonzero(words[1::2]) == above + guessed == 59_635 + 49
    before = words.copy()
    assert perft(KIWIPETE, 5, table=table, control=control) == control.nodes == 193_690_690
    assert (words == before).all()


@EACH_KERNEL
@pytest.mark.parametrize("threads", [1, 3])
def test_counts_of_a_cut_tree_are_looked_up(kernel: Kernel, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counter, "WORTH_CUTTING", 0.5)
    table = Table(1 << 20)
    counts = divide(KIWIPETE, 4, kernel=kernel, threads=threads, table=table)
    assert counts == divide(KIWIPETE, 4)
    assert perft(KIWIPETE, 4, kernel=kernel, threads=threads, table=table) == 4_085_603
    monkeypatch.setattr(counter.Counter, "count_ply", lambda _self, _ply: 0)
    assert divide(KIWIPETE, 4, kernel=kernel, threads=threads, table=table) == counts
    assert perft(KIWIPETE, 4, kernel=kernel, threads=threads, table=table) == 4_085_603
    assert perft(START, 4, kernel=kernel, threads=threads, table=table) == 0


def test_a_table_does_not_change_a_divide() -> None:
    table = Table(1 << 20)
    assert divide(KIWIPETE, 4, table=table) == divide(KIWIPETE, 4) == divide(KIWIPETE, 4, table=table)


def test_boards_that_differ_in_one_or_two_bits_have_different_keys() -> None:
    flips = [(word, np.uint64(1 << bit)) for word in range(BOARD_WORDS) for bit in range(64)]
    for start in (KIWIPETE.board, START.board):
        keys = set()
        for number, (word, bit) in enumerate(flips):
            once = list(start)
            once[word] ^= bit
            keys.add(key(Board(*once)))
            for other, second in flips[number + 1 :: 7]:
                twice = once.copy()
                twice[other] ^= second
                keys.add(key(Board(*twice)))
        assert len(keys) == len(flips) + sum(len(flips[number + 1 :: 7]) for number in range(len(flips)))
        assert max(np.bincount([key & 0xFF for key in keys])) < 1.3 * len(keys) / 256


def test_depths_have_different_keys() -> None:
    assert len({key(START.board, depth) for depth in range(256)}) == 256


def test_bucket_and_key_are_independent() -> None:
    pairs = [key_of_board(board, np.uint64(3)) for board in boards_below(START.board, 4)]
    assert len(pairs) == len({int(found) for found, _ in pairs}) == len({int(place) for _, place in pairs}) == 72_078
    for upper in (0, 26, 52):  # twelve bits of the key
        alike = Counter((int(place) & 0xFFF, int(found) >> upper & 0xFFF) for found, place in pairs)
        both = sum(times * (times - 1) // 2 for times in alike.values())
        assert 100 < both < 220  # 154.8 with random bits


@compiled
def key_of_board(board: Board, depth: np.uint64) -> tuple[np.uint64, np.uint64]:
    return key_of(board, depth)


def key(board: Board, depth: int = 3) -> int:
    return int(key_of_board(board, np.uint64(depth))[0])


def boards_below(board: Board, plies: int) -> set[Board]:
    ply = Ply.of(board, plies)
    while ply.depth:
        ply = ply.below(Control())
    return set(dict(ply))


def words_of(table: Table) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return the memory of a table."""
    memory = (ctypes.c_uint64 * (table.size // 8)).from_address(int(table.buckets.address))
    words: np.ndarray[tuple[int], np.dtype[np.uint64]] = np.ctypeslib.as_array(memory)
    return words


@pytest.mark.parametrize("damaged", ["keys", "data", "both", "exchanged"])
def test_incomplete_entries_are_ignored(damaged: str) -> None:
    table, chosen = Table(1 << 20), np.random.default_rng(1)
    assert perft(KIWIPETE, 5, table=table) == 193_690_690
    words = words_of(table)
    if damaged in ("keys", "both"):
        words[0::2] ^= chosen.integers(1, 2**63, len(words) // 2, dtype=np.uint64)
    if damaged in ("data", "both"):
        words[1::2] ^= np.uint64(1) << chosen.integers(0, 64, len(words) // 2, dtype=np.uint64)
    if damaged == "exchanged":
        words[1::2] = np.roll(words[1::2], 1)
    assert perft(KIWIPETE, 5, table=table) == 193_690_690


@EACH_KERNEL
def test_a_stopped_count_stores_no_incorrect_entries(kernel: Kernel) -> None:
    table, chosen = Table(1 << 22), random.Random(1)
    for _ in range(20):
        control = Control()
        stopper = threading.Timer(chosen.random() / 20, control.stop)
        stopper.start()
        with pytest.raises(Stopped):
            perft(START, 9, kernel=kernel, control=control, table=table)
        stopper.join()
    assert perft(START, 6, kernel=kernel, table=table) == 119_060_324


def test_the_size_of_a_table_is_a_power_of_two() -> None:
    assert [Table(size).size for size in (1 << 20, (1 << 21) - 1, 3 << 20)] == [1 << 20, 1 << 20, 1 << 21]
    assert int(Table(1 << 20).buckets.mask) == (1 << 20) // 64 - 1
    assert int(Table(1 << 20).buckets.address) % 64 == 0


def test_a_table_that_is_too_large_is_rejected_in_advance() -> None:
    for size in (1 << 50, 1 << 80):
        why = (
            f"not enough memory for a hash table of {size >> 20:,} MiB and up to {size >> 21:,} MiB of working memory: "
        )
        with pytest.raises(UsageError, match=rf"^{re.escape(why)}only [\d,]+ MiB are free$"):
            Table(size)
    within = re.escape(
        "not enough memory for a hash table of 1,073,741,824 MiB "
        "(1,610,612,736 rounded down to a power of two) and up to"
    )
    with pytest.raises(UsageError, match=rf"^{within} 536,870,912 MiB of working memory: "):
        Table(3 << 49)
    with pytest.raises(UsageError, match=r"^a table has 1 MiB or more$"):
        Table((1 << 20) - 1)
    free = available_bytes()
    held = Table(free // 2)
    with pytest.raises(UsageError, match=r"MiB are free$"):
        Table(held.size + free - free // 2)


def test_available_memory_respects_the_limit_of_the_process() -> None:
    limited = "import resource as r; r.setrlimit(r.RLIMIT_AS, (3 << 30, 3 << 30))"
    code = f"{limited}; from perft_check.platforms.memory import available_bytes; print(available_bytes())"
    assert 0 < int(printed_by_python(code)) < 3 << 30


def test_the_list_kernel_has_no_table() -> None:
    for count in (perft, divide):
        with pytest.raises(ValueError, match=r"^the list kernel has no table$"):
            count(START, 2, kernel="list", table=Table(1 << 20))


KINGS = "8/8/8/3k4/8/8/8/K7 w - - 0 1"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [22, 23, 24, 27])
def test_counts_may_exceed_64_bits(depth: int) -> None:
    """The expected sums are those of python-chess, over the distinct positions of each ply."""
    position = Position.from_fen(KINGS)
    expected = games_of_kings(depth)
    assert (expected < 2**63, expected > 2**64) == (depth < 24, depth > 23)
    ply = Ply.of(position.board, depth).below(Control())
    assert list(with_table().count_cut([position.board], depth, 1)) == [expected]
    assert with_table().count(position.board, depth) == expected
    assert with_table().count_ply(ply) == expected


def with_table() -> counter.Counter:
    return counter.Counter("two-plies", None, table=Table(1 << 20))


def games_of_kings(depth: int) -> int:
    games = {KINGS: 1}
    for _ in range(depth):
        below: dict[str, int] = {}
        for fen, number in games.items():
            for child in after_each_move(fen):
                below[child] = below.get(child, 0) + number
        games = below
    return sum(games.values())


@cache
def after_each_move(fen: str) -> list[str]:
    board, children = chess.Board(fen), []
    for move in board.legal_moves:
        board.push(move)
        children.append(f"{board.board_fen()} {'wb'[not board.turn]} - - 0 1")
        board.pop()
    return children
