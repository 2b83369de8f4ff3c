"""Castling rights of the two wings, swapped: one mistake that makes one castling wrong and lets the other out."""

from __future__ import annotations

from collections.abc import Sequence

from ....generator.position import Position
from ....generator.types.squares import square_of
from ...explaining import Rule, because
from ...model.results.events import WrongMove
from ..comparing import explain_wrong_move

PAIRS = (
    (("extra", Rule.CASTLING_NO_RIGHT), ("missing", Rule.CASTLING)),
    (("state", Rule.CASTLING_RIGHT_KEPT), ("state", Rule.CASTLING_RIGHT_LOST)),
)
"""What swapped rights show together: castling, or rights after a move."""
CASTLINGS = frozenset(rule.value for rule in Rule if rule.value.startswith("castling"))


def with_swapped_wings(position: Position, wrong: Sequence[WrongMove]) -> tuple[WrongMove, ...]:
    """Return the wrong moves, with one in place of two that show together that rights of both wings are swapped."""
    for (first_kind, first_rule), (second_kind, second_rule) in PAIRS:
        first = [move for move in wrong if move.kind == first_kind and move.rule == first_rule.value]
        second = [move for move in wrong if move.kind == second_kind and _is_of(move, second_rule)]
        if first and second and not (first[0].engine_is_right or second[0].engine_is_right):
            text = f"{first[0].sentence} {second[0].sentence} The right of one wing is taken for that of the other."
            squares = map(square_of, dict.fromkeys((*first[0].squares, *second[0].squares)))
            why = because(Rule.CASTLING_WINGS, text, *squares)
            swapped = explain_wrong_move(position, first[0].uci, first_kind, why)
            return (swapped, *(move for move in wrong if move not in first and move not in second))
    return tuple(wrong)


def _is_of(move: WrongMove, rule: Rule) -> bool:
    return move.rule in CASTLINGS if rule is Rule.CASTLING else move.rule == rule.value
