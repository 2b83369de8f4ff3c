"""Retrograde analysis: whether any last move is possible, and what pawns, bishops and castling rights imply.

Only one ply is retracted: captures if the side to move has fewer than 16 pieces, and castling if king and rook stand as
after castling. The only condition for the previous position is that the side that is now to move was not in check.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ..position import Position
from ..types.pieces import Color, Pieces, PieceType
from ..types.squares import pushed_pawn, squares_in
from ..validation import attackers_of, occupied_by
from .attacks import attacks, between, leaps

_FIRST_AND_LAST = 0xFF000000000000FF
_Change = tuple[PieceType, int, PieceType, int, int]
"""A retracted move: type and square of the piece after and before it, and the square of a pawn captured en passant."""


def has_last_move(position: Position) -> bool:
    """Return True if some move can have led to this position, or if it is a starting position."""
    if is_starting(position):
        return True
    if position.en_passant is not None:
        return _can_have_been(position, _double_step(position.en_passant))
    return any(_can_have_been(position, change) for change in _changes(position)) or _may_have_castled(position)


def is_starting(position: Position) -> bool:
    """Return True if White is to move, all pawns are on their starting squares and all pieces on the back ranks."""
    white, black = position.pieces
    at_home = white[PieceType.PAWN] == 0xFF00 and black[PieceType.PAWN] == 0xFF000000000000
    return at_home and position.turn is Color.WHITE and position.occupied == 0xFFFF00000000FFFF


def _double_step(target: int) -> _Change:
    now = pushed_pawn(target)
    return PieceType.PAWN, now, PieceType.PAWN, 2 * target - now, -1


def _changes(position: Position) -> Iterator[_Change]:
    """Yield the possible last moves except castling, likely ones first."""
    mover = position.turn.other
    occupied = position.occupied
    # A king and rooks with castling rights have not moved.
    rooks = position.castling & occupied_by(position.pieces, mover)
    locked = rooks | position.pieces[mover][PieceType.KING] if rooks else 0
    for kind in (PieceType.QUEEN, PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT, PieceType.KING, PieceType.PAWN):
        for square in squares_in(position.pieces[mover][kind] & ~locked):
            if kind is PieceType.PAWN:
                yield from _pawn_changes(mover, square, occupied, position.en_passant)
                continue
            for origin in squares_in(attacks(mover, kind, square, occupied) & ~occupied):
                yield kind, square, kind, origin, -1
            if kind is not PieceType.KING and square // 8 == mover.other.back_rank:
                for origin in squares_in(_pawn_origins(mover, square) & ~occupied):
                    yield kind, square, PieceType.PAWN, origin, -1


def _pawn_origins(mover: Color, square: int) -> int:
    """Return the squares from which a pawn of `mover` reaches `square` by a single push or a capture."""
    return leaps(mover.other, PieceType.PAWN, square) | 1 << (square - 8 if mover is Color.WHITE else square + 8)


def _pawn_changes(mover: Color, square: int, occupied: int, en_passant: int | None) -> Iterator[_Change]:
    down = -8 if mover is Color.WHITE else 8
    rank = square // 8 if mover is Color.WHITE else 7 - square // 8
    for origin in squares_in(_pawn_origins(mover, square) & ~occupied & ~_FIRST_AND_LAST):
        yield PieceType.PAWN, square, PieceType.PAWN, origin, -1
        if rank == 5 and origin != square + down and not (occupied >> square + down | occupied >> square - down) & 1:
            yield PieceType.PAWN, square, PieceType.PAWN, origin, square + down
    # A double push would have set the en passant field, but some programs omit it.
    if rank == 3 and not (occupied >> square + down | occupied >> square + 2 * down) & 1:
        yield PieceType.PAWN, square, PieceType.PAWN, square + 2 * down, -1


def _can_have_been(position: Position, change: _Change) -> bool:
    """Return True if the side now to move was not in check before the move, with or without a captured piece."""
    now, square, before, origin, victim = change
    turn = position.turn
    pieces = [list(side) for side in position.pieces]
    pieces[turn.other][now] ^= 1 << square
    pieces[turn.other][before] |= 1 << origin
    missing = sum(bitboard.bit_count() for bitboard in pieces[turn]) < 16
    on_file = origin % 8 == square % 8
    is_pawn = before is PieceType.PAWN
    if victim >= 0:
        pieces[turn][PieceType.PAWN] |= 1 << victim
        return missing and pieces[turn][PieceType.PAWN].bit_count() <= 8 and _is_quiet(pieces, position)
    if (not is_pawn or on_file) and _is_quiet(pieces, position):
        return True
    if not missing or (is_pawn and on_file):
        return False
    # A piece captured on `square` may have shielded the king; its type does not matter.
    pieces[turn][PieceType.KNIGHT] |= 1 << square
    return _is_quiet(pieces, position)


def _is_quiet(pieces: list[list[int]], position: Position) -> bool:
    turn = position.turn
    before: Pieces = (tuple(pieces[Color.WHITE]), tuple(pieces[Color.BLACK]))
    return not attackers_of(before, position.king(turn), turn.other)


def _may_have_castled(position: Position) -> bool:
    """Return True if king and rook of the side that moved stand as after castling, and castling was possible."""
    mover = position.turn.other
    base = mover.back_rank * 8
    own = position.pieces[mover]
    king = position.king(mover)
    if position.castling & occupied_by(position.pieces, mover):
        return False
    for landing, rook in ((base + 6, base + 5), (base + 2, base + 3)):
        if king != landing or not own[PieceType.ROOK] >> rook & 1:
            continue
        if position.chess960:
            return True
        corner = base + (7 if landing > rook else 0)
        home = base + 4
        path = between(home, corner) | 1 << home | 1 << corner
        if position.occupied & path & ~(1 << king | 1 << rook):
            continue
        pieces = [list(side) for side in position.pieces]
        pieces[mover][PieceType.KING] = 1 << home
        pieces[mover][PieceType.ROOK] ^= 1 << rook | 1 << corner
        if _is_quiet(pieces, position):
            return True
    return False


_LIGHT = 0x55AA55AA55AA55AA
_HOME_BISHOPS = 0b00100100


def structural_faults(position: Position) -> list[str]:
    """Return the reasons, found in pawns and bishops, why a position is unreachable."""
    faults = []
    for color in Color:
        captured = 16 - sum(bitboard.bit_count() for bitboard in position.pieces[color.other])
        if captures_needed(color, position.pieces[color][PieceType.PAWN]) > captured:
            faults.append(f"{color.word}'s pawns have changed files more often than there were captures")
        if not position.chess960:  # in Chess960 a bishop may start anywhere
            faults += _locked_bishops(position, color)
    return faults


def rights_from_corner(position: Position) -> int:
    """Return the castling rights of kings in a corner, which are impossible because a king starts between its rooks."""
    ranks = (0xFF << color.back_rank * 8 for color in Color if position.king(color) % 8 in (0, 7))
    return position.castling & sum(ranks)


def captures_needed(color: Color, pawns: int) -> int:
    """Return the minimum number of captures with which pawns can reach these squares, or 99 if they cannot.

    Each capture moves a pawn by one file and one rank.
    """
    steps = [(s % 8, s // 8 - 1 if color is Color.WHITE else 6 - s // 8) for s in squares_in(pawns)]
    return _cheapest(tuple(sorted(steps, key=lambda step: step[1])), 0)


@cache
def _cheapest(pawns: tuple[tuple[int, int], ...], taken: int) -> int:
    """Return the minimum total number of file changes.

    `pawns` are pairs (file, number of ranks advanced); `taken` is the set of starting files already used.
    """
    if not pawns:
        return 0
    (file, height), rest = pawns[0], pawns[1:]
    costs = [
        abs(file - origin) + _cheapest(rest, taken | 1 << origin)
        for origin in range(max(0, file - height), min(8, file + height + 1))
        if not taken >> origin & 1
    ]
    return min(costs, default=99)


def _locked_bishops(position: Position, color: Color) -> list[str]:
    """Return the reasons why bishops cannot have reached their squares.

    A bishop behind pawns that have never moved must have started there. If such pawns lock in a bishop's starting
    square, all other bishops on that square color are promoted pawns.
    """
    own = position.pieces[color]
    unmoved = own[PieceType.PAWN] & (0xFF << (8 if color is Color.WHITE else 48))
    base = color.back_rank * 8
    promoted = 0
    faults = []
    for square in range(base, base + 8):
        if leaps(color, PieceType.PAWN, square) & ~unmoved:
            continue
        is_home = _HOME_BISHOPS >> square % 8 & 1
        is_bishop = own[PieceType.BISHOP] >> square & 1
        if is_bishop and not is_home:
            faults.append(f"{color.word} has a bishop behind pawns that have never moved")
        if is_home:  # all other bishops on this square color are promoted pawns
            same = _LIGHT if _LIGHT >> square & 1 else ~_LIGHT
            promoted += (own[PieceType.BISHOP] & same & ~(1 << square)).bit_count()
    if promoted > 8 - own[PieceType.PAWN].bit_count():
        faults.append(f"{color.word} has more bishops from pawns than missing pawns")
    return faults
