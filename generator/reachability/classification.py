"""Classification of positions by reachability: looks reachable, valid, or impossible."""

from __future__ import annotations

from enum import Enum

from ..position import Position
from ..types.pieces import Color, PieceType
from ..types.squares import name_of, pushed_pawn, squares_in
from ..validation import attackers_of
from .retro import has_last_move, rights_from_corner, structural_faults


class Reachability(Enum):
    """What is known about the reachability of a position."""

    REACHABLE = "looks reachable"
    """No reason is known why the position should be unreachable."""
    VALID = "valid, though no game leads there"
    """Every program should accept the position, but retrograde analysis shows that no game leads to it."""
    IMPOSSIBLE = "impossible"
    """The position has too many pieces or checks, or impossible castling rights. A program may reject it, so a
    disagreement is not a bug.
    """


def reachability_of(position: Position) -> Reachability:
    """Return the reachability of a position that `Position.from_fen` accepts."""
    if is_impossible(position):
        return Reachability.IMPOSSIBLE
    if structural_faults(position) or not has_last_move(position):
        return Reachability.VALID
    return Reachability.REACHABLE


def is_impossible(position: Position) -> bool:
    """Return True if a position has too many pieces, impossible checks or impossible castling rights.

    It is impossible if it has `oddities`, a check that existed before the double push implied by the en passant square
    (as in python-chess, `Board.status`), or castling rights of a king in a corner.
    """
    return bool(position.oddities) or rights_from_corner(position) != 0 or _is_check_older_than_en_passant(position)


def _is_check_older_than_en_passant(position: Position) -> bool:
    target, checkers = position.en_passant, position.checkers
    if target is None or not checkers:
        return False
    pushed = pushed_pawn(target)
    return checkers.bit_count() > 1 or (checkers != 1 << pushed and was_in_check_before_push(position))


def en_passant_contradiction(position: Position) -> str | None:
    """Return a clause that says why a check contradicts the en passant square, or None if there is no contradiction."""
    target = position.en_passant
    if target is None or not _is_check_older_than_en_passant(position):
        return None
    pushed = pushed_pawn(target)
    step = f"{name_of(2 * target - pushed)}{name_of(pushed)}"
    givers = " and ".join(_name(position, square) for square in squares_in(position.checkers))
    gives = "gives" if position.checkers.bit_count() == 1 else "give"
    return f"the en passant square says that {step} was the last move, but {givers} {gives} check, which it cannot open"


def _name(position: Position, square: int) -> str:
    piece = position.piece_at(square)
    assert piece is not None, "a checker"
    return f"the {piece[1].name.lower()} on {name_of(square)}"


def was_in_check_before_push(position: Position) -> bool:
    """Return True if the king of the side to move was attacked before the double push past `en_passant`.

    The pushed pawn's own attacks are not considered, only the lines that it blocked before.
    """
    target, turn = position.en_passant, position.turn
    assert target is not None
    pushed = pushed_pawn(target)
    pieces = [list(side) for side in position.pieces]
    pieces[turn.other][PieceType.PAWN] ^= 1 << pushed
    pieces[turn][PieceType.PAWN] |= 1 << 2 * target - pushed  # its color does not matter: it shields the king
    before = (tuple(pieces[Color.WHITE]), tuple(pieces[Color.BLACK]))
    return attackers_of(before, position.king(turn), turn.other) != 0
