"""Mistakes that show in several ways: beside the rule by which each is known it breaks others, which do not tell it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...generator.position import Position
from ...generator.types.squares import name_of, squares_in
from ..explaining import Rule, explain_extra
from ..model.results.events import Finding, WrongMove


@dataclass(frozen=True)
class Mistake:
    """A mistake, and what else it makes wrong where it has shown."""

    rule: Rule
    """By which it is known, whatever kind of wrong move shows it."""
    accounts_for: Callable[[Finding, WrongMove], bool]
    """Tells whether it may be why a move is wrong."""


def _follows_promotion(finding: Finding, move: WrongMove) -> bool:
    """Tell whether a promotion was played before, or the move is one."""
    return len(move.uci) == 5 or any(len(text) == 5 for text in finding.base_moves)


def _is_about_castling(_finding: Finding, move: WrongMove) -> bool:
    rights = Rule.CASTLING_RIGHT_KEPT.value, Rule.CASTLING_RIGHT_LOST.value
    missing = move.kind == "missing" and move.rule.startswith("castling")
    return missing or move.rule == Rule.CASTLING_NO_RIGHT.value or move.rule in rights


def _is_attacked_across_the_edge(finding: Finding, move: WrongMove) -> bool:
    """Tell whether a king's move is missing to a square, or castling by it, that an enemy reaches across the edge."""
    position = Position.from_fen(finding.fen, finding.chess960)
    king = position.king(position.turn)
    if move.kind != "missing":
        return False
    targets = [move.uci[2:4]] if move.uci.startswith(name_of(king)) else [name_of(king)]
    if move.rule.startswith("castling"):
        targets = [name_of(square) for square in range(king // 8 * 8, king // 8 * 8 + 8)]
    turned = replace(position, turn=position.turn.other, en_passant=None)
    enemies = [name_of(square) for word in position.pieces[turned.turn] for square in squares_in(word)]
    return any(explain_extra(turned, enemy + target).rule is Rule.WRAPS_EDGE for enemy in enemies for target in targets)


def _is_an_unknown_undo(_finding: Finding, move: WrongMove) -> bool:
    """Tell whether it is only known that the position is another one once a move is taken back."""
    return bool(move.rule == Rule.UNDO_POSITION.value)


UNDOS = (Rule.UNDO_CASTLING_RIGHT, Rule.UNDO_CAPTURE, Rule.UNDO_PROMOTION, Rule.UNDO_CASTLING_ROOK)
MISTAKES = (
    Mistake(Rule.PROMOTION_LETTERS, _follows_promotion),
    Mistake(Rule.CASTLING_WINGS, _is_about_castling),
    Mistake(Rule.WRAPS_EDGE, _is_attacked_across_the_edge),
    *(Mistake(rule, _is_an_unknown_undo) for rule in UNDOS),
)
