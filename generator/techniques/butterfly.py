"""Butterfly boards: each square names the next one, by piece type and origin (H. E. Sandström, GNU Chess 1.55, 1989).

Designed for hardware: everything that does not depend on the other pieces is computed in advance. For each piece type,
origin and target, two squares are stored: the next position, which follows if the target is free, and the first square
of the next direction, which follows if it is occupied. The origin marks the end of the walk.

    rook on e4       e4  e5  e6  e7  e8  f4  g4  h4  e3  e2  e1  d4  c4  b4  a4
    next position    e5  e6  e7  e8  f4  g4  h4  e3  e2  e1  d4  c4  b4  a4  e4
    next direction    -  f4  f4  f4  f4  e3  e3  e3  d4  d4  d4  e4  e4  e4  e4

Knights and kings have rays of one square, so the same loop handles all pieces. Pawns have two threads: their pushes are
linked by next position, their captures by next direction. 8 boards x 64 origins x 64 targets x 2 bytes are 64 KiB
(twice that in GNU Chess, with 16-bit numbers). This wastes memory, because most targets are never reached, but saves
registers, because the square itself is the pointer. Boards 0 (no piece) and 7 (pawns that move down the board) stay
empty here, because the side to move always moves up.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..kernels import geometry
from ..kernels.board import Board
from ..kernels.encoding import encode
from ..kernels.machine.bits import ONE, ZERO, load8
from ..kernels.machine.jit import inline
from ..kernels.sliders.lookup import Tables
from ..types.pieces import PieceType
from . import rays
from .operations import append, append_en_passant, append_pawn_move, is_occupied
from .rays import Occupancy
from .technique import Table, Technique, TechniqueName

_PAWN, _KNIGHT, _BISHOP, _ROOK, _QUEEN, _KING = (np.uint64((kind + 1) * 64) for kind in PieceType)
"""Offset of the boards of each piece type, which has one board of 64 squares per origin."""
_POSITION, _DIRECTION = ZERO, ONE
_7 = np.uint64(7)
_PAWN_CAPTURES: tuple[geometry.Direction, ...] = ((-1, 1), (1, 1))
_RANK_2 = range(8, 16)


def build() -> Table:
    """Return next position and next direction, one byte each, by piece type, origin and target."""
    table = np.zeros((8, 64, 64, 2), dtype=np.uint8)
    for origin in range(64):
        table[:, origin] = origin
        _thread_pawn(table[PieceType.PAWN + 1, origin], origin)
        for kind in PieceType:
            if kind is not PieceType.PAWN:
                _thread(table[kind + 1, origin], kind, origin)
    return table


def _thread(squares: Table, kind: PieceType, origin: int) -> None:
    steps = rays.steps(kind, origin)
    targets = [*(step.target for step in steps), origin]
    squares[origin, _POSITION] = targets[0]
    for number, step in enumerate(steps):
        squares[step.target] = targets[number + 1], targets[step.blocked]


def _thread_pawn(squares: Table, origin: int) -> None:
    pushes = geometry.ray(origin, (0, 1))[: 2 if origin in _RANK_2 else 1]
    captures = [target for step in _PAWN_CAPTURES for target in geometry.ray(origin, step)[:1]]
    for threaded, column in ((pushes, _POSITION), (captures, _DIRECTION)):
        for square, following in pairwise((origin, *threaded, origin)):
            squares[square, column] = following


@inline
def _next(board: np.uint64, square: np.uint64, column: np.uint64) -> np.uint64:
    return load8(board, square << ONE | column)


@inline
def _append_moves(
    walk: np.uint64, head: np.uint64, origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a piece in one loop, which ends at the origin."""
    squares = walk + (head << _7)
    target = _next(squares, origin, _POSITION)
    while target != origin:
        if is_occupied(sides.both, target) == ZERO:
            count = append(moves, count, encode(origin, target))
            target = _next(squares, target, _POSITION)
        else:
            if is_occupied(sides.their, target) == ONE:
                count = append(moves, count, encode(origin, target))
            target = _next(squares, target, _DIRECTION)
    return count


@inline
def _append_pawn_moves(
    walk: np.uint64, head: np.uint64, origin: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of a pawn except en passant: first the thread of pushes, then the thread of captures."""
    squares = walk + (head << _7)
    target = _next(squares, origin, _POSITION)
    while target != origin and is_occupied(sides.both, target) == ZERO:
        count = append_pawn_move(moves, count, origin, target)
        target = _next(squares, target, _POSITION)
    target = _next(squares, origin, _DIRECTION)
    while target != origin:
        if is_occupied(sides.their, target) == ONE:
            count = append_pawn_move(moves, count, origin, target)
        target = _next(squares, target, _DIRECTION)
    return count


_append_pieces, _append_pawns = rays.each_piece(_append_moves), rays.each_piece(_append_pawn_moves)


@inline
def _append_others(
    tables: Tables, walk: np.uint64, board: Board, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    count = _append_pieces(walk, _KNIGHT, board.knights, sides, moves, count)
    count = _append_pieces(walk, _KING, board.king, sides, moves, count)
    count = _append_pawns(walk, _PAWN, board.pawns, sides, moves, count)
    return append_en_passant(board, moves, count)


generate = rays.make_generator(_append_pieces, _append_others, (_QUEEN, _ROOK, _BISHOP))


BUTTERFLY = Technique(
    name=TechniqueName.BUTTERFLY,
    origin="H. E. Sandström, GNU Chess 1.55, 1989",
    build=build,
)
