"""Records: packing and unpacking boards, merging equal positions, and numbers of games beyond 64 bits."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from helpers import oracle
from perft_check.generator import Position, perft
from perft_check.generator.counting.plies import Ply
from perft_check.generator.counting.records import (
    MAX_PIECES,
    RECORD_BYTES,
    Records,
    merge_records,
    ply_of,
    records_of,
    total_games,
)
from perft_check.generator.fens import states_of
from perft_check.generator.kernels.board import BOARD_WORDS
from perft_check.generator.kernels.machine.memory import Control

START = Position.start()
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
FULL = "bbbbbbbb/bbbbbbbb/8/8/PPPPPPPP/PPPPPP2/K6k/8 w - - 0 1"


def ply_of_positions(positions: list[Position]) -> Ply:
    """Return positions as a ply, each with a different number of games."""
    boards = np.ascontiguousarray(states_of(positions)[:, :BOARD_WORDS])
    games = np.random.default_rng(1).integers(1, 2**64, len(boards), dtype=np.uint64)
    return Ply(boards, games, 3)


def children(position: Position, plies: int) -> Ply:
    ply = Ply.of(position.board, plies)
    for _ in range(plies):
        ply = ply.below(Control())
    return ply


def rows(records: Records) -> list[tuple[int, ...]]:
    return [tuple(row) for row in records.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("chess960", [False, True])
def test_boards_are_unpacked_as_they_were_packed(chess960: bool) -> None:
    boards = oracle.random_boards(5, 4_000, chess960=chess960)
    known = [one.position() for one in oracle.known_positions() if one.chess960 == chess960]
    ply = ply_of_positions([*map(oracle.position_of, boards), *known])
    assert all(np.count_nonzero(ply.boards[:, word]) > 10 for word in range(BOARD_WORDS))  # en passant, castling
    records = records_of(ply)
    again = ply_of(records, ply.depth)
    assert (again.boards == ply.boards).all()
    assert (again.games == ply.games).all()
    assert again.depth == ply.depth
    assert len(np.unique(records[:, :3], axis=0)) == len(np.unique(ply.boards, axis=0))


def test_format_of_a_record() -> None:
    position = Position.from_fen("4k2r/8/8/q1Pp4/8/8/8/B3K2R w Kk d6 0 1")
    squares = ["a1", "e1", "h1", "a5", "c5", "d5", "e8", "h8"]
    codes = [2, 3, 5, 8 + 6, 0, 8 + 7, 8 + 3, 8 + 5]
    occupied = sum(1 << (int(name[1]) - 1) * 8 + "abcdefgh".index(name[0]) for name in squares)
    words = sum(code << 4 * place for place, code in enumerate(codes))
    assert rows(records_of(Ply.of(position.board, 0))) == [(occupied, words, 0, 1)]
    (record,) = records_of(Ply.of(START.board, 0))
    assert record.nbytes == RECORD_BYTES == 32
    assert [f"{word:016x}" for word in record[1:3].tolist()] == ["0000000051236215", "d9abea9d88888888"]


def test_a_ply_may_be_empty() -> None:
    nothing = records_of(Ply(np.empty((0, BOARD_WORDS), np.uint64), np.empty(0, np.uint64), 1))
    assert nothing.shape == merge_records(nothing).shape == (0, 4)
    assert len(ply_of(nothing, 1)) == total_games(nothing) == 0


def test_a_record_has_room_for_32_pieces() -> None:
    board = Position.from_fen(FULL).board
    assert MAX_PIECES == 32
    assert list(ply_of(records_of(Ply.of(board, 1)), 1)) == [(board, 1)]
    crowded = Position.from_fen(FULL.replace("PPPPPP2", "PPPPPPP1"))
    with pytest.raises(ValueError, match=r"^a board has 33 pieces, and a record has room for 32$"):
        records_of(Ply.of(crowded.board, 1))


def test_equal_positions_are_merged_and_sorted() -> None:
    chosen = random.Random(1)
    records = records_of(children(KIWIPETE, 2))
    many = np.concatenate([records[chosen.sample(range(len(records)), 500)] for _ in range(5)])
    expected: Counter[tuple[int, ...]] = Counter()
    for *position, games in rows(many):
        expected[tuple(position)] += games
    before = many.copy()
    found = merge_records(many)
    assert rows(found) == [(*position, games) for position, games in sorted(expected.items())]
    assert (many == before).all()
    assert (merge_records(found) == found).all()
    assert (merge_records(many[::-1]) == found).all()
    assert total_games(found) == total_games(many)


def test_words_are_sorted_as_unsigned_numbers() -> None:
    numbers = [0, 1, 255, 256, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
    records = np.array([(a, b, c, 1) for a in numbers for b in numbers for c in numbers], dtype=np.uint64)
    assert rows(merge_records(np.random.default_rng(1).permutation(records))) == rows(records)


def test_total_games_is_exact() -> None:
    records = np.array([(1, place, 0, 2**64 - 1) for place in range(1_000)], dtype=np.uint64)
    assert total_games(records) == 1_000 * (2**64 - 1)
    assert total_games(merge_records(records)) == 1_000 * (2**64 - 1)
    assert total_games(records_of(children(START, 3))) == perft(START, 3) == 8_902


def test_games_of_a_position_must_fit_into_64_bits() -> None:
    records = np.array([(1, 2, 3, 2**63), (1, 2, 4, 5), (1, 2, 3, 2**63 - 1)], dtype=np.uint64)
    assert rows(merge_records(records)) == [(1, 2, 3, 2**64 - 1), (1, 2, 4, 5)]
    records[2, 3] += np.uint64(1)
    with pytest.raises(ValueError, match=r"^more games lead to a position than 64 bits hold$"):
        merge_records(records)
