"""Explain in one sentence which rule an engine breaks or overlooks."""

from __future__ import annotations

from ...generator.position import Position
from .reasons import broken_rule, explain_stage, name_move, reason_for
from .rules import Explanation, Rule, because, sentence_case
from .state import explain_state

__all__ = [
    "Explanation",
    "Rule",
    "because",
    "explain_duplicate",
    "explain_move",
    "explain_notation",
    "explain_stage",
    "explain_state",
    "is_legal",
]


def is_legal(position: Position, uci: str) -> bool:
    """Return True if a move is legal by the rules of this package, which do not depend on the move generator."""
    return broken_rule(position, uci) is None


def explain_move(position: Position, uci: str) -> Explanation:
    """Explain which rule a move breaks, or why it is legal.

    Any text is accepted. Castling may be written as king takes rook (e1h1) or as the king's move (e1g1).
    """
    return broken_rule(position, uci) or reason_for(position, uci)


def explain_notation(position: Position, uci: str) -> Explanation:
    """Explain how castling is written in Chess960; `uci` is the move as king takes rook."""
    text = f"{name_move(position, uci)} is written {uci} in Chess960, king takes rook."
    return because(Rule.CASTLING_BY_KING_TARGET, sentence_case(text))


def explain_duplicate(position: Position, uci: str) -> Explanation:
    """Explain that a move is listed more than once."""
    return because(Rule.DUPLICATE, sentence_case(f"{name_move(position, uci)} is listed more than once."))
