"""Techniques based on move tables: the steps, how each table stores them, and the generated moves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import chess
import numba
import numpy as np
import pytest
from helpers.each import check_each
from perft_check.generator.kernels import geometry
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.tables import tables
from perft_check.generator.position import Position
from perft_check.generator.techniques import butterfly, dense_list, linked_list, move_table, rays, skip
from perft_check.generator.techniques.technique import Technique
from perft_check.generator.types import frame
from perft_check.generator.types.pieces import PieceType
from perft_check.generator.types.squares import name_of, square_of

KINDS = {PieceType.QUEEN: 1456, PieceType.ROOK: 896, PieceType.BISHOP: 560, PieceType.KNIGHT: 336, PieceType.KING: 420}
"""The number of steps from all squares of an empty board, by piece type."""
Steps = list[tuple[int, int]]
"""Targets, each with the number of the step that comes next if the target is occupied."""


def steps_of(kind: PieceType, origin: int) -> Steps:
    return [(step.target, step.blocked) for step in rays.steps(kind, origin)]


@pytest.mark.parametrize("kind", KINDS)
def test_steps_lead_forward_and_end_after_the_last_one(kind: PieceType) -> None:
    every = [steps_of(kind, origin) for origin in range(64)]
    assert sum(map(len, every)) == KINDS[kind]
    for steps in every:
        assert all(number < blocked <= len(steps) for number, (_, blocked) in enumerate(steps))
        assert steps[-1][1] == len(steps)


def test_steps_of_a_rook_on_e4() -> None:
    steps = steps_of(PieceType.ROOK, square_of("e4"))
    assert " ".join(name_of(target) for target, _ in steps) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [blocked for _, blocked in steps] == [4] * 4 + [7] * 3 + [10] * 3 + [14] * 4


def test_steps_of_a_bishop_on_d5() -> None:
    steps = steps_of(PieceType.BISHOP, square_of("d5"))
    assert " ".join(name_of(target) for target, _ in steps) == "e6 f7 g8 e4 f3 g2 h1 c4 b3 a2 c6 b7 a8"
    assert [blocked for _, blocked in steps] == [3] * 3 + [7] * 4 + [10] * 3 + [13] * 3


def test_steps_of_a_queen_are_those_of_rook_and_bishop() -> None:
    for origin in range(64):
        targets = [step.target for step in rays.steps(PieceType.QUEEN, origin)]
        both = rays.steps(PieceType.ROOK, origin) + rays.steps(PieceType.BISHOP, origin)
        assert targets == [step.target for step in both]


@pytest.mark.parametrize(
    ("kind", "directions"), [(PieceType.KNIGHT, geometry.KNIGHT_STEPS), (PieceType.KING, geometry.KING_STEPS)]
)
def test_knights_and_kings_continue_with_the_next_step_if_blocked_or_not(
    kind: PieceType, directions: tuple[geometry.Direction, ...]
) -> None:
    for origin in range(64):
        steps = steps_of(kind, origin)
        attacks = geometry.leaper_attacks(origin, directions)
        assert geometry.bitboard([target for target, _ in steps]) == attacks
        assert [blocked for _, blocked in steps] == list(range(1, len(steps) + 1))


def test_nodes_are_numbered_consecutively_and_never_lead_back() -> None:
    nodes, heads = rays.nodes()
    assert len(nodes) == rays.NODES == 2912
    assert (heads[0], heads[64], heads[128], len(heads)) == (0, 1456, 1456 + 896, 192)
    for number, node in enumerate(nodes):
        assert node.free in (0, number + 1)
        assert node.blocked == 0 or number < node.free <= node.blocked
    assert sum(node.free == 0 for node in nodes) == 192


def test_the_linked_list_has_16_bytes_per_node() -> None:
    nodes, heads = rays.nodes()
    table = linked_list.LINKED_LIST.table
    assert (table.itemsize, linked_list.LINKED_LIST.table_bytes) == (4, 16 * 2912 + 4 * 192)
    rows = [[node.target, node.origin << 6 | node.target, 4 * node.free, 4 * node.blocked] for node in nodes]
    assert table[: 4 * 2912].reshape(2912, 4).tolist() == rows
    assert table[4 * 2912 :].tolist() == [4 * head for head in heads]


def test_the_dense_list_has_4_bytes_per_node() -> None:
    nodes, heads = rays.nodes()
    table = dense_list.DENSE_LIST.table
    assert (table.itemsize, dense_list.DENSE_LIST.table_bytes) == (4, 4 * 2912 + 4 * 192)
    assert table[:2912].tolist() == [node.target | node.free << 8 | node.blocked << 20 for node in nodes]
    assert table[2912:].tolist() == heads


@pytest.mark.parametrize(
    ("code", "shift", "owner"),
    [(dense_list.FREE, 8, 0), (dense_list.OUR_PIECE, 20, 1), (dense_list.THEIR_PIECE, 20, 2)],
)
def test_piece_codes_contain_the_shift_of_the_dense_list(code: int, shift: int, owner: int) -> None:
    assert (int(code) & 0b11100, int(code) & 0b11) == (shift, owner)


def entries(table: list[int], head: int, sentinel: int) -> list[int]:
    """Return the entries of a list that precede its sentinel."""
    start = table[head]
    return table[start : table.index(sentinel, start)]


def test_the_move_table_has_a_list_per_piece_type_and_square() -> None:
    table = move_table.MOVE_TABLE.table.tolist()
    lists = len(move_table.KINDS) * 64
    assert (lists, len(table), table.count(move_table.SENTINEL)) == (320, 320 + sum(KINDS.values()) + 320, 320)
    assert move_table.MOVE_TABLE.table_bytes == 4 * 4308
    for number, kind in enumerate(move_table.KINDS):
        for origin in range(64):
            start = table[number * 64 + origin]
            found = entries(table, number * 64 + origin, move_table.SENTINEL)
            assert [(entry & 255, (entry >> 8) - start) for entry in found] == steps_of(kind, origin)


def test_the_skip_list_has_2_bytes_per_step() -> None:
    table = skip.SKIP.table.tolist()
    assert (len(table), skip.SKIP.table_bytes) == (192 + 2912 + 192, 2 * 3296)
    for number, kind in enumerate(rays.SLIDERS):
        for origin in range(64):
            found = entries(table, number * 64 + origin, skip.SENTINEL)
            assert [(entry & 255, place + 1 + (entry >> 8)) for place, entry in enumerate(found)] == steps_of(
                kind, origin
            )


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


def test_techniques_are_named_after_their_modules() -> None:
    for technique, _ in WALKS:
        assert technique.build is not None
        assert technique.build.__module__.endswith("." + technique.name.replace("-", "_"))
