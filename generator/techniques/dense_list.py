"""The dense index list: target and both successors in 32 bits (after M. R. Brades, 2012).

A linked list without redundancy: indices replace pointers, and the move is computed from its squares. Brades' nodes had
64 bits; with 12 bits per index, 32 bits are enough.

    bits 0-7     target
    bits 8-19    the node after a free target
    bits 20-31   the node after an occupied target

The codes of the pieces are chosen so that a single shift extracts the correct successor: bits 2 to 4 of a code are the
shift distance, bits 0 and 1 show whose piece it is.

    01000   free         8
    10101   our piece   20
    10110   their piece 20

    rook on e4        north        east      south     west
    node               0  1  2  3   4  5  6   7  8  9  10 11 12 13
    target            e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4
    after free         1  2  3  4   5  6  7   8  9 10  11 12 13  -
    after occupied     4  4  4  4   7  7  7  10 10 10   -  -  -  -

The 2912 nodes take 11648 bytes, a quarter of the linked list.
"""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, load32
from ..kernels.machine.jit import inline
from . import rays
from .operations import append_if, is_occupied
from .rays import Occupancy
from .technique import Table, Technique, TechniqueName

NO_NODE = ZERO
"""The first node is never a successor, so its number can mean "none"."""
FREE, OUR_PIECE, THEIR_PIECE = np.uint64(0b01000), np.uint64(0b10101), np.uint64(0b10110)

_HEADS = np.uint64(rays.NODES)
_SHIFT, _SQUARE, _INDEX = np.uint64(0b11100), np.uint64(0x3F), np.uint64(0xFFF)
_OUR_CHANGE, _THEIR_CHANGE = OUR_PIECE ^ FREE, THEIR_PIECE ^ FREE


def build() -> Table:
    """Return all nodes, then the index of the first node of each slider and square."""
    nodes, heads = rays.nodes()
    table = [node.blocked << 20 | node.free << 8 | node.target for node in nodes]
    return np.array(table + heads, dtype=np.uint32)


@inline
def piece_code(own: np.uint64, their: np.uint64, square: np.uint64) -> np.uint64:
    """Return the code for the content of a square, as a board of codes would store it."""
    return FREE ^ _OUR_CHANGE * is_occupied(own, square) ^ _THEIR_CHANGE * is_occupied(their, square)


@inline
def _append_moves(
    walk: np.uint64, head: np.uint64, origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a slider whose list starts at the node indexed by `head`."""
    index = load32(walk, _HEADS + head)
    while True:
        node = load32(walk, index)
        target = node & _SQUARE
        piece = piece_code(sides.own, sides.their, target)
        count = append_if(moves, count, encode(origin, target), ~piece & ONE)
        index = node >> (piece & _SHIFT) & _INDEX
        if index == NO_NODE:
            return count


generate = rays.make_generator(rays.each_piece(_append_moves))


DENSE_LIST = Technique(
    name=TechniqueName.DENSE_LIST,
    origin="M. R. Brades, 2012",
    build=build,
)
