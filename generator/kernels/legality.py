"""The legality test: whether a 16-bit integer is a legal move.

Searches test stored moves this way. The test is independent of move generation: it checks every condition directly,
without pins or check masks. It updates the occupied squares and rejects the move if an opponent's piece that was not
captured then attacks our king.
"""

from __future__ import annotations

import numpy as np

from .attacks import (
    between,
    bishop_rays,
    king_attacks,
    knight_attacks,
    pawn_attacks,
    rook_rays,
    their_attackers,
    their_pawn_attacks,
)
from .board import Board, ours, theirs
from .castling import king_target, rook_target
from .encoding import CASTLING, EN_PASSANT, KIND_MASK, NORMAL, PROMOTION, PROMOTION_MASK, bit, origin_of, target_of
from .machine.bits import ONE, ZERO, lsb, rest, store16
from .machine.jit import inline, kernel
from .pawns import RANK_8
from .sliders.lookup import Tables

PATTERNS = 1 << 16
"""Number of 16-bit integers."""

_RANK_2 = np.uint64(0xFF << 8)
_8, _16 = np.uint64(8), np.uint64(16)


@inline
def _is_safe(tables: Tables, board: Board, king: np.uint64, occupied: np.uint64, taken: np.uint64) -> bool:
    """Return True if no opponent piece except `taken` attacks our king on square `king`."""
    return bool(their_attackers(tables, board, king, occupied) & ~taken == ZERO)


@inline
def _may_castle(
    tables: Tables, board: Board, king: np.uint64, rook: np.uint64, own: np.uint64, occupied: np.uint64
) -> bool:
    """Return True if the king may castle with the piece on `rook`."""
    if bit(rook) & board.castling & own == ZERO:
        return False
    king_to, rook_to = king_target(king, rook), rook_target(king, rook)
    others = occupied ^ board.king ^ bit(rook)
    path = between(tables, king, king_to) | bit(king_to)
    if (path | between(tables, rook, rook_to) | bit(rook_to)) & others != ZERO:
        return False
    # The king's own square is tested, too, because castling out of check is illegal.
    path |= board.king
    while path != ZERO:
        if not _is_safe(tables, board, lsb(path), occupied ^ board.king, ZERO):
            return False
        path = rest(path)
    # In Chess960, the back rank may open when the rook leaves and close when it arrives.
    return _is_safe(tables, board, king_to, others | bit(king_to) | bit(rook_to), ZERO)


@inline
def _pawn_goes(origin: np.uint64, target: np.uint64, their: np.uint64, occupied: np.uint64) -> bool:
    """Return True if a pawn on `origin` may push to or capture on `target`; both are bitboards."""
    # The move is a capture if the target is occupied, otherwise a push.
    if target & occupied != ZERO:
        return bool(pawn_attacks(origin) & target & their != ZERO)
    if target == origin << _8:
        return True
    return bool(target == origin << _16 and origin & _RANK_2 != ZERO and origin << _8 & occupied == ZERO)


@inline
def _piece_goes(tables: Tables, board: Board, origin: np.uint64, target: np.uint64, occupied: np.uint64) -> bool:
    """Return True if our knight, bishop, rook or queen on square `origin` can reach square `target`."""
    if bit(origin) & board.knights != ZERO:
        return bool(knight_attacks(tables, origin) & bit(target) != ZERO)
    lines = bishop_rays(tables, origin) if bit(origin) & board.diagonals != ZERO else ZERO
    if bit(origin) & board.orthogonals != ZERO:
        lines |= rook_rays(tables, origin)
    return bool(lines & bit(target) != ZERO and between(tables, origin, target) & occupied == ZERO)


@inline
def _goes(
    tables: Tables, board: Board, kind: np.uint64, origin: np.uint64, target: np.uint64, occupied: np.uint64
) -> bool:
    """Return True if our piece on `origin` can move to `target` with a move of `kind`, regardless of our king's safety.

    `target` must not be occupied by our own piece.
    """
    start, end = bit(origin), bit(target)
    if start & board.pawns != ZERO:
        if (kind == PROMOTION) != (end & RANK_8 != ZERO):
            return False
        if kind == EN_PASSANT:
            return bool(end == board.en_passant and their_pawn_attacks(end) & start != ZERO)
        return _pawn_goes(start, end, theirs(board), occupied)
    if kind != NORMAL:
        return False
    if start == board.king:
        return bool(king_attacks(tables, origin) & end != ZERO)
    return _piece_goes(tables, board, origin, target, occupied)


@inline
def accepts(tables: Tables, board: Board, move: np.uint64) -> bool:
    """Return True if a 16-bit integer is a legal move; kernels call this function, and Python calls `is_legal`."""
    own = ours(board)
    occupied = own | theirs(board)
    kind, origin, target = move & KIND_MASK, origin_of(move), target_of(move)
    start, end = bit(origin), bit(target)
    if start & own == ZERO or (kind != PROMOTION and move & PROMOTION_MASK != ZERO):
        return False
    # The target of a castling move is our rook; no other move may end on one of our pieces.
    if kind == CASTLING:
        return start == board.king and _may_castle(tables, board, origin, target, own, occupied)
    if end & own != ZERO or not _goes(tables, board, kind, origin, target, occupied):
        return False
    king = target if start == board.king else lsb(board.king)
    taken, after = end, occupied ^ start | end
    if kind == EN_PASSANT:
        # Both pawns leave their squares, and each may have stood between our king and a slider.
        taken = end >> _8
        after ^= taken
    return _is_safe(tables, board, king, after, taken)


@kernel
def is_legal(tables: Tables, board: Board, move: np.uint64) -> bool:
    """Return True if a 16-bit integer is a legal move; unused bits must be zero."""
    return accepts(tables, board, move)


@kernel
def accept_all(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    """Write all 16-bit integers that are legal moves to a buffer of `PATTERNS` uint16 elements; return their number."""
    count = ZERO
    for pattern in range(PATTERNS):
        move = np.uint64(pattern)
        if accepts(tables, board, move):
            store16(moves, count, move)
            count += ONE
    return count
