"""Validation of positions: whether moves can be generated, whether a position is reachable, and possible rights.

Possible rights are the castling rights and en passant squares that a placement of pieces allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import shorten
from .kernels import geometry
from .types.pieces import Color, Pieces, PieceType
from .types.squares import FILES, name_of, squares_in

LONGEST_MESSAGE = 300
"""Maximum length of a message about a FEN, which may itself be longer."""
_BACK_RANKS = 0xFF000000000000FF


class FenError(ValueError):
    """Raised if a FEN is malformed or describes an impossible position. The message is a single line for the user."""

    def __str__(self) -> str:
        return shorten(super().__str__(), LONGEST_MESSAGE)


def occupied_by(pieces: Pieces, color: Color) -> int:
    """Return the squares of one side's pieces."""
    squares = 0
    for bitboard in pieces[color]:
        squares |= bitboard
    return squares


def attackers_of(pieces: Pieces, square: int, by: Color) -> int:
    """Return the pieces of side `by` that attack `square`, found step by step without tables."""
    occupied = occupied_by(pieces, Color.WHITE) | occupied_by(pieces, Color.BLACK)
    own = pieces[by]
    rank = -1 if by is Color.WHITE else 1
    orthogonal = own[PieceType.ROOK] | own[PieceType.QUEEN]
    diagonal = own[PieceType.BISHOP] | own[PieceType.QUEEN]
    return (
        geometry.leaper_attacks(square, ((-1, rank), (1, rank))) & own[PieceType.PAWN]
        | geometry.leaper_attacks(square, geometry.KNIGHT_STEPS) & own[PieceType.KNIGHT]
        | geometry.leaper_attacks(square, geometry.KING_STEPS) & own[PieceType.KING]
        | geometry.slider_attacks(square, geometry.ROOK_DIRECTIONS, occupied) & orthogonal
        | geometry.slider_attacks(square, geometry.BISHOP_DIRECTIONS, occupied) & diagonal
    )


def checkers_of(pieces: Pieces, color: Color) -> int:
    """Return the pieces that give check to the king of `color`."""
    king = pieces[color][PieceType.KING].bit_length() - 1
    return attackers_of(pieces, king, color.other)


def check_pieces(pieces: Pieces) -> None:
    """Raise FenError unless each side has one king and no pawn stands on a back rank."""
    for color in Color:
        kings = pieces[color][PieceType.KING].bit_count()
        if kings != 1:
            raise FenError(f"{color.word} has {kings or 'no'} king{'s' if kings > 1 else ''}")
    for color in Color:
        stray = squares_in(pieces[color][PieceType.PAWN] & _BACK_RANKS)
        if stray:
            raise FenError(f"{color.word} has a pawn on {name_of(stray[0])}: pawns cannot stand on a back rank")


def check_castling_sides(pieces: Pieces, rooks: int) -> None:
    """Raise FenError if a side has castling rights with two rooks on the same side of its king."""
    for color in Color:
        king = pieces[color][PieceType.KING].bit_length() - 1
        mine = [square for square in squares_in(rooks) if square // 8 == color.back_rank]
        for side, names in (
            ("right", [s for s in mine if s > king]),
            ("left", [s for s in mine if s < king]),
        ):
            if len(names) > 1:
                raise FenError(f"{color.word} has two castling rooks on the {side} of the king")


def is_standard_castling(pieces: Pieces, rooks: int) -> bool:
    """Return True if all castling rights are possible in standard chess: king on the e-file, rook in a corner."""
    for rook in squares_in(rooks):
        color = Color.WHITE if rook < 8 else Color.BLACK
        if not pieces[color][PieceType.KING] >> (color.back_rank * 8 + FILES.index("e")) & 1 or rook % 8 not in (0, 7):
            return False
    return True


def check_en_passant(pieces: Pieces, turn: Color, target: int) -> None:
    """Raise FenError unless the opponent may just have made a double push past `target`."""
    name = name_of(target)
    up = 8 if turn is Color.WHITE else -8
    rank = 5 if turn is Color.WHITE else 2
    if target // 8 != rank:
        raise FenError(f"en passant square {name} must be on rank {rank + 1} when {turn.word} is to move")
    if not pieces[turn.other][PieceType.PAWN] >> (target - up) & 1:
        raise FenError(f"en passant square {name}, but {turn.other.word} has no pawn on {name_of(target - up)}")
    occupied = occupied_by(pieces, Color.WHITE) | occupied_by(pieces, Color.BLACK)
    for square, how in ((target, "which the pawn has passed"), (target + up, "where the pawn came from")):
        if occupied >> square & 1:
            raise FenError(f"en passant square {name}, but there is a piece on {name_of(square)}, {how}")


def check_side_not_to_move(pieces: Pieces, turn: Color) -> None:
    """Raise FenError if the side that has just moved is in check."""
    checkers = squares_in(checkers_of(pieces, turn.other))
    if checkers:
        raise FenError(f"{turn.other.word} is in check from {name_of(checkers[0])}, but {turn.word} is to move")


def oddities(pieces: Pieces, turn: Color) -> list[str]:
    """Return reasons why a position with valid pieces is unreachable; empty if none is found.

    An empty list does not prove that the position is reachable. Only three causes are checked: too many pieces, checks
    from more than two pieces, and checks from both ends of a line.
    """
    found = []
    for color in Color:
        pawns = pieces[color][PieceType.PAWN].bit_count()
        total = occupied_by(pieces, color).bit_count()
        extra = sum(
            max(0, pieces[color][kind].bit_count() - start)
            for kind, start in ((PieceType.KNIGHT, 2), (PieceType.BISHOP, 2), (PieceType.ROOK, 2), (PieceType.QUEEN, 1))
        )
        if pawns > 8:
            found.append(f"{color.word} has {pawns} pawns")
        if total > 16:
            found.append(f"{color.word} has {total} pieces")
        if pawns <= 8 and total <= 16 and extra > 8 - pawns:
            found.append(f"{color.word} has more promoted pieces than missing pawns")
    found.extend(_impossible_checks(pieces, turn))
    return found


def _impossible_checks(pieces: Pieces, turn: Color) -> list[str]:
    checkers = squares_in(checkers_of(pieces, turn))
    king = pieces[turn][PieceType.KING].bit_length() - 1
    if len(checkers) > 2:
        return [f"{turn.word} is in check from {len(checkers)} pieces"]
    if len(checkers) == 2 and geometry.line(checkers[0], checkers[1]) >> king & 1:
        return [f"{turn.word} is in check from two sides of one line"]
    return []


def possible_rights(pieces: Pieces | Sequence[Sequence[int]], chess960: bool) -> list[int]:
    """Return the rooks that may have castling rights: those on the same back rank as their king."""
    rooks = []
    for color in Color:
        king = pieces[color][PieceType.KING].bit_length() - 1
        home = color.back_rank * 8
        if king // 8 != color.back_rank or (not chess960 and king != home + 4):
            continue
        own = squares_in(pieces[color][PieceType.ROOK] & 0xFF << home)
        rooks += [rook for rook in own if chess960 or rook - home in (0, 7)]
    return rooks


def kept_rights(pieces: Pieces, rooks: int, chess960: bool) -> int:
    """Return the castling rooks whose rights are still possible, at most one on each side of a king."""
    kept = 0
    for rook in possible_rights(pieces, chess960):
        if not rooks >> rook & 1:
            continue
        try:
            check_castling_sides(pieces, kept | 1 << rook)
        except FenError:
            continue
        kept |= 1 << rook
    return kept


def possible_en_passant(pieces: Pieces, turn: Color) -> list[int]:
    """Return the squares that a pawn of the opponent may just have passed."""
    up = 8 if turn is Color.WHITE else -8
    occupied = occupied_by(pieces, Color.WHITE) | occupied_by(pieces, Color.BLACK)
    rank = 0xFF << (32 if turn is Color.WHITE else 24)
    pushed = squares_in(pieces[turn.other][PieceType.PAWN] & rank)
    return [pawn + up for pawn in pushed if not (occupied >> pawn + up | occupied >> pawn + 2 * up) & 1]


def kept_en_passant(pieces: Pieces, turn: Color, target: int | None) -> int | None:
    """Return the en passant square if a pawn may just have passed it, otherwise None."""
    return target if target in possible_en_passant(pieces, turn) else None
