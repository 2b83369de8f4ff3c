"""The dense index list: 32 bits a node, and the same walks as in the linked list."""

from __future__ import annotations

import pytest
from perft_check.generator.techniques.dense_list import DENSE_LIST, FREE, OUR_PIECE, THEIR_PIECE
from perft_check.generator.techniques.linked_list import LINKED_LIST, NODE_WORDS
from perft_check.generator.types.squares import name_of, square_of

NODES = DENSE_LIST.table[:2912]
HEADS = DENSE_LIST.table[2912:].reshape(3, 64)
ROOK = 1


def unpack(node: int) -> tuple[int, int, int]:
    """Return target, node after a free one, node after an occupied one."""
    return node & 255, node >> 8 & 4095, node >> 20


def test_2912_nodes_of_4_bytes() -> None:
    assert NODES.itemsize == 4
    assert NODES.nbytes == 11648
    assert DENSE_LIST.table_bytes == 11648 + 3 * 64 * 4


def test_rook_on_e4() -> None:
    first = int(HEADS[ROOK, square_of("e4")])
    nodes = [unpack(node) for node in NODES[first : first + 14].tolist()]
    assert " ".join(name_of(target) for target, *_ in nodes) == "e5 e6 e7 e8 f4 g4 h4 e3 e2 e1 d4 c4 b4 a4"
    assert [free and free - first for _, free, _ in nodes] == [*range(1, 14), 0]
    assert [blocked and blocked - first for *_, blocked in nodes] == [4] * 4 + [7] * 3 + [10] * 3 + [0] * 4


def test_same_nodes_as_the_linked_list() -> None:
    linked = LINKED_LIST.table[: 2912 * NODE_WORDS].reshape(2912, NODE_WORDS).tolist()
    expected = [(target, free // NODE_WORDS, blocked // NODE_WORDS) for target, _, free, blocked in linked]
    assert [unpack(node) for node in NODES.tolist()] == expected
    assert (HEADS.reshape(-1) * NODE_WORDS).tolist() == LINKED_LIST.table[2912 * NODE_WORDS :].tolist()


@pytest.mark.parametrize(("code", "shift", "owner"), [(FREE, 8, 0), (OUR_PIECE, 20, 1), (THEIR_PIECE, 20, 2)])
def test_the_code_of_a_piece_holds_the_shift(code: int, shift: int, owner: int) -> None:
    assert (int(code) & 0b11100, int(code) & 0b11) == (shift, owner)
