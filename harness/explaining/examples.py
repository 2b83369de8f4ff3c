"""Descriptions of rules, each with its source and an example: the correct answer and an incorrect one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ...errors import UsageError, did_you_mean
from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.types.moves import GenType
from . import explain_duplicate, explain_move, explain_notation, explain_stage, explain_state
from .rules import Explanation, Rule
from .undo import explain_undo

UNDOING = "undo-"
"""Prefix of the names of rules about taking a move back."""


@dataclass(frozen=True)
class Example:
    """A correct and an incorrect answer, which are move lists in UCI notation or positions after a move."""

    position: Position
    question: str
    """The question, such as "legal moves"."""
    correct: tuple[str, ...]
    extra: tuple[str, ...]
    """Items that only the incorrect answer contains."""
    missing: tuple[str, ...]
    """Items that only the correct answer contains."""
    reasons: tuple[Explanation, ...]
    """The report's explanation of the incorrect answer."""


@dataclass(frozen=True)
class RuleText:
    """The description of a rule."""

    rule: Rule
    text: str
    """The rule in a few sentences."""
    source: str
    """An article of the Laws of Chess, or a standard."""
    _example: dict[str, Any]

    @property
    def example(self) -> Example:
        """An example, with the explanation from a report."""
        position = Position.from_fen(self._example["position"], chess960=None)
        moves = tuple(self._example.get("moves") or [self._example["move"]])
        if "after" in self._example:
            return _example_of_state(self.rule, position, moves[0], self._example["after"])
        if self.rule is Rule.STAGE:
            return _example_of_stage(position, moves[0], GenType[self._example["gentype"].upper()])
        return _example_of_moves(self.rule, position, moves)


def find_rule(name: str) -> RuleText:
    """Return the rule with this name. Raises UsageError with a hint if there is none."""
    texts = rule_texts()
    try:
        return texts[Rule(name)]
    except ValueError:
        hint = did_you_mean(name, [rule.value for rule in texts], "`perft-check explain` lists all", cutoff=0.5)
        raise UsageError(f"no rule named {name!r}: {hint}", name) from None


@cache
def rule_texts() -> dict[Rule, RuleText]:
    """Return all rules with their texts, in the order of `Rule`."""
    tables = tomllib.loads((files(__package__) / "rules.toml").read_text(encoding="utf-8"))
    return {
        rule: RuleText(rule, tables[rule.value]["text"], tables[rule.value]["source"], tables[rule.value])
        for rule in Rule
    }


def _example_of_moves(rule: Rule, position: Position, moves: tuple[str, ...]) -> Example:
    correct = tuple(move.uci(position.chess960) for move in position.legal_moves)
    if rule is Rule.DUPLICATE:
        return Example(position, "legal moves", correct, moves, (), (explain_duplicate(position, moves[0]),))
    if rule is Rule.CASTLING_BY_KING_TARGET:
        target = position.parse_uci(moves[0]).uci(chess960=False)
        return Example(position, "legal moves", correct, (target,), moves, (explain_notation(position, moves[0]),))
    extra = tuple(move for move in moves if move not in correct)
    missing = tuple(move for move in moves if move in correct)
    return Example(
        position, "legal moves", correct, extra, missing, tuple(explain_move(position, one) for one in moves)
    )


def _example_of_stage(position: Position, move: str, gentype: GenType) -> Example:
    correct = tuple(one.move.uci(position.chess960) for one in MoveList(position, gentype))
    why = explain_stage(position, move, gentype, move in correct)
    return Example(position, gentype.name, correct, (move,), (), (why,))


def _example_of_state(rule: Rule, position: Position, uci: str, wrong: str) -> Example:
    move = position.parse_uci(uci)
    if rule.value.startswith(UNDOING):
        correct, question = position.fen(), f"after {uci} is taken back"
        reasons: tuple[Explanation, ...] = (explain_undo(position, move, correct, wrong),)
    else:
        correct, question = position.play(move).fen(), f"after {uci}"
        reasons = explain_state(position, uci, correct, wrong)
    return Example(position, question, (correct,), (wrong,), (correct,), reasons)
