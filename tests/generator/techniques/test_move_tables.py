"""Techniques: the steps of a rook, pseudo-legal moves, magic numbers, and steps at the edge."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import chess
import numba
import numpy as np
import pytest
from helpers.each import check_each
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.sliders import magic
from perft_check.generator.kernels.sliders.magic import BISHOP, ROOK
from perft_check.generator.kernels.tables import tables
from perft_check.generator.position import Position
from perft_check.generator.techniques import butterfly, dense_list, linked_list, move_table, rays, skip
from perft_check.generator.techniques.magic import MAGICS
from perft_check.generator.techniques.ray_cast import RAY_CAST, list_moves_by_ray_cast
from perft_check.generator.techniques.technique import Technique
from perft_check.generator.types import frame
from perft_check.generator.types.moves import Move
from perft_check.generator.types.pieces import PieceType
from perft_check.generator.types.squares import name_of, square_of

Steps = list[tuple[int, int]]
"""Targets, each with the number of the step that comes next if the target is occupied."""


def steps_of(kind: PieceType, origin: int) -> Steps:
    return [(step.target, step.blocked) for step in rays.steps(kind, origin)]


def test_steps_of_a_rook_on_e4() -> None:
    steps = steps_of(PieceType.ROOK, square_of("e4"))
    assert " ".join(name_of(target) for target, _ in steps) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [blocked for _, blocked in steps] == [4] * 4 + [7] * 3 + [10] * 3 + [14] * 4


WALKS: list[tuple[Technique, Any]] = [
    (butterfly.BUTTERFLY, butterfly.generate),
    (move_table.MOVE_TABLE, move_table.generate),
    (skip.SKIP, skip.generate),
    (linked_list.LINKED_LIST, linked_list.generate),
    (dense_list.DENSE_LIST, dense_list.generate),
]
POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbqkbnr/1pp1pppp/8/pP1pP3/8/8/P1PP1PPP/RNBQKBNR w KQkq d6 0 4",
    "4k3/8/8/8/pPp5/8/8/4K3 b - b3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "k7/8/1q1Q4/3R1B2/2B5/p4p2/4R2p/K6Q w - - 0 1",
]


@cache
def compiled(walk: Any) -> Callable[..., np.uint64]:
    """Return a generator, which only kernels can call, as an entry point."""
    entry: Callable[..., np.uint64] = numba.njit(lambda tables, table, board, moves: walk(tables, table, board, moves))
    return entry


@pytest.mark.parametrize(("technique", "walk"), WALKS, ids=[technique.name for technique, _ in WALKS])
def test_pseudo_legal_moves(technique: Technique, walk: Any) -> None:
    def check(fen: str) -> None:
        position, board = Position.from_fen(fen), chess.Board(fen)
        moves = np.empty(MAX_MOVES, dtype=np.uint16)
        count = compiled(walk)(tables(), technique.address, position.board, np.uint64(moves.ctypes.data))
        found = [frame.flip_move(int(move), position.turn).uci() for move in moves[: int(count)]]
        expected = [move.uci() for move in board.pseudo_legal_moves if not board.is_castling(move)]
        assert sorted(found) == sorted(expected)

    check_each(check, POSITIONS)


def test_the_search_reproduces_the_numbers() -> None:
    for piece, origins in ((BISHOP, range(16)), (ROOK, map(square_of, ("e4", "b7", "h5")))):
        for square in origins:
            assert MAGICS.find_tries(piece, square) == MAGICS.tries[piece][square]


def test_the_numbers_differ_from_those_of_the_kernels() -> None:
    own, kernels = (
        {numbers.number(piece, square) for piece in (ROOK, BISHOP) for square in range(64)}
        for numbers in (MAGICS, magic.MAGICS)
    )
    assert len(own) == len(kernels) == 128
    assert own.isdisjoint(kernels)


def listed(fen: str) -> list[Move]:
    position = Position.from_fen(fen)
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    address = np.uint64(buffer.ctypes.data)
    count = list_moves_by_ray_cast(tables(), RAY_CAST.address, position.board, address)
    return [frame.flip_move(int(move), position.turn) for move in buffer[: int(count)]]


def uci(fen: str, origin: str) -> list[str]:
    """Return the targets of the moves from a square, in order of generation."""
    return [move.uci()[2:] for move in listed(fen) if move.uci().startswith(origin)]


@pytest.mark.slow
def test_it_has_no_table() -> None:
    assert RAY_CAST.table_bytes == 0


@pytest.mark.slow
def test_moves_of_a_rook_on_e4() -> None:
    fen = "8/8/4n3/8/2P1R3/8/8/K6k w - - 0 1"
    assert uci(fen, "e4") == ["e5", "e6", "f4", "g4", "h4", "e3", "e2", "e1", "d4"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "origin", "targets"),
    [
        ("1k6/8/8/8/7R/8/8/K7 w - - 0 1", "h4", "h5 h6 h7 h8 h3 h2 h1 g4 f4 e4 d4 c4 b4 a4"),
        ("8/7k/8/8/B7/8/8/7K w - - 0 1", "a4", "b5 c6 d7 e8 b3 c2 d1"),
        ("8/7k/8/8/N7/8/8/7K w - - 0 1", "a4", "b6 c5 c3 b2"),
        ("8/8/k7/8/8/8/8/7K w - - 0 1", "h1", "h2 g1 g2"),
        ("8/8/k7/n6n/8/n5n1/7P/K7 w - - 0 1", "h2", "h3 h4 g3"),
    ],
)
def test_no_step_crosses_the_edge(fen: str, origin: str, targets: str) -> None:
    assert sorted(uci(fen, origin)) == sorted(targets.split())


@pytest.mark.slow
def test_pieces_beyond_the_slider_do_not_lift_a_pin() -> None:
    assert uci("3qk3/3r4/8/8/3R4/8/8/3K4 w - - 0 1", "d4") == ["d5", "d6", "d7", "d3", "d2"]
    assert uci("4k3/3r4/8/8/3N4/8/8/3K4 w - - 0 1", "d4") == []


@pytest.mark.slow
def test_illegal_king_steps() -> None:
    assert sorted(uci("8/8/8/8/3r1K2/8/5k2/8 w - - 0 1", "f4")) == ["e5", "f5", "g5"]
