"""The conditional linked list: each node has two successors, indexed by whether its target is occupied.

A node contains a target, the move to it, and its two successors: for a free target (0) and for an occupied one (1).
There is no branch on the state of a square: the move is always stored, and the length of the move list grows by 0 or 1.

    rook on e4    north        east      south     west
    node           0  1  2  3   4  5  6   7  8  9  10 11 12 13
    target        e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4
    move          e4e5 ...     e4f4 ...  e4e3 ...  e4d4 ...
    next[0]        1  2  3  4   5  6  7   8  9 10  11 12 13  -
    next[1]        4  4  4  4   7  7  7  10 10 10   -  -  -  -

The lists need no sentinel, because a successor can be "none" (-); the only branch is the end of the loop. Queens have
1456 nodes, rooks 896, bishops 560; these 2912 nodes of 16 bytes take 46592 bytes. With another condition for keeping a
move, the same walk would generate only captures or only quiet moves, although it would still have to visit all free
squares before a capture.
"""

from __future__ import annotations

import numpy as np

from ..kernels.machine.bits import ONE, ZERO, load32
from ..kernels.machine.jit import inline
from . import rays
from .operations import append_if, is_occupied
from .rays import Occupancy
from .technique import Table, Technique, TechniqueName

NODE_WORDS = 4
"""32-bit values per node: target, move, two successors. A pointer is the index of a node's first value."""
NO_NODE = ZERO
"""The first node is never a successor, so its number can mean "none"."""

_MOVE, _NEXT = np.uint64(1), np.uint64(2)
_HEADS = np.uint64(NODE_WORDS * rays.NODES)


def build() -> Table:
    """Return all nodes, then the pointer to the first node of each slider and square."""
    nodes, heads = rays.nodes()
    table = [
        word
        for node in nodes
        for word in (node.target, node.origin << 6 | node.target, node.free * NODE_WORDS, node.blocked * NODE_WORDS)
    ]
    return np.array(table + [head * NODE_WORDS for head in heads], dtype=np.uint32)


@inline
def _append_moves(
    walk: np.uint64, head: np.uint64, _origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a slider whose list starts at the node indexed by `head`."""
    node = load32(walk, _HEADS + head)
    while True:
        target = load32(walk, node)
        count = append_if(moves, count, load32(walk, node + _MOVE), is_occupied(sides.own, target) ^ ONE)
        node = load32(walk, node + _NEXT + is_occupied(sides.both, target))
        if node == NO_NODE:
            return count


generate = rays.make_generator(rays.each_piece(_append_moves))


LINKED_LIST = Technique(
    name=TechniqueName.LINKED_LIST,
    origin="after V. Diepeveen",
    build=build,
)
