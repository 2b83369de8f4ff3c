"""The distinct positions of a ply, enumerated in parts of any size, and errors if memory is insufficient."""

from __future__ import annotations

import collections
import re
import tracemalloc

import pytest
from helpers import oracle
from helpers.each import check_each
from helpers.oracle import Known
from perft_check.generator import Position, perft
from perft_check.generator.counting import records as module
from perft_check.generator.counting.counter import Counter, Stopped
from perft_check.generator.counting.plies import Ply
from perft_check.generator.counting.records import Records, distinct_positions, ply_of, total_games
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.machine.memory import Control

START = Position.start()
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
MATE = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
KINGS = Position.from_fen("7k/8/8/8/8/8/8/K7 w - - 0 1")
DISTINCT = 1, 20, 400, 5_362, 72_078, 822_518
"""A083276 of the On-Line Encyclopedia of Integer Sequences. After 6 plies, the sequence has 2 positions fewer than
perft-check, because a pawn that stands ready to capture en passant is pinned there.
"""
GAMES = 1, 20, 400, 8_902, 197_281, 4_865_609


def boards_in(found: Records) -> dict[Board, int]:
    return dict(ply_of(found, 0))


def naive(known: Known, plies: int) -> dict[Board, int]:
    """Return the positions some plies below, found by python-chess, with the number of games that lead to each."""
    boards = [known.board()]
    for _ in range(plies):
        after = []
        for board in boards:
            for move in board.legal_moves:
                after.append(board.copy(stack=False))
                after[-1].push(move)
        boards = after
    return collections.Counter(oracle.position_of(board).board for board in boards)


@pytest.mark.parametrize("plies", range(6))
def test_distinct_positions_below_the_start(plies: int) -> None:
    told: list[tuple[int, int]] = []
    found = distinct_positions(START.board, plies, on_ply=lambda ply, positions: told.append((ply, positions)))
    assert (len(found), total_games(found)) == (DISTINCT[plies], GAMES[plies])
    assert told == list(enumerate(DISTINCT[: plies + 1]))[1:]


@pytest.mark.slow
@pytest.mark.parametrize("part_bytes", [1 << 14, module.PART_BYTES])
def test_distinct_positions_agree_with_python_chess(part_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PART_BYTES", part_bytes)

    def check(known: Known) -> None:
        for plies in (1, 2):
            found = distinct_positions(known.position().board, plies)
            assert boards_in(found) == naive(known, plies)
            assert total_games(found) == known.counts[plies - 1]

    known = [one for one in oracle.known_positions() if len(one.counts) > 1 and one.counts[1] < 1_000]
    assert any(one.chess960 for one in known)
    check_each(check, known, lambda known: known.name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "plies", "part_bytes", "parents"),
    [(KIWIPETE, 2, 1, 1), (KIWIPETE, 3, 1 << 18, 100), (START, 4, 1 << 20, 7), (START, 4, 1 << 22, 1_000)],
)
def test_the_division_into_parts_does_not_change_the_result(
    position: Position, plies: int, part_bytes: int, parents: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = distinct_positions(position.board, plies)
    monkeypatch.setattr(module, "PART_BYTES", part_bytes)
    monkeypatch.setattr(module, "MAX_PARENTS", parents)
    monkeypatch.setattr(module, "MIN_MERGED", 500)
    assert distinct_positions(position.board, plies).tobytes() == expected.tobytes()
    keys = [tuple(row[:3]) for row in expected.tolist()]
    assert keys == sorted(set(keys))


@pytest.mark.slow
@pytest.mark.parametrize("position", [START, KIWIPETE], ids=["start", "kiwipete"])
def test_counts_below_distinct_positions_add_up_to_the_perft_of_the_root(position: Position) -> None:
    counter = Counter("turbo", None)
    for plies, depth in ((1, 3), (2, 1), (2, 2), (3, 1)):
        found = distinct_positions(position.board, plies)
        total = sum(games * counter.count(board, depth) for board, games in boards_in(found).items())
        assert total_games(found) == perft(position, plies)
        assert total == perft(position, plies + depth)


def test_positions_without_moves_have_no_children() -> None:
    for plies in (1, 2):
        assert distinct_positions(MATE.board, plies).shape == (0, 4)
    found = distinct_positions(MATE.board, 0)
    assert boards_in(found) == {MATE.board: 1}


def test_total_games_may_exceed_64_bits() -> None:
    above, found = distinct_positions(KINGS.board, 26), distinct_positions(KINGS.board, 27)
    assert len(above) == len(found) == 3_612  # both kings anywhere, but not adjacent
    assert total_games(above) > 1 << 64
    assert sum(games * Ply.of(board, 1).moves for board, games in boards_in(above).items()) == total_games(found)
    with pytest.raises(ValueError, match=r"^more games lead to a position than 64 bits hold$"):
        distinct_positions(KINGS.board, 28)


@pytest.mark.parametrize(("free", "ply"), [(0, 1), (1 << 16, 2), (1 << 22, 4)])
def test_insufficient_memory_is_reported_in_advance(free: int, ply: int, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(module, "available_bytes", lambda: free)
    why = rf"^not enough memory for the positions after ply {ply}: \d+ MiB are needed, and {free >> 20} MiB are free$"
    with pytest.raises(MemoryError, match=why):
        distinct_positions(START.board, 5, on_ply=lambda ply, _positions: told.append(ply))
    assert told == list(range(1, ply))


def test_a_failed_allocation_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_records: Records) -> Records:
        raise MemoryError("Unable to allocate 5.00 GiB for an array")

    monkeypatch.setattr(module, "merge_records", refuse)
    why = "not enough memory for the positions after ply 1: Unable to allocate 5.00 GiB for an array"
    with pytest.raises(MemoryError, match=f"^{re.escape(why)}$"):
        distinct_positions(START.board, 5)


@pytest.mark.slow
def test_memory_per_distinct_position() -> None:
    distinct_positions(START.board, 2)
    tracemalloc.start()
    try:
        assert len(distinct_positions(START.board, 5)) == DISTINCT[5]
        assert tracemalloc.get_traced_memory()[1] < module.PART_BYTES + 160 * DISTINCT[5]
    finally:
        tracemalloc.stop()


def test_enumeration_can_be_stopped() -> None:
    control = Control()
    told: list[int] = []

    def stop(ply: int, _positions: int) -> None:
        told.append(ply)
        if ply == 2:
            control.stop()

    with pytest.raises(Stopped):
        distinct_positions(START.board, 9, control=control, on_ply=stop)
    assert told == [1, 2]
    with pytest.raises(Stopped):
        distinct_positions(START.board, 9, control=control)


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"^the plies must be 0 or more, not -1$"):
        distinct_positions(START.board, -1)
    crowded = Position.from_fen("bbbbbbbb/bbbbbbbb/8/8/PPPPPPPP/PPPPPPP1/K6k/8 w - - 0 1")
    with pytest.raises(ValueError, match=r"^a board has 33 pieces, and a record has room for 32$"):
        distinct_positions(crowded.board, 1)
