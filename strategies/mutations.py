"""Strategy for tricky positions with a few small changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.position import Position
from ..generator.symmetry import flip_colors, mirror_files
from ..generator.types.pieces import Color, PieceType, with_piece, without
from ..generator.types.squares import squares_in
from ..generator.validation import kept_en_passant, kept_rights, possible_en_passant, possible_rights
from .common import DrawFunction, accept_position, below, choose, tricky_positions
from .position_builder import bits

_KINDS = (PieceType.PAWN, PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN)
_PIECE = below(len(_KINDS) * 2)
_SQUARE = below(64)


def mutations(seeds: Sequence[Position] | None = None, *, impossible: bool = False) -> SearchStrategy[Position]:
    """Generate variations of `seeds`, by default the bundled tricky positions, with one to four small changes.

    A change moves, adds, removes or replaces a piece, passes the turn, swaps colors or files, toggles a castling right,
    or sets an en passant square. Changes that no FEN can describe are skipped. Raises ValueError if `seeds` is empty.
    """
    if seeds is not None and not seeds:
        raise ValueError("mutations need at least one seed")
    return _mutations(None if seeds is None else tuple(seeds), impossible)


@st.composite
def _mutations(draw: DrawFunction, seeds: Sequence[Position] | None, impossible: bool) -> Position:
    return mutate_position(draw, choose(draw, seeds or tricky_positions()), 1 + draw(below(4)), impossible)


def mutate_position(draw: DrawFunction, position: Position, changes: int, impossible: bool = False) -> Position:
    """Return the position after drawn changes; changes with impossible results are skipped."""
    for _ in range(changes):
        changed = choose(draw, _CHANGES)(draw, position)
        position = accept_position(changed, impossible) or position
    return position


def _move_piece(draw: DrawFunction, position: Position) -> Position:
    origin = choose(draw, squares_in(position.occupied))
    target = draw(_SQUARE)
    piece = position.piece_at(origin)
    assert piece is not None
    if position.occupied >> target & 1:
        return position
    return _with_pieces(position, {origin: None, target: piece})


def _nudge_piece(draw: DrawFunction, position: Position) -> Position:
    origin = choose(draw, squares_in(position.occupied))
    target = origin + choose(draw, (8, -8, 1, -1, 9, -9, 7, -7))
    piece = position.piece_at(origin)
    if not 0 <= target < 64 or abs(target % 8 - origin % 8) > 1 or position.occupied >> target & 1:
        return position
    return _with_pieces(position, {origin: None, target: piece})


def _add_piece(draw: DrawFunction, position: Position) -> Position:
    square, number = draw(_SQUARE), draw(_PIECE)
    if position.occupied >> square & 1:
        return position
    return _with_pieces(position, {square: (Color(number % 2), _KINDS[number // 2])})


def _remove_piece(draw: DrawFunction, position: Position) -> Position:
    square = choose(draw, squares_in(position.occupied))
    return _with_pieces(position, {square: None})


def _replace_piece(draw: DrawFunction, position: Position) -> Position:
    square, number = choose(draw, squares_in(position.occupied)), draw(_PIECE)
    return _with_pieces(position, {square: (Color(number % 2), _KINDS[number // 2])})


def _mirror_files(draw: DrawFunction, position: Position) -> Position:
    mirror = mirror_files(position)
    return replace(mirror, castling=kept_rights(mirror.pieces, mirror.castling, mirror.chess960))


def _toggle_right(draw: DrawFunction, position: Position) -> Position:
    rooks = possible_rights(position.pieces, position.chess960)
    if not rooks:
        return position
    castling = position.castling ^ 1 << choose(draw, rooks)
    return replace(position, castling=kept_rights(position.pieces, castling, position.chess960))


def _declare_double_step(draw: DrawFunction, position: Position) -> Position:
    targets = possible_en_passant(position.pieces, position.turn)
    if not targets:
        return position
    return replace(position, en_passant=choose(draw, targets), halfmove=0)


def _with_pieces(position: Position, changes: dict[int, tuple[Color, PieceType] | None]) -> Position:
    """Return the position with some squares changed, keeping only the rights and en passant square still possible."""
    pieces = without(position.pieces, bits(changes))
    for square, piece in changes.items():
        if piece is not None:
            pieces = with_piece(pieces, *piece, square)
    if not all(side[PieceType.KING] for side in pieces):
        return position
    return replace(
        position,
        pieces=pieces,
        castling=kept_rights(pieces, position.castling, position.chess960),
        en_passant=kept_en_passant(pieces, position.turn, position.en_passant),
    )


_CHANGES: tuple[Callable[[DrawFunction, Position], Position], ...] = (
    _move_piece,
    _nudge_piece,
    _add_piece,
    _remove_piece,
    _replace_piece,
    lambda _draw, position: replace(position, turn=position.turn.other, en_passant=None),
    lambda _draw, position: flip_colors(position),
    _mirror_files,
    _toggle_right,
    _declare_double_step,
)
