"""The conditional linked list: the size of its nodes, a rook's nodes, captures and quiet moves apart."""

from __future__ import annotations

import numpy as np
import pytest
from perft_check.generator.kernels import geometry
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.position import Position
from perft_check.generator.techniques.linked_list import LINKED_LIST, NODE_WORDS, generate_captures, generate_quiets
from perft_check.generator.types.pieces import Kind
from perft_check.generator.types.squares import name_of, square_of, squares_in

NODES = LINKED_LIST.table[: 2912 * NODE_WORDS].reshape(2912, NODE_WORDS)
HEADS = LINKED_LIST.table[2912 * NODE_WORDS :].reshape(3, 64)
ROOK = 1
POSITIONS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "k7/8/1q1Q4/3R1B2/2B5/p4p2/4R2p/K6Q w - - 0 1",
    "7k/8/8/8/8/8/8/K7 w - - 0 1",
]


def test_2912_nodes_of_16_bytes() -> None:
    assert NODES.itemsize * NODE_WORDS == 16
    assert NODES.nbytes == 46592
    assert LINKED_LIST.table_bytes == 46592 + HEADS.nbytes
    assert HEADS[:, 0].tolist() == [0, 1456 * NODE_WORDS, (1456 + 896) * NODE_WORDS]


def test_rook_on_e4() -> None:
    first = int(HEADS[ROOK, square_of("e4")]) // NODE_WORDS
    nodes = NODES[first : first + 14].tolist()
    assert " ".join(name_of(target) for target, *_ in nodes) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [move for _, move, *_ in nodes] == [square_of("e4") << 6 | target for target, *_ in nodes]
    relative = [[pointer and pointer // NODE_WORDS - first for pointer in pointers] for _, _, *pointers in nodes]
    assert [free for free, _ in relative] == [*range(1, 14), 0]
    assert [blocked for _, blocked in relative] == [4] * 4 + [7] * 3 + [10] * 3 + [0] * 4


def naive_slides(position: Position) -> set[tuple[int, int]]:
    """Return origin and target of the moves of White's sliders."""
    rays = {
        Kind.ROOK: geometry.ROOK_DIRECTIONS,
        Kind.BISHOP: geometry.BISHOP_DIRECTIONS,
        Kind.QUEEN: geometry.KING_STEPS,
    }
    white = position.pieces[0]
    return {
        (origin, target)
        for kind, directions in rays.items()
        for origin in squares_in(white[kind])
        for target in squares_in(geometry.slider_attacks(origin, directions, position.occupied) & ~sum(white))
    }


@pytest.mark.parametrize("fen", POSITIONS)
def test_captures_and_quiet_moves_share_out_the_moves_of_sliders(fen: str) -> None:
    position = Position.from_fen(fen)
    moves = np.empty(MAX_MOVES, dtype=np.uint16)
    found = []
    for generate in (generate_captures, generate_quiets):
        count = generate(LINKED_LIST.address, position.board, np.uint64(moves.ctypes.data))
        found.append([(move >> 6, move & 63) for move in moves[: int(count)].tolist()])
    captures, quiets = found
    slides = naive_slides(position)
    assert sorted(captures) == sorted(slide for slide in slides if position.occupied >> slide[1] & 1)
    assert sorted(quiets) == sorted(slide for slide in slides if not position.occupied >> slide[1] & 1)
