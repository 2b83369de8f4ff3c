"""Ray by ray: a delta per direction, and the last square of each ray (A. Bell, in Atlas, 1972).

    for each direction of the piece
        unless the square is the last of its ray
            go on by the delta until the last square, an own piece, or an opponent's, which is captured

    rook on e4:  delta  +8  last e8     delta  +1  last h4
                 delta  -8  last e1     delta  -1  last a4

The table has one byte per direction and square: 8 x 64 last squares, and 8 deltas. The board needs no border, because
no step ever leaves it.
"""

from __future__ import annotations

import numpy as np

from ..kernels import geometry
from ..kernels.board import Board, ours, theirs
from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, load8, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from ..kernels.sliders.lookup import Tables
from .operations import append, append_pawns, append_steppers, is_occupied
from .technique import Table, Technique, TechniqueName

_DIRECTIONS = geometry.ROOK_DIRECTIONS + geometry.BISHOP_DIRECTIONS
_DELTAS = np.uint64(64 * 8)
_4, _6, _63 = np.uint64(4), np.uint64(6), np.uint64(63)


def build() -> Table:
    """Return the last square of each ray, by direction and origin, then the delta of each direction, in bytes."""
    table = np.zeros(8 * 64 + 8, dtype=np.uint8)
    for number, direction in enumerate(_DIRECTIONS):
        for origin in range(64):
            table[number * 64 + origin] = (origin, *geometry.ray(origin, direction))[-1]
        table[int(_DELTAS) + number] = (direction[0] + 8 * direction[1]) % 256
    return table


@inline
def _append_rays(
    walk: np.uint64,
    pieces: np.uint64,
    first: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Store the moves of pieces in four directions, starting with direction `first`."""
    while pieces != ZERO:
        origin = lsb(pieces)
        for number in range(first, first + _4):
            direction = np.uint64(number)
            delta = load8(walk, _DELTAS + direction)
            last = load8(walk, direction << _6 | origin)
            target = origin
            while target != last:
                target = target + delta & _63
                if is_occupied(own, target) == ONE:
                    break
                count = append(moves, count, encode(origin, target))
                if is_occupied(occupied, target) == ONE:
                    break
        pieces = rest(pieces)
    return count


@subroutine
def generate(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves except castling; return their number. `walk` is the address of the table."""
    own = ours(board)
    occupied = own | theirs(board)
    count = _append_rays(walk, board.orthogonals, ZERO, own, occupied, moves, ZERO)
    count = _append_rays(walk, board.diagonals, _4, own, occupied, moves, count)
    count = append_steppers(tables, board, moves, count)
    return append_pawns(tables, board, moves, count)


RAY_DELTA = Technique(
    name=TechniqueName.RAY_DELTA,
    origin="A. Bell, Atlas, 1972",
    build=build,
)
