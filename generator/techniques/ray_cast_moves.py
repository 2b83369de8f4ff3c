"""The pseudo-legal moves of the ray-cast technique: every target found by a checked step, one at a time."""

from __future__ import annotations

import numpy as np

from ..kernels.encoding import BISHOP, CASTLING, EN_PASSANT, KNIGHT, PROMOTION, QUEEN, ROOK, bit, encode
from ..kernels.machine.bits import ONE, ZERO, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from .ray_cast_board import RayCastBoard
from .ray_cast_rays import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    files_apart,
    is_step,
    step,
)
from .vocabulary import append, is_occupied

_LAST_RANKS = np.uint64(0xFF000000_000000FF)
_H1, _56 = np.uint64(7), np.uint64(56)
_2, _3, _4, _8 = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)
_KNIGHT_DELTAS = tuple(np.uint64(delta % 128) for delta in (17, 10, -6, -15, -17, -10, 6, 15))
_N0, _N1, _N2, _N3, _N4, _N5, _N6, _N7 = _KNIGHT_DELTAS


@inline
def _append_ray(
    board: RayCastBoard,
    origin: np.uint64,
    delta: np.uint64,
    files: np.uint64,
    ranks: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Store the moves along one ray: up to an own piece, or on to an enemy, or to the edge."""
    square = origin
    while True:
        target = step(square, delta)
        if not is_step(square, target, files, ranks) or is_occupied(board.own, target) == ONE:
            return count
        count = append(moves, count, encode(origin, target))
        if is_occupied(board.their, target) == ONE:
            return count
        square = target


@inline
def _append_step(
    board: RayCastBoard,
    origin: np.uint64,
    delta: np.uint64,
    files: np.uint64,
    ranks: np.uint64,
    moves: np.uint64,
    count: np.uint64,
) -> np.uint64:
    """Store the move by a single step."""
    target = step(origin, delta)
    if is_step(origin, target, files, ranks) and is_occupied(board.own, target) == ZERO:
        count = append(moves, count, encode(origin, target))
    return count


@inline
def _append_knights(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    knights = board.knights
    while knights != ZERO:
        origin = lsb(knights)
        count = _append_step(board, origin, _N0, ONE, _2, moves, count)
        count = _append_step(board, origin, _N1, _2, ONE, moves, count)
        count = _append_step(board, origin, _N2, _2, ONE, moves, count)
        count = _append_step(board, origin, _N3, ONE, _2, moves, count)
        count = _append_step(board, origin, _N4, ONE, _2, moves, count)
        count = _append_step(board, origin, _N5, _2, ONE, moves, count)
        count = _append_step(board, origin, _N6, _2, ONE, moves, count)
        count = _append_step(board, origin, _N7, ONE, _2, moves, count)
        knights = rest(knights)
    return count


@inline
def _append_sliders(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    pieces = board.bishops | board.queens
    while pieces != ZERO:
        origin = lsb(pieces)
        count = _append_ray(board, origin, NORTH_EAST, ONE, ONE, moves, count)
        count = _append_ray(board, origin, SOUTH_EAST, ONE, ONE, moves, count)
        count = _append_ray(board, origin, SOUTH_WEST, ONE, ONE, moves, count)
        count = _append_ray(board, origin, NORTH_WEST, ONE, ONE, moves, count)
        pieces = rest(pieces)
    pieces = board.rooks | board.queens
    while pieces != ZERO:
        origin = lsb(pieces)
        count = _append_ray(board, origin, NORTH, ZERO, ONE, moves, count)
        count = _append_ray(board, origin, EAST, ONE, ZERO, moves, count)
        count = _append_ray(board, origin, SOUTH, ZERO, ONE, moves, count)
        count = _append_ray(board, origin, WEST, ONE, ZERO, moves, count)
        pieces = rest(pieces)
    return count


@inline
def _append_king(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    king = lsb(board.king)
    count = _append_step(board, king, NORTH, ZERO, ONE, moves, count)
    count = _append_step(board, king, NORTH_EAST, ONE, ONE, moves, count)
    count = _append_step(board, king, EAST, ONE, ZERO, moves, count)
    count = _append_step(board, king, SOUTH_EAST, ONE, ONE, moves, count)
    count = _append_step(board, king, SOUTH, ZERO, ONE, moves, count)
    count = _append_step(board, king, SOUTH_WEST, ONE, ONE, moves, count)
    count = _append_step(board, king, WEST, ONE, ZERO, moves, count)
    return _append_step(board, king, NORTH_WEST, ONE, ONE, moves, count)


@inline
def _append_pawn_move(moves: np.uint64, count: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Store a pawn's move, or on the last rank of either side its four promotions."""
    move = encode(origin, target)
    if bit(target) & _LAST_RANKS == ZERO:
        return append(moves, count, move)
    count = append(moves, count, PROMOTION | move | QUEEN)
    count = append(moves, count, PROMOTION | move | ROOK)
    count = append(moves, count, PROMOTION | move | BISHOP)
    return append(moves, count, PROMOTION | move | KNIGHT)


@inline
def _append_pawn_capture(
    board: RayCastBoard, origin: np.uint64, delta: np.uint64, moves: np.uint64, count: np.uint64
) -> np.uint64:
    target = step(origin, delta)
    if is_step(origin, target, ONE, ONE) and is_occupied(board.their, target) == ONE:
        count = _append_pawn_move(moves, count, origin, target)
    return count


@inline
def _append_en_passant(board: RayCastBoard, origin: np.uint64, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store en passant under its three conditions: the taker's rank, a file beside, and a pawn of theirs to take."""
    target = lsb(board.en_passant)
    rank = _4 if board.side == ZERO else _3
    victim = target - _8 if board.side == ZERO else target + _8
    if origin >> _3 == rank and files_apart(origin, target) == ONE and is_occupied(board.their_pawns, victim) == ONE:
        count = append(moves, count, EN_PASSANT | encode(origin, target))
    return count


@inline
def _append_pawns(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    goes_up = board.side == ZERO
    forward = NORTH if goes_up else SOUTH
    start = ONE if goes_up else np.uint64(6)
    pawns = board.pawns
    while pawns != ZERO:
        origin = lsb(pawns)
        target = step(origin, forward)
        if is_occupied(board.occupied, target) == ZERO:
            count = _append_pawn_move(moves, count, origin, target)
            target = step(target, forward)
            if origin >> _3 == start and is_occupied(board.occupied, target) == ZERO:
                count = append(moves, count, encode(origin, target))
        count = _append_pawn_capture(board, origin, NORTH_WEST if goes_up else SOUTH_WEST, moves, count)
        count = _append_pawn_capture(board, origin, NORTH_EAST if goes_up else SOUTH_EAST, moves, count)
        if board.en_passant != ZERO:
            count = _append_en_passant(board, origin, moves, count)
        pawns = rest(pawns)
    return count


@inline
def _append_castling(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store castling where the rook is in its place and the way is empty; the filter sees to the rest."""
    king, first = lsb(board.king), board.side * _56
    if board.castling & board.own == ZERO:
        return count
    way = is_occupied(board.occupied, king + ONE) | is_occupied(board.occupied, king + _2)
    if is_occupied(board.castling & board.rooks, first + _H1) == ONE and way == ZERO:
        count = append(moves, count, CASTLING | encode(king, first + _H1))
    way = is_occupied(board.occupied, king - ONE) | is_occupied(board.occupied, king - _2)
    way |= is_occupied(board.occupied, king - _3)
    if is_occupied(board.castling & board.rooks, first) == ONE and way == ZERO:
        count = append(moves, count, CASTLING | encode(king, first))
    return count


@subroutine
def generate(board: RayCastBoard, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves; return their number."""
    count = _append_pawns(board, moves, ZERO)
    count = _append_knights(board, moves, count)
    count = _append_sliders(board, moves, count)
    count = _append_king(board, moves, count)
    return _append_castling(board, moves, count)
