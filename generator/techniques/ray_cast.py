"""Rays cast step by step, without tables; every move is tried on a copy of the board.

    for each direction of the piece
        step on while file and rank change as expected (see `ray_cast_moves`)
            own piece: stop       opponent's piece: capture and stop       empty: go on

    rook on e4, an opponent's knight on e6, an own pawn on c4:

        north  e5  e6 x           east   f4  g4  h4  (32 is not a step)
        west   d4  (own pawn)     south  e3  e2  e1  (-4 is not a square)

A filter keeps the legal moves. The king may not move next to the other king or to an attacked square. A pinned piece
may not leave its ray; this is tested first because it is cheap. All remaining moves are made on a copy of the board.
Rays are then cast from the king as if it were each piece type in turn; if a ray meets a piece of that type, the king is
in check. For castling, the king is tried on every square of its path.
"""

from __future__ import annotations

import numpy as np

from ..kernels.board import Board
from ..kernels.encoding import BUFFER_BYTES, CASTLING, KIND_MASK, bit, origin_of, target_of
from ..kernels.machine.bits import ONE, ZERO, load, load16, lsb, rest, store, store16
from ..kernels.machine.jit import inline, kernel, subroutine
from ..kernels.machine.memory import NODES, STOP
from ..kernels.sliders.lookup import Tables
from .operations import PieceSets, is_occupied_on_trial
from .ray_cast_moves import (
    BISHOP_STEPS,
    NORTH_EAST,
    NORTH_WEST,
    ROOK_STEPS,
    SOUTH_EAST,
    SOUTH_WEST,
    RayCastBoard,
    are_adjacent,
    castled_king,
    files_apart,
    from_board,
    generate,
    is_step,
    ranks_apart,
    simulate_move,
    step,
)
from .technique import Technique, TechniqueName

_2, _4 = np.uint64(2), np.uint64(4)


@inline
def _sees(
    square: np.uint64, delta: np.uint64, files: np.uint64, ranks: np.uint64, occupied: np.uint64, sliders: np.uint64
) -> bool:
    """Return True if the first piece on a ray from `square` is one of `sliders`."""
    while True:
        target = step(square, delta)
        if not is_step(square, target, files, ranks):
            return False
        if is_occupied_on_trial(occupied, target) == ONE:
            return bool(is_occupied_on_trial(sliders, target) == ONE)
        square = target


@inline
def _is_pawn(square: np.uint64, delta: np.uint64, pawns: np.uint64) -> bool:
    """Return True if a pawn stands one diagonal step from `square`."""
    target = step(square, delta)
    return bool(is_step(square, target, ONE, ONE) and is_occupied_on_trial(pawns, target) == ONE)


@subroutine
def is_attacked(square: np.uint64, occupied: np.uint64, sets: PieceSets, side: np.uint64) -> bool:
    """Return True if these pieces of `side` attack a square. The king is tested last, because it never gives check."""
    if side == ZERO:
        if _is_pawn(square, SOUTH_WEST, sets.pawns) or _is_pawn(square, SOUTH_EAST, sets.pawns):
            return True
    elif _is_pawn(square, NORTH_WEST, sets.pawns) or _is_pawn(square, NORTH_EAST, sets.pawns):
        return True
    knights = sets.knights
    while knights != ZERO:
        knight = lsb(knights)
        # For a knight's move, the product of files and ranks is 2.
        if files_apart(square, knight) * ranks_apart(square, knight) == _2:
            return True
        knights = rest(knights)
    # If there are no sliders, no rays need to be cast.
    orthogonals, diagonals = sets.rooks | sets.queens, sets.bishops | sets.queens
    if orthogonals != ZERO:
        for delta, files, ranks in ROOK_STEPS:
            if _sees(square, delta, files, ranks, occupied, orthogonals):
                return True
    if diagonals != ZERO:
        for delta, files, ranks in BISHOP_STEPS:
            if _sees(square, delta, files, ranks, occupied, diagonals):
                return True
    return are_adjacent(square, lsb(sets.king))


@inline
def _pin_line(
    king: np.uint64,
    delta: np.uint64,
    files: np.uint64,
    ranks: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
    sliders: np.uint64,
) -> np.uint64:
    """Return the ray from the king to one of `sliders` if exactly one piece, an own one, stands on it, otherwise 0.

    Only the first two pieces matter; pieces beyond the slider do not affect the pin.
    """
    line, square, is_shielded = ZERO, king, False
    while True:
        target = step(square, delta)
        if not is_step(square, target, files, ranks):
            return ZERO
        line |= bit(target)
        if is_occupied_on_trial(occupied, target) == ONE:
            if is_shielded:
                return line if is_occupied_on_trial(sliders, target) == ONE else ZERO
            if is_occupied_on_trial(own, target) == ZERO:
                return ZERO
            is_shielded = True
        square = target


@subroutine
def pin_lines(board: RayCastBoard) -> np.uint64:
    """Return the rays on which own pieces are pinned to the king, including the pinning sliders."""
    king, lines = lsb(board.ours.king), ZERO
    for delta, files, ranks in ROOK_STEPS:
        sliders = board.theirs.rooks | board.theirs.queens
        lines |= _pin_line(king, delta, files, ranks, board.own, board.occupied, sliders)
    for delta, files, ranks in BISHOP_STEPS:
        sliders = board.theirs.bishops | board.theirs.queens
        lines |= _pin_line(king, delta, files, ranks, board.own, board.occupied, sliders)
    return lines


@inline
def _they_attack(board: RayCastBoard, square: np.uint64, occupied: np.uint64) -> bool:
    return is_attacked(square, occupied, board.theirs, board.side ^ ONE)


@inline
def _is_safe_after(board: RayCastBoard, move: np.uint64) -> bool:
    """Return True if the king is safe after the move, which is made on a copy of the board."""
    after = simulate_move(board, move)
    return not is_attacked(lsb(after.theirs.king), after.occupied, after.ours, after.side)


@inline
def _castling_is_safe(board: RayCastBoard, king: np.uint64, rook: np.uint64) -> bool:
    """Return True if the king is safe on each square of its path, including both ends."""
    landing = castled_king(king, rook)
    without = board.occupied ^ board.ours.king
    return (
        not _they_attack(board, king, board.occupied)
        and not _they_attack(board, (king + landing) >> ONE, without | bit((king + landing) >> ONE))
        and not _they_attack(board, landing, without | bit(landing))
    )


@inline
def _is_legal(board: RayCastBoard, lines: np.uint64, move: np.uint64) -> bool:
    """Return True if a pseudo-legal move is legal; `lines` are the rays with pinned pieces.

    A pinned piece that moves from its ray to another one passes the first test, but fails when the move is tried.
    """
    origin, target = origin_of(move), target_of(move)
    if move & KIND_MASK == CASTLING:
        return _castling_is_safe(board, origin, target)
    if bit(origin) == board.ours.king:
        if are_adjacent(target, lsb(board.theirs.king)) or _they_attack(board, target, board.occupied):
            return False
    elif bit(origin) & lines != ZERO and bit(target) & lines == ZERO:
        return False
    return _is_safe_after(board, move)


@inline
def _legal_moves(board: RayCastBoard, moves: np.uint64) -> np.uint64:
    found = generate(board, moves)
    lines = pin_lines(board)
    count = ZERO
    for index in range(found):
        move = load16(moves, np.uint64(index))
        store16(moves, count, move)
        if _is_legal(board, lines, move):
            count += ONE
    return count


@subroutine
def _count(board: RayCastBoard, depth: np.uint64, control: np.uint64, moves: np.uint64) -> np.uint64:
    """Return the number of leaf nodes, copying the board once to try a move and again to play it."""
    found = _legal_moves(board, moves)
    if depth == ONE:
        return found
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for index in range(found):
        child = simulate_move(board, load16(moves, np.uint64(index)))
        count += _count(child, depth - ONE, control, moves + BUFFER_BYTES)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count


@kernel
def list_moves_by_ray_cast(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write the legal moves; return their number. No tables are used."""
    return _legal_moves(from_board(board), moves)


@kernel
def count_leaves_by_ray_cast(
    tables: Tables, walk: np.uint64, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaf nodes at `depth`, which is at least 1; see `count_leaves_by_list`."""
    return _count(from_board(board), depth, control, moves)


RAY_CAST = Technique(
    name=TechniqueName.RAY_CAST,
    origin="chess-engine, in C++",
    chess960=False,
)
