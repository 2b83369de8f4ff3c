"""Leaf nodes compared with published counts; divide and statistics compared with python-chess."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import sleep
from typing import Any

import chess
import pytest
from helpers import oracle
from helpers.backends import EACH_BACKEND
from helpers.budget import properties
from helpers.each import check_each
from helpers.games import leaves
from helpers.oracle import Known, KnownCount
from hypothesis import given
from perft_check.generator import Position, Stats, divide, perft, stats
from perft_check.generator.counting.counter import Kernel, Stopped
from perft_check.generator.kernels.machine.memory import Control
from perft_check.generator.kernels.tables import Backend
from perft_check.strategies import positions

KERNELS: tuple[Kernel, ...] = ("list", "turbo", "two-plies")
SMALL, LARGE = 5_000_000, 10_000_000_000
START = Position.start()
EACH_KERNEL = pytest.mark.parametrize("kernel", KERNELS)


@EACH_KERNEL
@EACH_BACKEND
def test_small_counts(kernel: Kernel, backend: Backend) -> None:
    def check(case: KnownCount) -> None:
        known, depth, count = case
        assert perft(known.position(), depth, kernel=kernel, backend=backend) == count

    check_each(check, oracle.known_counts(SMALL))


@properties(40)
@given(positions())
def test_counts_of_generated_positions(position: Position) -> None:
    expected = leaves(oracle.board_of(position), 2)
    for kernel in KERNELS:
        assert perft(position, 2, kernel=kernel) == expected, kernel


@pytest.mark.long
@pytest.mark.parametrize("kernel", ["turbo", "two-plies"])
@pytest.mark.parametrize("case", oracle.known_counts(LARGE, more_than=SMALL), ids=str)
def test_large_counts(case: KnownCount, kernel: Kernel) -> None:
    known, depth, count = case
    assert perft(known.position(), depth, kernel=kernel) == count


@EACH_KERNEL
@EACH_BACKEND
def test_depth_0_is_one_node(kernel: Kernel, backend: Backend) -> None:
    assert perft(START, 0, kernel=kernel, backend=backend) == 1


@pytest.mark.parametrize("count", [perft, partial(perft, kernel="list"), stats], ids=["turbo", "list", "stats"])
def test_a_negative_depth_is_rejected(count: Callable[[Position, int], object]) -> None:
    with pytest.raises(ValueError, match=r"^the depth must be from 0 to 200, not -1$"):
        count(START, -1)


@pytest.mark.parametrize("depth", [0, -1])
def test_divide_needs_a_positive_depth(depth: int) -> None:
    with pytest.raises(ValueError, match=f"^divide needs a depth of 1 or more, not {depth}$"):
        divide(START, depth)


def test_divide_agrees_with_python_chess() -> None:
    def check(known: Known) -> None:
        board = known.board()
        replies = {}
        for move in board.legal_moves:
            text = oracle.text_of(board, move)
            board.push(move)
            replies[text] = board.legal_moves.count()
            board.pop()
        for kernel in KERNELS:
            found = divide(known.position(), 2, kernel=kernel)
            assert {move.uci(chess960=True): count for move, count in found.items()} == replies, kernel

    oracle.check_each_known(check)


@EACH_KERNEL
def test_divide_adds_up(kernel: Kernel) -> None:
    def check(case: KnownCount) -> None:
        known, depth, count = case
        assert sum(divide(known.position(), depth, kernel=kernel).values()) == count

    check_each(check, oracle.known_counts(1_000_000, more_than=100_000))


def classify(board: chess.Board, move: chess.Move) -> dict[str, int]:
    """Return the counters of `Stats` to which a leaf move is added."""
    castling = board.is_castling(move)
    rank, king_side = chess.square_rank(move.from_square), board.is_kingside_castling(move)
    landed = chess.square(5 if king_side else 3, rank) if castling else move.to_square
    kinds = {
        "nodes": True,
        "captures": board.is_capture(move),
        "en_passant": board.is_en_passant(move),
        "castles": castling,
        "promotions": move.promotion is not None,
    }
    board.push(move)
    checkers = board.checkers()
    kinds |= {
        "checks": bool(checkers),
        # In castling only the rook can give a direct check.
        "discovered_checks": len(checkers) == 1 and landed not in checkers,
        "double_checks": len(checkers) > 1,
        "mates": board.is_checkmate(),
    }
    board.pop()
    return {kind: int(value) for kind, value in kinds.items()}


def expected_stats(board: chess.Board, depth: int) -> Stats:
    total: dict[str, int] = dict.fromkeys(Stats.__dataclass_fields__, 0)

    def count(plies: int) -> None:
        for move in list(board.legal_moves):
            if plies == 1:
                for kind, value in classify(board, move).items():
                    total[kind] += value
            else:
                board.push(move)
                count(plies - 1)
                board.pop()

    count(depth)
    return Stats(**total)


@EACH_BACKEND
def test_stats_of_single_moves(backend: Backend) -> None:
    def check(known: Known) -> None:
        assert stats(known.position(), 1, backend=backend) == expected_stats(known.board(), 1)

    oracle.check_each_known(check)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("cpw-start-d7", 3),
        ("cpw-kiwipete-d6", 2),
        ("cpw-3-d8", 3),
        ("cpw-4-d6", 3),
        ("cpw-5-d5", 2),
        ("sedlak-castling-rights", 2),
        ("sedlak-illegal-ep-1", 4),
        ("sedlak-promote-give-check", 4),
        ("sedlak-discovered-check", 3),
        ("promo-n1n5", 3),
        ("sf5909-castle-discovers", 3),
        ("two-knight-checkers", 3),
        ("xfen-02", 3),
        ("xfen-04", 3),
        ("EP_DOUBLE_CHECK", 2),
        ("F_GIVES_CHECK", 2),
        ("F_KING_STAYS", 2),
    ],
)
def test_stats(name: str, depth: int) -> None:
    known = next(known for known in oracle.known_positions() if known.name == name)
    assert stats(known.position(), depth) == expected_stats(known.board(), depth)


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(4, Stats(197_281, 1_576, 0, 0, 0, 469, 0, 0, 8)), (5, Stats(4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347))],
)
def test_published_stats_of_the_start(depth: int, expected: Stats) -> None:
    assert stats(START, depth) == expected


def test_stats_at_depth_0() -> None:
    assert stats(START, 0).as_dict() == dict.fromkeys(Stats.__dataclass_fields__, 0) | {"nodes": 1}


RUNNING: dict[str, tuple[Callable[..., Any], int]] = {
    "turbo": (partial(perft, kernel="turbo"), 8),
    "two-plies": (partial(perft, kernel="two-plies"), 9),
    "list": (partial(perft, kernel="list"), 7),
    "stats": (stats, 6),
}


@pytest.mark.parametrize("name", RUNNING)
def test_a_running_count_can_be_watched_and_stopped(name: str) -> None:
    count, depth = RUNNING[name]
    control = Control()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(count, START, depth, control=control)
        while control.nodes == 0 and not running.done():
            sleep(0.001)
        control.stop()
        with pytest.raises(Stopped):
            running.result()
    assert control.stopped
    assert control.nodes > 0


@pytest.mark.parametrize("count", [perft, partial(perft, kernel="list"), divide, stats])
def test_nothing_is_counted_after_a_stop(count: Callable[..., Any]) -> None:
    control = Control()
    control.stop()
    with pytest.raises(Stopped):
        count(START, 4, control=control)


@EACH_KERNEL
def test_a_control_reports_all_nodes_of_a_complete_count(kernel: Kernel) -> None:
    blocked = Position.from_fen("7k/7p/7P/8/8/p7/P7/K7 w - - 0 1")
    for position, depth, nodes in ((START, 5, 4_865_609), (blocked, 6, 144)):
        control = Control()
        assert perft(position, depth, kernel=kernel, control=control) == control.nodes == nodes
