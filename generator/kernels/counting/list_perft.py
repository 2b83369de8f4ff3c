"""Perft with move lists, and counts of leaf moves by kind."""

from __future__ import annotations

import numpy as np

from ..board import Board, ours, theirs
from ..castling import rook_target
from ..encoding import BUFFER_BYTES, CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, bit, origin_of, target_of
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, byteswap, load, load16, lsb, rest, store
from ..machine.jit import inline, kernel
from ..machine.memory import NODES, STOP
from ..play import play
from ..safety import king_safety
from ..sliders.lookup import Tables
from .last_ply import count_legal

_3, _4 = (np.uint64(number) for number in (3, 4))


@kernel
def count_leaves_by_list(
    tables: Tables, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64
) -> np.uint64:
    """Return the number of leaf nodes at `depth`, which is at least 1.

    `moves` is the address of one move buffer per ply, `control` that of a `Control`. If a stop is requested, the walk
    ends early and the count is meaningless.
    """
    # At the last ply, the length of the list is the count; no move is played.
    found = generate_legal(tables, board, moves)
    if depth == ONE:
        return found
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for index in range(found):
        child = play(board, load16(moves, np.uint64(index)))
        count += count_leaves_by_list(tables, child, depth - ONE, control, moves + BUFFER_BYTES)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count


COUNTERS = 9
"""Number of counters, in the order of the fields of `counting.perft.Stats`."""

LEAVES, CAPTURES, EN_PASSANTS, CASTLES, PROMOTIONS, CHECKS, DISCOVERED, DOUBLE, MATES = (
    np.uint64(place) for place in range(COUNTERS)
)


@inline
def _add(counters: np.uint64, place: np.uint64) -> None:
    store(counters, place, load(counters, place) + ONE)


@inline
def _checkers(tables: Tables, board: Board) -> np.uint64:
    return king_safety(tables, board, lsb(board.king), ours(board) | theirs(board)).checkers


@inline
def _count_move(tables: Tables, board: Board, move: np.uint64, counters: np.uint64) -> None:
    """Increment the counters of all kinds to which a leaf move belongs."""
    kind = move & KIND_MASK
    landed = target_of(move)
    _add(counters, LEAVES)
    if kind == CASTLING:
        _add(counters, CASTLES)
        # In castling, only the rook can give direct check.
        landed = rook_target(origin_of(move), target_of(move))
    elif kind == EN_PASSANT:
        _add(counters, EN_PASSANTS)
        _add(counters, CAPTURES)
    elif bit(landed) & theirs(board) != ZERO:
        _add(counters, CAPTURES)
    if kind == PROMOTION:
        _add(counters, PROMOTIONS)
    # The child is from the opponent's view, so our squares are mirrored before the comparison.
    child = play(board, move)
    checkers = _checkers(tables, child)
    if checkers == ZERO:
        return
    _add(counters, CHECKS)
    if rest(checkers) != ZERO:
        _add(counters, DOUBLE)
    elif checkers & byteswap(bit(landed)) == ZERO:
        _add(counters, DISCOVERED)
    if count_legal(tables, child) == ZERO:
        _add(counters, MATES)


@kernel
def count_kinds(
    tables: Tables, board: Board, depth: np.uint64, control: np.uint64, moves: np.uint64, counters: np.uint64
) -> np.uint64:
    """Count the leaf moves at `depth` by kind, in the counters at address `counters`.

    `moves` is the address of one move buffer per ply, `control` that of a `Control`. Returns the number of leaf nodes
    counted so far. If a stop is requested, the counts are meaningless.
    """
    found = generate_legal(tables, board, moves)
    if depth >= _3 and load(control, STOP) != ZERO:
        return ZERO
    for index in range(found):
        move = load16(moves, np.uint64(index))
        if depth == ONE:
            _count_move(tables, board, move, counters)
        else:
            count_kinds(tables, play(board, move), depth - ONE, control, moves + BUFFER_BYTES, counters)
    if depth == _3:
        store(control, NODES, load(counters, LEAVES))
    return load(counters, LEAVES)
