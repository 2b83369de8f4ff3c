"""Find the side and rook that a castling move refers to, and the condition of castling that is not met."""

from __future__ import annotations

from dataclasses import dataclass

from ...generator import validation
from ...generator.kernels import geometry
from ...generator.position import Position
from ...generator.types.pieces import Color, PieceType, with_piece, without
from ...generator.types.squares import FILES, name_of, squares_in
from .attempt import AttemptedMove
from .rules import Explanation, Rule, because, join_words, sentence_case, side_name, the

_KING_FILES = {True: FILES.index("g"), False: FILES.index("c")}
_ROOK_FILES = {True: FILES.index("f"), False: FILES.index("d")}
_KING_HOME = FILES.index("e")


@dataclass(frozen=True)
class Castling:
    """Castling as described by the text of a move, whether legal or not; `rook` is None if that side has none."""

    position: Position
    color: Color
    king: int
    rook: int | None
    king_side: bool

    @property
    def king_to(self) -> int:
        """The king's destination."""
        return self.color.back_rank * 8 + _KING_FILES[self.king_side]

    @property
    def rook_to(self) -> int:
        """The rook's destination."""
        return self.color.back_rank * 8 + _ROOK_FILES[self.king_side]

    @property
    def side(self) -> str:
        """The side, "king-side" or "queen-side"."""
        return side_name(self.king_side)

    @property
    def king_path(self) -> int:
        """The squares between the king's origin and destination, as a bitboard."""
        return geometry.between(self.king, self.king_to)

    def rook_path(self, rook: int) -> int:
        """Return the squares that the rook passes, including its destination, as a bitboard."""
        return geometry.between(rook, self.rook_to) | 1 << self.rook_to


def castling_of(attempt: AttemptedMove) -> Castling | None:
    """Return the castling that a move denotes as king takes rook (e1h1) or as the king's move (e1g1), or None."""
    position, king, target = attempt.position, attempt.origin, attempt.target
    if attempt.kind is not PieceType.KING or not king // 8 == target // 8 == attempt.turn.back_rank:
        return None
    far = abs(attempt.files) > 1
    own_rook = bool(position.pieces[attempt.turn][PieceType.ROOK] >> target & 1)
    if target % 8 in _KING_FILES.values() and not position.chess960 and king % 8 == _KING_HOME and far:
        king_side = target > king
        return Castling(position, attempt.turn, king, _rook_of_side(attempt, king_side), king_side)
    # In standard chess, moving the king onto an adjacent rook of its own is not castling.
    if own_rook and (far or position.chess960):
        return Castling(position, attempt.turn, king, target, target > king)
    if position.chess960 and target % 8 in _KING_FILES.values() and (far or king == target):
        king_side = target % 8 == _KING_FILES[True]
        castling = Castling(position, attempt.turn, king, _rook_of_side(attempt, king_side), king_side)
        return castling if far or _has_right(castling) else None
    return None


def _rook_of_side(attempt: AttemptedMove, king_side: bool) -> int | None:
    """Return the rook with the castling right on a side, or else the rook that is probably meant."""
    position, king = attempt.position, attempt.origin
    own = [square for square in squares_in(position.pieces[attempt.turn][PieceType.ROOK]) if square // 8 == king // 8]
    rooks = [square for square in own if (square > king) is king_side]
    corner = king // 8 * 8 + (7 if king_side else 0)
    with_right = [square for square in rooks if position.castling >> square & 1]
    if with_right:
        return with_right[0]
    if not position.chess960:
        return corner if corner in rooks else None
    return (max(rooks) if king_side else min(rooks)) if rooks else None


def _has_right(castling: Castling) -> bool:
    return castling.rook is not None and bool(castling.position.castling >> castling.rook & 1)


def broken_castling(castling: Castling) -> Explanation | None:
    """Return the first condition of castling that is not met, in the order in which players check them."""
    if castling.rook is None or not _has_right(castling):
        return _no_right(castling)
    return _explain_blocked(castling, castling.rook) or _explain_attacked(castling, castling.rook)


def _no_right(castling: Castling) -> Explanation:
    position, color, rook = castling.position, castling.color, castling.rook
    corner = name_of(color.back_rank * 8 + (7 if castling.king_side else 0))
    home = name_of(color.back_rank * 8 + _KING_HOME)
    other_right = any(square // 8 == color.back_rank for square in squares_in(position.castling))
    if not position.chess960 and name_of(castling.king) != home:
        reason = f"the king stands on {name_of(castling.king)}, not on {home}"
    elif rook is None:
        where = f"that side of the king on {name_of(castling.king)}" if position.chess960 else corner
        reason = f"no rook of {color.word}'s stands on {where}"
    elif not position.chess960 and name_of(rook) != corner:
        reason = f"the rook on {name_of(rook)} is not in its corner"
    elif other_right:
        reason = f"the rook on {name_of(rook)} has not stood there since the start"
    else:
        reason = f"the king on {name_of(castling.king)} or the rook on {name_of(rook)} has moved before"
    squares = [castling.king] if rook is None else [castling.king, rook]
    return because(Rule.CASTLING_NO_RIGHT, f"{color.word} has no right to castle {castling.side}: {reason}.", *squares)


def _explain_blocked(castling: Castling, rook: int) -> Explanation | None:
    others = castling.position.occupied & ~(1 << castling.king | 1 << rook)
    ways = (("king", castling.king_path | 1 << castling.king_to), ("rook", castling.rook_path(rook)))
    for who, way in ways:
        blockers = squares_in(way & others)
        if blockers:
            first = min(blockers, key=lambda square: abs(square - castling.king))
            text = f"{the(castling.position, first)} stands in the way of the {who}"
            return because(Rule.CASTLING_PATH_BLOCKED, f"{_cannot(castling)}: {text}.", first)
    return None


def _explain_attacked(castling: Castling, rook: int) -> Explanation | None:
    position, enemy = castling.position, castling.color.other
    king, king_to = castling.king, castling.king_to
    if position.checkers:
        checkers = squares_in(position.checkers)
        givers = join_words([the(position, square) for square in checkers])
        text = f"{castling.color.word} cannot castle out of check, which {givers} give{'s' * (len(checkers) == 1)}."
        return because(Rule.CASTLING_IN_CHECK, text, *checkers)
    lifted = without(position.pieces, 1 << king)
    for square in sorted(squares_in(castling.king_path), key=lambda passed: abs(passed - king)):
        attackers = squares_in(validation.attackers_of(lifted, square, enemy))
        if attackers:
            text = f"the king would pass {name_of(square)}, which {the(position, attackers[0])} attacks"
            return because(Rule.CASTLING_THROUGH_CHECK, f"{_cannot(castling)}: {text}.", square, *attackers)
    # The rook is on its destination: in Chess960 it may have shielded the king from its origin.
    landed = with_piece(without(lifted, 1 << rook), castling.color, PieceType.ROOK, castling.rook_to)
    attackers = squares_in(validation.attackers_of(landed, king_to, enemy))
    if not attackers:
        return None
    attacker = the(position, attackers[0])
    if validation.attackers_of(lifted, king_to, enemy):
        text = f"{attacker} attacks {name_of(king_to)}, where the king would stand"
        return because(Rule.CASTLING_INTO_CHECK, f"{_cannot(castling)}: {text}.", king_to, *attackers)
    text = f"once the rook has left {name_of(rook)}, {attacker} attacks the king on {name_of(king_to)}"
    return because(Rule.CASTLING_UNCOVERS_KING, f"{_cannot(castling)}: {text}.", king_to, rook, *attackers)


def _cannot(castling: Castling) -> str:
    return f"{castling.color.word} cannot castle {castling.side}"


def not_castling(attempt: AttemptedMove) -> Explanation:
    """Explain a king move over several squares of its rank that is not castling."""
    rank = attempt.turn.back_rank + 1
    if attempt.origin // 8 != attempt.turn.back_rank:
        reason = f"happens on rank {rank}"
    elif not attempt.position.chess960 and attempt.origin % 8 != _KING_HOME:
        reason = f"starts with the king on e{rank}"
    else:
        reason = f"leads the king to c{rank} or g{rank}"
    text = f"{attempt.moving} may go only one square, and going to {attempt.to} is not castling, which {reason}."
    return because(Rule.CASTLING_NOT_A_KING_STEP, sentence_case(text))
