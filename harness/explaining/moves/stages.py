"""The reason for which a move belongs to the list of a GenType, or does not."""

from __future__ import annotations

from ....generator.position import Position
from ....generator.types.moves import GenType
from ..rules import Explanation, Rule, because
from ..words import NAMES, sentence_case
from .attempt import AttemptedMove, read
from .castling_conditions import castling_of
from .reasons import broken_rule, name_move
from .safety import unsafe


def explain_stage(position: Position, uci: str, gentype: GenType, belongs: bool, reason: str = "") -> Explanation:
    """Explain why a move belongs to a GenType, or does not: for a `reason`, or by what it is.

    The lists are pseudo-legal: they contain moves that leave the king attacked, but none that
    breaks another rule.
    """
    broken = broken_rule(position, uci)
    attempt = read(position, uci)
    if isinstance(attempt, Explanation):
        return attempt
    if broken is not None and (castling_of(attempt) is not None or unsafe(attempt) is None):
        return broken
    verb = "belongs to" if belongs else "is not one of"
    text = f"{name_move(position, uci)} {verb} {gentype.name}: {reason or _reason(attempt, gentype, belongs)}."
    return because(Rule.STAGE, sentence_case(text))


def _reason(attempt: AttemptedMove, gentype: GenType, belongs: bool) -> str:
    if gentype is GenType.EVASIONS:
        answers = "it takes the king off the line of check, or stops the check"
        return answers if belongs else "it leaves the check as it is"
    if gentype is GenType.QUIET_CHECKS:
        if belongs:
            return "it is quiet and gives check"
        takes = attempt.is_capture or attempt.victim is not None
        return _nature(attempt) if takes or attempt.promotion is not None else "it gives no check"
    return _nature(attempt)


def _nature(attempt: AttemptedMove) -> str:
    if attempt.promotion is not None:
        return f"it promotes to a {NAMES[attempt.promotion]}"
    if castling_of(attempt) is not None:
        return "castling captures nothing"
    return "it captures a piece" if attempt.is_capture or attempt.victim is not None else "it captures nothing"
