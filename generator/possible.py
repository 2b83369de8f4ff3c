"""What a placement of pieces makes possible: castling rights, and squares for en passant."""

from __future__ import annotations

from collections.abc import Sequence

from . import validation
from .types.pieces import Color, Kind, Pieces
from .types.squares import squares_in
from .validation import FenError


def possible_rights(pieces: Pieces | Sequence[Sequence[int]], chess960: bool) -> list[int]:
    """Return the rooks that may have castling rights, each beside a king on its back rank."""
    rooks = []
    for color in Color:
        king = pieces[color][Kind.KING].bit_length() - 1
        home = color.back_rank * 8
        if king // 8 != color.back_rank or (not chess960 and king != home + 4):
            continue
        own = squares_in(pieces[color][Kind.ROOK] & 0xFF << home)
        rooks += [rook for rook in own if chess960 or rook - home in (0, 7)]
    return rooks


def kept_rights(pieces: Pieces, rooks: int, chess960: bool) -> int:
    """Return the castling rooks that may still have rights, at most one on each side of a king."""
    kept = 0
    for rook in possible_rights(pieces, chess960):
        if not rooks >> rook & 1:
            continue
        try:
            validation.check_castling_sides(pieces, kept | 1 << rook)
        except FenError:
            continue
        kept |= 1 << rook
    return kept


def possible_en_passant(pieces: Pieces, turn: Color) -> list[int]:
    """Return the squares that a pawn of the other side may just have passed."""
    up = 8 if turn is Color.WHITE else -8
    occupied = validation.occupied_by(pieces, Color.WHITE) | validation.occupied_by(pieces, Color.BLACK)
    rank = 0xFF << (32 if turn is Color.WHITE else 24)
    pushed = squares_in(pieces[turn.other][Kind.PAWN] & rank)
    return [pawn + up for pawn in pushed if not (occupied >> pawn + up | occupied >> pawn + 2 * up) & 1]


def kept_en_passant(pieces: Pieces, turn: Color, target: int | None) -> int | None:
    """Return the en passant square if a pawn may just have passed it, else None."""
    return target if target in possible_en_passant(pieces, turn) else None
