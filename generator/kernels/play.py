"""Playing a 16-bit move on a board."""

from __future__ import annotations

import numpy as np

from .board import Board, mirror_board, next_board, ours
from .castling import king_target, rook_target
from .encoding import CASTLING, EN_PASSANT, KIND_MASK, PROMOTION, PROMOTION_MASK, bit, origin_of, target_of
from .machine.bits import ALL, ZERO, byteswap
from .machine.jit import inline, kernel
from .pawns import en_passant_target

_8, _16 = np.uint64(8), np.uint64(16)
_BISHOP_BIT, _ROOK_BIT = np.uint64(1 << 12), np.uint64(2 << 12)


@inline
def play(board: Board, move: np.uint64) -> Board:
    """Return the board after a pseudo-legal move, from the opponent's view."""
    other = mirror_board(board)
    kind = move & KIND_MASK
    origin, target = byteswap(bit(origin_of(move))), byteswap(bit(target_of(move)))
    pawns, knights, diagonals = other.their_pawns, other.their_knights, other.their_diagonals
    orthogonals, king = other.their_orthogonals, other.their_king
    # A castling right is the square of its rook: it is lost when the rook moves or is captured.
    rights = other.castling & ~(origin | target)
    change = origin | target
    if kind == CASTLING:
        king_from, rook_from = origin_of(move), target_of(move)
        rook_to = byteswap(bit(rook_target(king_from, rook_from)))
        landed = byteswap(bit(king_target(king_from, rook_from)))
        rights &= ~byteswap(ours(board))
        # The target is our rook. It is removed before it is placed, because in Chess960 it may land on its own square.
        return next_board(other, pawns, knights, diagonals, orthogonals ^ target | rook_to, landed, ALL, ZERO, rights)
    if kind == PROMOTION:
        # Knight 0, bishop 1, rook 2, queen 3: a queen has the bits of bishop and rook, and is in both slider bitboards.
        piece = move & PROMOTION_MASK
        knights |= target if piece == ZERO else ZERO
        diagonals |= target if piece & _BISHOP_BIT != ZERO else ZERO
        orthogonals |= target if piece & _ROOK_BIT != ZERO else ZERO
        return next_board(other, pawns ^ origin, knights, diagonals, orthogonals, king, ~target, ZERO, rights)
    if origin & pawns != ZERO:
        # The captured pawn is behind the target, which is above it from the opponent's view.
        kept = ~(target << _8) if kind == EN_PASSANT else ~target
        # From the opponent's view, a double push is a move down by 16 squares.
        passed = en_passant_target(other.pawns, target) if origin == target << _16 else ZERO
        return next_board(other, pawns ^ change, knights, diagonals, orthogonals, king, kept, passed, rights)
    if origin & king != ZERO:
        rights &= ~byteswap(ours(board))
        return next_board(other, pawns, knights, diagonals, orthogonals, target, ~target, ZERO, rights)
    knights ^= change if origin & knights != ZERO else ZERO
    diagonals ^= change if origin & diagonals != ZERO else ZERO
    orthogonals ^= change if origin & orthogonals != ZERO else ZERO
    return next_board(other, pawns, knights, diagonals, orthogonals, king, ~target, ZERO, rights)


@kernel
def board_after(board: Board, move: np.uint64) -> Board:
    """Return the board after a pseudo-legal move, from the opponent's view; callable from Python."""
    return play(board, move)
