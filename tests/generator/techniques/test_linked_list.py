"""The conditional linked list: the size of its nodes, and a rook's nodes."""

from __future__ import annotations

from perft_check.generator.techniques.linked_list import LINKED_LIST, NODE_WORDS
from perft_check.generator.types.squares import name_of, square_of

NODES = LINKED_LIST.table[: 2912 * NODE_WORDS].reshape(2912, NODE_WORDS)
HEADS = LINKED_LIST.table[2912 * NODE_WORDS :].reshape(3, 64)
ROOK = 1


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
