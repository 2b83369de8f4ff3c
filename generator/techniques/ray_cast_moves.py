"""The board of the ray-cast technique, and move generation one checked step at a time.

The board has twelve bitboards, and three occupancies. There is no mailbox: a capture clears its square on all six
bitboards that could contain it. The occupancies are recomputed from the twelve bitboards after each change, so that
they are always consistent. The board is not mirrored after a move. The two sides exchange their roles, and `side`
states in which direction the pawns of the side to move go (0: up, 1: down).

A direction is described by what it adds to the number of a square, and by how many files and ranks a step must change.
On a board of 64 squares, a step off the right edge lands on the left edge one rank up: the number is valid, but the
file has changed by seven. So each step is checked after it is made.

    rook on e4 = 28    + 1  ->  29 30 31     then 32 = a5: seven files away, not a step of a rook
                       + 8  ->  36 44 52 60  then 68: beyond the board

Numbers are computed modulo 128, so that one comparison also detects a step below the first rank.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels import geometry
from ..kernels.board import Board
from ..kernels.encoding import (
    BISHOP,
    CASTLING,
    EN_PASSANT,
    KIND_MASK,
    KNIGHT,
    NORMAL,
    PROMOTION,
    PROMOTION_MASK,
    QUEEN,
    ROOK,
    bit,
    encode,
    origin_of,
    target_of,
)
from ..kernels.machine.bits import ONE, ZERO, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from .operations import (
    PieceSets,
    all_of,
    append,
    append_pawn_move,
    is_occupied,
    our_sets,
    their_sets,
    without,
)

_2, _3, _4, _7, _8, _16, _56, _64, _127 = (np.uint64(number) for number in (2, 3, 4, 7, 8, 16, 56, 64, 127))
_H1 = np.uint64(7)


class RayCastBoard(NamedTuple):
    """The pieces of both sides, the occupancies, and the state.

    `ours` and `own` belong to the side to move. `en_passant` is the square that a pawn has just passed, `castling` the
    rooks with castling rights.
    """

    ours: PieceSets
    theirs: PieceSets
    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    en_passant: np.uint64
    castling: np.uint64
    side: np.uint64


@inline
def from_sets(
    mover: PieceSets, other: PieceSets, en_passant: np.uint64, castling: np.uint64, side: np.uint64
) -> RayCastBoard:
    """Return a board of twelve bitboards with its occupancies."""
    own, their = all_of(mover), all_of(other)
    return RayCastBoard(mover, other, own, their, own | their, en_passant, castling, side)


@inline
def from_board(board: Board) -> RayCastBoard:
    """Convert a board; the side to move moves up the board."""
    return from_sets(our_sets(board), their_sets(board), board.en_passant, board.castling, ZERO)


@inline
def _move(pieces: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return a bitboard with the piece on `origin`, if any, moved to `target`."""
    return pieces ^ origin | target if pieces & origin != ZERO else pieces


@inline
def castled_king(king: np.uint64, rook: np.uint64) -> np.uint64:
    """Return the king's destination, two steps toward the rook."""
    return king + _2 if rook > king else king - _2


@inline
def simulate_move(board: RayCastBoard, move: np.uint64) -> RayCastBoard:
    """Return a copy of the board after a pseudo-legal move, with the sides exchanged."""
    kind = move & KIND_MASK
    origin, target = bit(origin_of(move)), bit(target_of(move))
    rights = board.castling & ~(origin | target)
    pawns, knights, bishops, rooks, queens, king = board.ours
    if origin == king:
        rights &= ~board.own
    taken, passed = target, ZERO
    if kind == CASTLING:
        landing = castled_king(origin_of(move), target_of(move))
        king = bit(landing)
        rooks = rooks ^ target | bit((landing + origin_of(move)) >> ONE)
    elif kind == PROMOTION:
        piece = move & PROMOTION_MASK
        pawns ^= origin
        knights |= target if piece == KNIGHT else ZERO
        bishops |= target if piece == BISHOP else ZERO
        rooks |= target if piece == ROOK else ZERO
        queens |= target if piece == QUEEN else ZERO
    else:
        if kind == EN_PASSANT:
            taken = target >> _8 if board.side == ZERO else target << _8
        # A double push changes only one bit of the square number: a2 is 8, a4 is 24.
        if kind == NORMAL and origin & pawns != ZERO and origin_of(move) ^ target_of(move) == _16:
            passed = bit((origin_of(move) + target_of(move)) >> ONE)
        pawns = _move(pawns, origin, target)
        knights = _move(knights, origin, target)
        bishops = _move(bishops, origin, target)
        rooks = _move(rooks, origin, target)
        queens = _move(queens, origin, target)
        king = _move(king, origin, target)
    moved = PieceSets(pawns, knights, bishops, rooks, queens, king)
    return from_sets(without(board.theirs, taken), moved, passed, rights, board.side ^ ONE)


NORTH, SOUTH = np.uint64(8), np.uint64(128 - 8)
NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST = (np.uint64(delta % 128) for delta in (9, -7, -9, 7))


Steps = tuple[tuple[np.uint64, np.uint64, np.uint64], ...]
"""For each step: the number added to a square, and the number of files and ranks that change."""


def _steps(*directions: geometry.Direction) -> Steps:
    return tuple(
        (np.uint64((files + 8 * ranks) % 128), np.uint64(abs(files)), np.uint64(abs(ranks)))
        for files, ranks in directions
    )


ROOK_STEPS, BISHOP_STEPS = _steps(*geometry.ROOK_DIRECTIONS), _steps(*geometry.BISHOP_DIRECTIONS)
_KING_STEPS = tuple(step for pair in zip(ROOK_STEPS, BISHOP_STEPS, strict=True) for step in pair)
_KNIGHT_STEPS = _steps(*geometry.KNIGHT_STEPS)


@inline
def distance(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the distance between two files or two ranks."""
    return first - second if first > second else second - first


@inline
def files_apart(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the distance between two squares in files."""
    return distance(first & _7, second & _7)


@inline
def ranks_apart(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the distance between two squares in ranks."""
    return distance(first >> _3, second >> _3)


@inline
def step(square: np.uint64, delta: np.uint64) -> np.uint64:
    """Return the number of the next square, which may be off the board or on the wrong file."""
    return square + delta & _127


@inline
def is_step(origin: np.uint64, target: np.uint64, files: np.uint64, ranks: np.uint64) -> bool:
    """Return True if a step stays on the board and changes file and rank by these numbers."""
    return bool(target < _64 and files_apart(origin, target) == files and ranks_apart(origin, target) == ranks)


@inline
def are_adjacent(first: np.uint64, second: np.uint64) -> bool:
    """Return True if two squares are equal or adjacent."""
    return bool(files_apart(first, second) <= ONE and ranks_apart(first, second) <= ONE)


@inline
def _append_steps(
    board: RayCastBoard, pieces: np.uint64, directions: Steps, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of knights or of the king, which are single steps."""
    while pieces != ZERO:
        origin = lsb(pieces)
        for delta, files, ranks in directions:
            target = step(origin, delta)
            if is_step(origin, target, files, ranks) and is_occupied(board.own, target) == ZERO:
                count = append(moves, count, encode(origin, target))
        pieces = rest(pieces)
    return count


@inline
def _append_rays(
    board: RayCastBoard, pieces: np.uint64, directions: Steps, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of sliders along each ray, up to an own piece, a capture, or the edge."""
    while pieces != ZERO:
        origin = lsb(pieces)
        for delta, files, ranks in directions:
            square, target = origin, step(origin, delta)
            while is_step(square, target, files, ranks) and is_occupied(board.own, target) == ZERO:
                count = append(moves, count, encode(origin, target))
                if is_occupied(board.their, target) == ONE:
                    break
                square, target = target, step(target, delta)
        pieces = rest(pieces)
    return count


@inline
def _append_pawn_capture(
    board: RayCastBoard, origin: np.uint64, delta: np.uint64, moves: np.uint64, count: np.uint64
) -> np.uint64:
    target = step(origin, delta)
    if is_step(origin, target, ONE, ONE) and is_occupied(board.their, target) == ONE:
        count = append_pawn_move(moves, count, origin, target)
    return count


@inline
def _append_en_passant(board: RayCastBoard, origin: np.uint64, moves: np.uint64, count: np.uint64) -> np.uint64:
    """Store en passant if the capturing pawn is on the correct rank and file and there is a pawn to capture."""
    target = lsb(board.en_passant)
    rank = _4 if board.side == ZERO else _3
    victim = target - _8 if board.side == ZERO else target + _8
    if origin >> _3 == rank and files_apart(origin, target) == ONE and is_occupied(board.theirs.pawns, victim) == ONE:
        count = append(moves, count, EN_PASSANT | encode(origin, target))
    return count


@inline
def _append_pawns(board: RayCastBoard, moves: np.uint64, count: np.uint64) -> np.uint64:
    goes_up = board.side == ZERO
    forward = NORTH if goes_up else SOUTH
    start = ONE if goes_up else np.uint64(6)
    pawns = board.ours.pawns
    while pawns != ZERO:
        origin = lsb(pawns)
        target = step(origin, forward)
        if is_occupied(board.occupied, target) == ZERO:
            count = append_pawn_move(moves, count, origin, target)
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
    """Store castling if the right exists and the path is empty; the filter tests the rest."""
    king, first = lsb(board.ours.king), board.side * _56
    if board.castling & board.own == ZERO:
        return count
    blockers = is_occupied(board.occupied, king + ONE) | is_occupied(board.occupied, king + _2)
    if is_occupied(board.castling & board.ours.rooks, first + _H1) == ONE and blockers == ZERO:
        count = append(moves, count, CASTLING | encode(king, first + _H1))
    blockers = is_occupied(board.occupied, king - ONE) | is_occupied(board.occupied, king - _2)
    blockers |= is_occupied(board.occupied, king - _3)
    if is_occupied(board.castling & board.ours.rooks, first) == ONE and blockers == ZERO:
        count = append(moves, count, CASTLING | encode(king, first))
    return count


@subroutine
def generate(board: RayCastBoard, moves: np.uint64) -> np.uint64:
    """Write all pseudo-legal moves; return their number."""
    count = _append_pawns(board, moves, ZERO)
    sets = board.ours
    count = _append_steps(board, sets.knights, _KNIGHT_STEPS, moves, count)
    count = _append_rays(board, sets.bishops | sets.queens, BISHOP_STEPS, moves, count)
    count = _append_rays(board, sets.rooks | sets.queens, ROOK_STEPS, moves, count)
    count = _append_steps(board, sets.king, _KING_STEPS, moves, count)
    return _append_castling(board, moves, count)
