"""The opponent's pinned pieces: their moves, and the changes when our moves create, end or alter a pin.

All other modules assume that the moves of a pinned piece never change and that no other piece is pinned. This module
computes the differences, one piece at a time.
"""

from __future__ import annotations

import numpy as np

from ...attacks import between, beyond, bishop_attacks, knight_attacks, rook_attacks, rook_rays, their_pawn_attacks
from ...machine.bits import ALL, ZERO, lowest, lsb, popcount, rest
from ...machine.jit import inline
from ...sliders.lookup import Tables
from .position import BoardSides
from .their_king import Pins, pin_lines
from .their_pawns import RANK_6
from .their_pieces import pawn_moves

_2, _8, _16 = (np.uint64(number) for number in (2, 8, 16))
_RANK_2 = np.uint64(0xFF00)


@inline
def _pinned_pawn(
    pawn: np.uint64, orthogonal: np.uint64, diagonal: np.uint64, own: np.uint64, occupied: np.uint64
) -> np.uint64:
    if pawn & orthogonal != ZERO:
        # There is no pin line in front of a pawn that is pinned on its rank. A pawn pinned on its file has the king or
        # the pinner ahead of it, and never promotes by a push.
        push = pawn >> _8 & ~occupied & orthogonal
        return popcount(push | (push & RANK_6) >> _8 & ~occupied)
    moves = popcount(their_pawn_attacks(pawn) & own & diagonal)
    return moves << _2 if pawn & _RANK_2 != ZERO else moves


@inline
def pinned_moves(
    tables: Tables,
    sides: BoardSides,
    piece: np.uint64,
    orthogonal: np.uint64,
    diagonal: np.uint64,
    own: np.uint64,
    occupied: np.uint64,
) -> np.uint64:
    """Return the number of moves of one of their pieces on an orthogonal or diagonal pin line."""
    board, square = sides.board, lsb(piece)
    if piece & board.their_pawns != ZERO:
        return _pinned_pawn(piece, orthogonal, diagonal, own, occupied)
    # A pinned knight has no moves. A pinned queen moves along its pin line like either a bishop or a rook.
    moves = ZERO
    if piece & board.their_diagonals & diagonal != ZERO:
        moves = popcount(bishop_attacks(tables, square, occupied) & diagonal)
    if piece & board.their_orthogonals & orthogonal != ZERO:
        moves = popcount(rook_attacks(tables, square, occupied) & orthogonal)
    return moves


@inline
def reach_of(tables: Tables, sides: BoardSides, piece: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares that affect the moves of one of their pieces: those it attacks or may push to."""
    board, square = sides.board, lsb(piece)
    if piece & board.their_pawns != ZERO:
        return their_pawn_attacks(piece) | piece >> _8 | piece >> _16
    reach = ZERO
    if piece & board.their_knights != ZERO:
        reach = knight_attacks(tables, square)
    if piece & board.their_diagonals != ZERO:
        reach |= bishop_attacks(tables, square, occupied)
    if piece & board.their_orthogonals != ZERO:
        reach |= rook_attacks(tables, square, occupied)
    return reach


@inline
def freed_moves(tables: Tables, sides: BoardSides, piece: np.uint64, own: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the number of moves of one of their pieces after its pin has ended."""
    if piece & sides.board.their_pawns != ZERO:
        return pawn_moves(piece, own, occupied)
    # The square of a captured piece is a target, because our piece stands there now.
    return popcount(reach_of(tables, sides, piece, occupied) & ~(sides.their & ~own))


@inline
def pinned_replies(tables: Tables, sides: BoardSides, pins: Pins) -> np.uint64:
    """Return the number of moves of all their pinned pieces before our move."""
    count = ZERO
    pieces = sides.their & (pins.orthogonal | pins.diagonal)
    while pieces != ZERO:
        count += pinned_moves(tables, sides, lowest(pieces), pins.orthogonal, pins.diagonal, sides.own, sides.occupied)
        pieces = rest(pieces)
    return count


@inline
def _moves_before(tables: Tables, sides: BoardSides, pins: Pins, piece: np.uint64) -> np.uint64:
    return pinned_moves(tables, sides, piece, pins.orthogonal, pins.diagonal, sides.own, sides.occupied)


@inline
def _moves_pinned(
    tables: Tables, sides: BoardSides, piece: np.uint64, origin: np.uint64, target: np.uint64
) -> np.uint64:
    """Return the number of moves of a piece that our slider pins once it has moved from `origin` to `target`."""
    path = between(tables, sides.their_king, lsb(target)) | target
    # One of these masks is empty: the piece is pinned either orthogonally or diagonally.
    orthogonal = ALL if piece & rook_rays(tables, sides.their_king) != ZERO else ZERO
    own, occupied = sides.own ^ origin | target, sides.occupied ^ origin | target
    return pinned_moves(tables, sides, piece, path & orthogonal, path & ~orthogonal, own, occupied)


@inline
def _moves_free(tables: Tables, sides: BoardSides, piece: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of moves of a piece that is not pinned after our move."""
    return freed_moves(tables, sides, piece, sides.own ^ origin | target, sides.occupied ^ origin | target)


@inline
def pinner_changes(
    tables: Tables, sides: BoardSides, pins: Pins, line: np.uint64, origin: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return the change in the number of moves of the piece pinned on `line` when its pinner moves.

    The change is summed over `targets`, modulo 2**64. On targets along the line, the pin remains.
    """
    piece = between(tables, sides.their_king, lsb(origin)) & sides.occupied
    change = ZERO - popcount(targets) * _moves_before(tables, sides, pins, piece)
    # If the pinned piece does not reach the target, its number of moves does not depend on the target.
    near = targets & reach_of(tables, sides, piece, sides.occupied ^ origin)
    far = targets & ~near & line
    if far != ZERO:
        change += popcount(far) * _moves_pinned(tables, sides, piece, origin, lowest(far))
    far = targets & ~near & ~line
    if far != ZERO:
        change += popcount(far) * _moves_free(tables, sides, piece, origin, ZERO)
    while near != ZERO:
        target = lowest(near)
        if target & line != ZERO:
            change += _moves_pinned(tables, sides, piece, origin, target)
        else:
            change += _moves_free(tables, sides, piece, origin, target)
        near = rest(near)
    return change


@inline
def arrival_changes(
    tables: Tables, sides: BoardSides, pins: Pins, origin: np.uint64, targets: np.uint64, pinning: np.uint64
) -> np.uint64:
    """Return the change in the number of moves of the pieces whose pin our move creates, takes over or ends.

    The change is summed over `targets`, modulo 2**64. The targets are empty squares on pin lines, or squares in
    `pinning`, from which our piece pins a piece of the opponent.
    """
    change, king = ZERO, sides.their_king
    while targets != ZERO:
        target, square = lowest(targets), lsb(targets)
        # A pin line contains one of their pieces, in front of the target or behind it. Elsewhere, our piece pins the
        # only piece between the target and the king, which was not pinned before.
        if target & pin_lines(pins) != ZERO:
            ray = between(tables, king, square) | beyond(tables, king, square)
            piece = ray & pin_lines(pins) & sides.their
            change -= _moves_before(tables, sides, pins, piece)
        else:
            piece = between(tables, king, square) & sides.occupied
            change -= _moves_free(tables, sides, piece, origin, target)
        if target & pinning != ZERO:
            change += _moves_pinned(tables, sides, piece, origin, target)
        else:
            change += _moves_free(tables, sides, piece, origin, target)
        targets = rest(targets)
    return change
