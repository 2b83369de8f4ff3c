"""The questions of the sweep, with which a run begins: those first that show most faults of the zoo for their cost.

What is drawn at random meets some faults late: those that need several moves in order, or many pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...generator.line import Line
from ...generator.position import Position
from ...suites.bundled import SETUPS, SWEEPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite

IMPOSSIBLE = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"
"""More queens than a game can have, and more moves than most programs have room for."""
UNREACHABLE = "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1"
"""No game leads here, where the king was in check before the double step; so no suite has it."""
BEFORE_SETUPS = 40
"""Questions that come before those in which a position is set up in other ways: by then most faults have shown."""
SETUP_DEPTH = 2


@dataclass(frozen=True)
class SweepQuestion:
    """One thing that an engine is asked: the root moves at the end of a line, and the counts below them."""

    line: Line
    depth: int

    @property
    def is_plain(self) -> bool:
        """Whether it is a FEN alone, so that it can be asked ahead of other answers."""
        return type(self.line) is Line and not self.line.moves


@cache
def sweep_questions(variants: tuple[bool, ...], depth: int, *, impossible: bool = False) -> tuple[SweepQuestion, ...]:
    """Return the questions for variants, True for Chess960; at depth 1 only those that look no deeper.

    Standard chess is asked about as such, or else in Chess960. With `impossible` a position comes first that
    has too many pieces.
    """
    standard, chess960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
    first, last = (SweepQuestion(Line(Position.from_fen(fen, variants[0])), 1) for fen in (IMPOSSIBLE, UNREACHABLE))
    asked = [_question(case, chess960=False) for case in standard if False in variants]
    asked += [_question(case, chess960=True) for case in chess960 if True in variants]
    asked[BEFORE_SETUPS:BEFORE_SETUPS] = _setup_questions(variants)
    asked += [_question(case, chess960=True) for case in standard if False not in variants]
    return tuple(question for question in [*[first] * impossible, *asked, last] if depth > 1 or question.depth == 1)


def _setup_questions(variants: tuple[bool, ...]) -> list[SweepQuestion]:
    """Return the cases of the suite of setups: what is at the end of each is asked for by its setup."""
    cases = (case for case in load_suite(bundled_path(SETUPS)) if case.setup and case.position.chess960 in variants)
    return [SweepQuestion(case.played_line, SETUP_DEPTH) for case in cases]


def _question(case: Case, *, chess960: bool) -> SweepQuestion:
    """Return what a case asks: its count, or after its moves the root moves alone."""
    base = case.position
    if base.chess960 is not chess960:
        base = Position.from_fen(base.fen(), chess960)
    return SweepQuestion(Line(base, case.moves), 1 if case.moves else case.max_depth)
