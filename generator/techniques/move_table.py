"""Move tables: one list of targets per piece type and square, each with a jump (B. Moreland, in Ferret).

A free target leads to the next entry, an occupied one jumps to the first entry of the next ray. Each list ends with a
sentinel, which is not a square; the jumps of the last ray lead there, too.

    rook on e4    north        east      south     west         end
    entry          0  1  2  3   4  5  6   7  8  9  10 11 12 13  14
    square        e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4   -
    jump           4  4  4  4   7  7  7  10 10 10  14 14 14 14

This is a butterfly board without gaps: only targets that the piece can reach have an entry, and the next position need
not be stored, because it is the next entry. Knights and kings have rays of one square. An entry has 32 bits, with the
square in the lowest eight.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, load32
from ..kernels.machine.jit import inline
from ..kernels.sliders.lookup import Tables
from ..types.pieces import PieceType
from . import rays
from .operations import append, append_pawns, is_occupied
from .rays import Occupancy
from .technique import Table, Technique, TechniqueName

KINDS = (*rays.SLIDERS, PieceType.KNIGHT, PieceType.KING)
SENTINEL = 255

_KNIGHT, _KING = np.uint64(3 * 64), np.uint64(4 * 64)
_END, _BYTE, _8 = np.uint64(SENTINEL), np.uint64(255), np.uint64(8)


def build() -> Table:
    """Return the table: the index of the first entry of each piece type and square, followed by the entries.

    An entry is a target square and a jump.
    """
    table = [0] * (len(KINDS) * 64)
    for number, kind in enumerate(KINDS):
        for origin in range(64):
            table[number * 64 + origin] = start = len(table)
            table += [start + step.blocked << 8 | step.target for step in rays.steps(kind, origin)]
            table.append(SENTINEL)
    return np.array(table, dtype=np.uint32)


@inline
def _append_moves(
    walk: np.uint64, head: np.uint64, origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a piece whose list starts at the entry indexed by `head`."""
    place = load32(walk, head)
    entry = load32(walk, place)
    while entry != _END:
        target = entry & _BYTE
        if is_occupied(sides.both, target) == ZERO:
            count = append(moves, count, encode(origin, target))
            place += ONE
        else:
            if is_occupied(sides.their, target) == ONE:
                count = append(moves, count, encode(origin, target))
            place = entry >> _8
        entry = load32(walk, place)
    return count


_append_pieces = rays.each_piece(_append_moves)


@inline
def _append_others(
    tables: Tables, walk: np.uint64, board: Board, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    count = _append_pieces(walk, _KNIGHT, board.knights, sides, moves, count)
    count = _append_pieces(walk, _KING, board.king, sides, moves, count)
    return append_pawns(tables, board, moves, count)


generate = rays.make_generator(_append_pieces, _append_others)


MOVE_TABLE = Technique(
    name=TechniqueName.MOVE_TABLE,
    origin="B. Moreland, Ferret",
    build=build,
)
