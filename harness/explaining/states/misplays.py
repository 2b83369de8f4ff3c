"""The faults that a position may have after a move that is played wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, Kind, with_piece, without
from ....generator.types.squares import pushed_pawn, squares_in

_PROMOTIONS = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)


def misplays(position: Position, move: Move) -> Iterator[Position]:
    """Yield wrong positions after a legal move, those that can be played on."""
    child = position.play_unchecked(move)
    for wrong in (*_rights(position, child), *_en_passant(position, move, child), *_pieces(move, child)):
        try:
            yield Position.from_fen(wrong.fen(), wrong.chess960)
        except ValueError:  # it cannot be played on
            continue


def _rights(position: Position, child: Position) -> Iterator[Position]:
    """Yield positions with a right that should be gone, and without rights that should be there."""
    for rook in squares_in(position.castling & ~child.castling):
        yield replace(child, castling=child.castling | 1 << rook)
    for color in Color:
        rights = child.castling & 0xFF << 8 * color.back_rank
        if rights:
            yield replace(child, castling=child.castling & ~rights)
        for rook in squares_in(rights) if rights & (rights - 1) else ():
            yield replace(child, castling=child.castling & ~(1 << rook))


def _en_passant(position: Position, move: Move, child: Position) -> Iterator[Position]:
    if child.en_passant is not None:
        yield replace(child, en_passant=None)
    elif position.en_passant is not None:
        yield replace(child, en_passant=position.en_passant)
    if move.kind is MoveKind.EN_PASSANT:
        victim = pushed_pawn(move.target)
        yield replace(child, pieces=with_piece(child.pieces, child.turn, Kind.PAWN, victim))


def _pieces(move: Move, child: Position) -> Iterator[Position]:
    mover = child.turn.other
    if move.kind is MoveKind.CASTLING:
        rookless = without(child.pieces, 1 << move.rook_landing)
        yield replace(child, pieces=with_piece(rookless, mover, Kind.ROOK, move.target))
        return
    if move.promotion is not None:
        lifted = without(child.pieces, 1 << move.target)
        for kind in _PROMOTIONS:
            if kind is not move.promotion:
                yield replace(child, pieces=with_piece(lifted, mover, kind, move.target))
    piece = child.piece_at(move.target)
    if piece is not None and piece[1] is not Kind.KING:
        yield replace(child, pieces=with_piece(child.pieces, mover, piece[1], move.origin))
