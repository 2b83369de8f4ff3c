"""The questions of the sweep, with which a run begins: those first that show most faults of the zoo for their cost.

What is drawn at random meets some faults late: those that need several moves in order, or many pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...generator.line import Line
from ...generator.position import Position
from ...suites.bundled import SWEEPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite


@dataclass(frozen=True)
class Question:
    """One thing that an engine is asked: the root moves at the end of a line, and the counts below them."""

    line: Line
    depth: int

    @property
    def is_plain(self) -> bool:
        """Whether it is a FEN alone, so that it can be asked ahead of other answers."""
        return type(self.line) is Line and not self.line.moves


@cache
def sweep_questions(variants: tuple[bool, ...], depth: int) -> tuple[Question, ...]:
    """Return the questions for variants, True for Chess960; at depth 1 only those that look no deeper.

    Standard chess is asked about as such, or else in Chess960.
    """
    standard, chess960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
    asked = [_question(case, chess960=False) for case in standard if False in variants]
    asked += [_question(case, chess960=True) for case in chess960 if True in variants]
    asked += [_question(case, chess960=True) for case in standard if False not in variants]
    return tuple(question for question in asked if depth > 1 or question.depth == 1)


def _question(case: Case, *, chess960: bool) -> Question:
    """Return what a case asks: its count, or after its moves the root moves alone."""
    base = case.position
    if base.chess960 is not chess960:
        base = Position.from_fen(base.fen(), chess960)
    return Question(Line(base, case.moves), 1 if case.moves else case.max_depth)
