"""The data from which events are derived: checks, pins and attacks in a position, and the effects of a legal move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..attacks import (
    attacked_by_them,
    bishop_attacks,
    bishop_rays,
    knight_attacks,
    rook_attacks,
    rook_rays,
    their_pawn_attacks,
)
from ..board import Board, ours, theirs
from ..castling import rook_target
from ..encoding import CASTLING, KIND_MASK, NORMAL, bit, origin_of, target_of
from ..machine.bits import ZERO, byteswap, lsb, rest
from ..machine.jit import inline
from ..play import play
from ..safety import king_safety, lone_blockers
from ..sliders.lookup import Tables

_16 = np.uint64(16)


class EventContext(NamedTuple):
    """Checks, pins and attacks in a position; `king` and `their_king` are squares, all other fields are bitboards.

    `pinned` are our pieces that stand alone between our king and an opponent's slider, on the lines `orthogonal_pins`
    and `diagonal_pins`. `their_pinned` are the opponent's pieces, and `shields` our pieces, that stand alone between
    the opponent's king and one of our sliders. `attacked` are the squares that the opponent attacks if our king is
    removed from the board.
    """

    own: np.uint64
    their: np.uint64
    occupied: np.uint64
    king: np.uint64
    their_king: np.uint64
    checkers: np.uint64
    orthogonal_pins: np.uint64
    diagonal_pins: np.uint64
    pinned: np.uint64
    their_pinned: np.uint64
    shields: np.uint64
    attacked: np.uint64


@inline
def event_context(tables: Tables, board: Board) -> EventContext:
    """Return the context of a position."""
    own, their = ours(board), theirs(board)
    occupied = own | their
    king, their_king = lsb(board.king), lsb(board.their_king)
    safety = king_safety(tables, board, king, occupied)
    sliders = rook_rays(tables, their_king) & board.orthogonals | bishop_rays(tables, their_king) & board.diagonals
    alone = lone_blockers(tables, their_king, sliders, occupied)
    # Computed without our king, because sliders attack the squares behind it.
    attacked = attacked_by_them(tables, board, occupied ^ board.king)
    return EventContext(
        own,
        their,
        occupied,
        king,
        their_king,
        safety.checkers,
        safety.orthogonal_pins,
        safety.diagonal_pins,
        # There is one piece between king and slider on a pin line; it is pinned if it is ours.
        (safety.orthogonal_pins | safety.diagonal_pins) & own,
        alone & their,
        alone & own,
        attacked,
    )


class MoveInfo(NamedTuple):
    """A legal move: its encoding and kind, its two squares as bitboards, and the pieces that give check after it.

    `direct` is the piece that has moved (in castling: the rook) if it gives check, `discovered` are all other checkers;
    both are bitboards from our view. `allows_en_passant` is the resulting en passant square from the opponent's view.
    """

    move: np.uint64
    kind: np.uint64
    origin: np.uint64
    target: np.uint64
    direct: np.uint64
    discovered: np.uint64
    allows_en_passant: np.uint64


class CheckSquares(NamedTuple):
    """The squares from which a piece attacks the opponent's king, by type of movement."""

    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    orthogonals: np.uint64


@inline
def check_squares(tables: Tables, board: Board, context: EventContext) -> CheckSquares:
    """Return the squares from which our pieces would give check."""
    king = context.their_king
    return CheckSquares(
        their_pawn_attacks(board.their_king),
        knight_attacks(tables, king),
        bishop_attacks(tables, king, context.occupied),
        rook_attacks(tables, king, context.occupied),
    )


@inline
def _is_plain(board: Board, context: EventContext, squares: CheckSquares, move: np.uint64) -> bool:
    """Return True if it is clear without playing a move that it neither gives check nor is a double push."""
    origin, target = bit(origin_of(move)), bit(target_of(move))
    # A piece that leaves a line may discover check, and a piece that lands on a check square gives check. Queens are in
    # both slider bitboards.
    checks = context.shields & origin
    checks |= squares.knights & target if origin & board.knights != ZERO else ZERO
    checks |= squares.diagonals & target if origin & board.diagonals != ZERO else ZERO
    checks |= squares.orthogonals & target if origin & board.orthogonals != ZERO else ZERO
    if origin & board.pawns != ZERO:
        checks |= squares.pawns & target | origin << _16 & target
    return bool(checks == ZERO and move & KIND_MASK == NORMAL)


@inline
def _info_of_played(tables: Tables, board: Board, move: np.uint64) -> MoveInfo:
    """Return the effects of a legal move, derived from the board after it."""
    kind = move & KIND_MASK
    origin, target = origin_of(move), target_of(move)
    # In castling, any check by the rook is direct, because a king cannot give check.
    landed = bit(rook_target(origin, target)) if kind == CASTLING else bit(target)
    # The board after the move is from the opponent's view, so the checkers are mirrored back.
    child = play(board, move)
    checkers = byteswap(king_safety(tables, child, lsb(child.king), ours(child) | theirs(child)).checkers)
    return MoveInfo(move, kind, bit(origin), bit(target), checkers & landed, checkers & ~landed, child.en_passant)


@inline
def move_info(tables: Tables, board: Board, context: EventContext, squares: CheckSquares, move: np.uint64) -> MoveInfo:
    """Return the effects of a legal move. Only a few moves have to be played for this, which is slow."""
    if _is_plain(board, context, squares, move):
        return MoveInfo(move, NORMAL, bit(origin_of(move)), bit(target_of(move)), ZERO, ZERO, ZERO)
    return _info_of_played(tables, board, move)


@inline
def gives_check(info: MoveInfo) -> bool:
    """Return True if a move gives check."""
    return bool(info.direct | info.discovered != ZERO)


@inline
def gives_double_check(info: MoveInfo) -> bool:
    """Return True if two or more pieces give check after a move."""
    return bool(rest(info.direct | info.discovered) != ZERO)
