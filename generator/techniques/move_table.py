"""Move tables: one list of targets per piece and square, each with its jump (B. Moreland, in Ferret).

A free target leads to the next entry, an occupied one jumps to the first entry of the next ray. A
sentinel, which is no square, ends each list, and the jumps of its last ray lead there too.

    rook on e4    north        east      south     west         end
    entry          0  1  2  3   4  5  6   7  8  9  10 11 12 13  14
    square        e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4   -
    jump           4  4  4  4   7  7  7  10 10 10  14 14 14 14

These are the two squares of the butterfly boards without their gaps: only targets that the piece
can reach have an entry, and the next position needs no room, being the next entry. Knights and
kings have rays of one square. An entry has 32 bits, the square in the lowest eight.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board, ours, theirs
from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, load32, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from ..kernels.sliders.lookup import Tables
from ..types.pieces import Kind
from . import rays
from .names import TechniqueName
from .rules import append_pawns
from .technique import Table, Technique
from .vocabulary import append, is_occupied

KINDS = (*rays.SLIDERS, Kind.KNIGHT, Kind.KING)
SENTINEL = 255

_KNIGHT, _KING = np.uint64(3 * 64), np.uint64(4 * 64)
_END, _BYTE, _8 = np.uint64(SENTINEL), np.uint64(255), np.uint64(8)


def build() -> Table:
    """Return the first entry of each piece and square, then the lists: squares, and jumps as places in the table."""
    table = [0] * (len(KINDS) * 64)
    for number, kind in enumerate(KINDS):
        for origin in range(64):
            table[number * 64 + origin] = start = len(table)
            table += [start + step.blocked << 8 | step.target for step in rays.steps(kind, origin)]
            table.append(SENTINEL)
    return np.array(table, dtype=np.uint32)


@inline
def _append_lists(
    walk: np.uint64,
    heads: np.uint64,
    pieces: np.uint64,
    their: np.uint64,
    occupied: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Store the moves of pieces of the kind whose lists start at `heads`."""
    while pieces != ZERO:
        origin = lsb(pieces)
        place = load32(walk, heads + origin)
        entry = load32(walk, place)
        while entry != _END:
            target = entry & _BYTE
            if is_occupied(occupied, target) == ZERO:
                count = append(moves, count, encode(origin, target))
                place += ONE
            else:
                if is_occupied(their, target) == ONE:
                    count = append(moves, count, encode(origin, target))
                place = entry >> _8
            entry = load32(walk, place)
        pieces = rest(pieces)
    return count


@subroutine
def generate(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves but castling; return their number. `walk` is the address of the table."""
    their = theirs(board)
    occupied = ours(board) | their
    queens, rooks, bishops = rays.sliders(board)
    count = _append_lists(walk, rays.QUEEN, queens, their, occupied, moves, ZERO)
    count = _append_lists(walk, rays.ROOK, rooks, their, occupied, moves, count)
    count = _append_lists(walk, rays.BISHOP, bishops, their, occupied, moves, count)
    count = _append_lists(walk, _KNIGHT, board.knights, their, occupied, moves, count)
    count = _append_lists(walk, _KING, board.king, their, occupied, moves, count)
    return append_pawns(tables, board, moves, count)


MOVE_TABLE = Technique(
    name=TechniqueName.MOVE_TABLE,
    origin="B. Moreland, Ferret",
    idea="a list of targets, each with the place to go on at when it is occupied",
    cost="a blocked ray is left by one jump; the branch on it is hard to predict on a crowded board",
    build=build,
)
