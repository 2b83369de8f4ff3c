"""The past that pawns, bishops and castling rights tell of: captures and moves that cannot have happened."""

from __future__ import annotations

from functools import cache

from ..position import Position
from ..types.pieces import Color, Kind
from ..types.squares import squares_in
from .attacks import leaps

_LIGHT = 0x55AA55AA55AA55AA
_HOME_BISHOPS = 0b00100100


def structural_faults(position: Position) -> list[str]:
    """Return what shows in pawns, bishops and castling rights that no game leads here."""
    faults = []
    for color in Color:
        captured = 16 - sum(bitboard.bit_count() for bitboard in position.pieces[color.other])
        if captures_needed(color, position.pieces[color][Kind.PAWN]) > captured:
            faults.append(f"{color.word}'s pawns have changed files more often than there were captures")
        if _castles_from_corner(position, color):
            faults.append(f"{color.word} may castle with a king in the corner, where it has no rook on one side")
        if not position.chess960:  # there, a bishop may have started anywhere
            faults += _locked_bishops(position, color)
    return faults


def _castles_from_corner(position: Position, color: Color) -> bool:
    """Tell whether a king that may castle stands in a corner: games of Chess960 begin with it between its rooks."""
    may_castle = position.castling >> color.back_rank * 8 & 0xFF
    return bool(may_castle) and position.king(color) % 8 in (0, 7)


def captures_needed(color: Color, pawns: int) -> int:
    """Return the least number of captures that brings pawns here from their rank; 99 where none does.

    A pawn changes its file by one with each capture, and with each goes up one rank.
    """
    steps = [(s % 8, s // 8 - 1 if color is Color.WHITE else 6 - s // 8) for s in squares_in(pawns)]
    return _cheapest(tuple(sorted(steps, key=lambda step: step[1])), 0)


@cache
def _cheapest(pawns: tuple[tuple[int, int], ...], taken: int) -> int:
    """Return the least sum of file changes for `pawns`, as (file, ranks gone), with origin files not in `taken`."""
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
    """Find bishops on the own back rank behind pawns that never moved, and others beside a locked one.

    A bishop locked in at home means that any other one on its color was a pawn; one that is locked
    in elsewhere can never have come there.
    """
    own = position.pieces[color]
    unmoved = own[Kind.PAWN] & (0xFF << (8 if color is Color.WHITE else 48))
    base = color.back_rank * 8
    promoted = 0
    faults = []
    for square in range(base, base + 8):
        if leaps(color, Kind.PAWN, square) & ~unmoved:
            continue
        is_home = _HOME_BISHOPS >> square % 8 & 1
        is_bishop = own[Kind.BISHOP] >> square & 1
        if is_bishop and not is_home:
            faults.append(f"{color.word} has a bishop behind pawns that have never moved")
        if is_home:  # whatever bishop of this color stands elsewhere was a pawn
            same = _LIGHT if _LIGHT >> square & 1 else ~_LIGHT
            promoted += (own[Kind.BISHOP] & same & ~(1 << square)).bit_count()
    if promoted > 8 - own[Kind.PAWN].bit_count():
        faults.append(f"{color.word} has more bishops from pawns than missing pawns")
    return faults
