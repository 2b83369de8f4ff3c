"""The plan of a fuzzing run: which engine, against which references, in which order strategies take turns, how long.

A run begins with the questions of the sweep, those first that show most faults of the zoo for their cost: random
positions meet some faults late, those that need several moves in order, or many pieces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from ...generator.events import IMPOSSIBLE_EVENTS, Event
from ...generator.game import Game
from ...generator.position import Position
from ...suites.bundled import SETUPS, SWEEPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite
from ..engines.stdio.process import ProcessLimits

IMPOSSIBLE = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"
"""More queens than a game can have, and more moves than most programs have room for."""
UNREACHABLE = "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1"
"""No game leads here, where the king was in check before the double step; so no suite has it."""
BEFORE_SETUPS = 40
"""Questions that come before those in which a position is set up in other ways: by then most faults have shown."""
SETUP_DEPTH = 2


@dataclass(frozen=True)
class SweepCase:
    """One thing that an engine is asked: the root moves at the end of a line, and the counts below them."""

    game: Game
    depth: int

    @property
    def is_plain(self) -> bool:
        """Whether it is a FEN alone, so that it can be asked ahead of other answers."""
        return type(self.game) is Game and not self.game.moves


@cache
def sweep_cases(variants: tuple[bool, ...], depth: int, *, impossible: bool = False) -> tuple[SweepCase, ...]:
    """Return the questions for variants, True for Chess960; at depth 1 only those that look no deeper.

    Standard chess is asked about as such, or else in Chess960. With `impossible` a position comes first that
    has too many pieces.
    """
    standard, chess960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
    first, last = (SweepCase(Game(Position.from_fen(fen, variants[0])), 1) for fen in (IMPOSSIBLE, UNREACHABLE))
    asked = [_question(case, chess960=False) for case in standard if False in variants]
    asked += [_question(case, chess960=True) for case in chess960 if True in variants]
    setups = (case for case in load_suite(bundled_path(SETUPS)) if case.setup and case.position.chess960 in variants)
    # What is at the end of each is asked for by its setup.
    asked[BEFORE_SETUPS:BEFORE_SETUPS] = [SweepCase(case.game_after_moves, SETUP_DEPTH) for case in setups]
    asked += [_question(case, chess960=True) for case in standard if False not in variants]
    return tuple(question for question in [*[first] * impossible, *asked, last] if depth > 1 or question.depth == 1)


def _question(case: Case, *, chess960: bool) -> SweepCase:
    """Return what a case asks: its count, or after its moves the root moves alone."""
    base = case.position
    if base.chess960 is not chess960:
        base = Position.from_fen(base.fen(), chess960)
    return SweepCase(Game(base, case.moves), 1 if case.moves else case.max_depth)


@dataclass(frozen=True)
class StrategyVariant:
    """A strategy, for standard chess or for Chess960."""

    strategy: str
    chess960: bool

    @property
    def name(self) -> str:
        """The name that reports show."""
        return f"{self.strategy} (Chess960)" if self.chess960 else self.strategy


_STANDARD, _CHESS960 = False, True
_ORDER = (
    StrategyVariant("templates", _STANDARD),
    StrategyVariant("walks", _STANDARD),
    StrategyVariant("sequences", _STANDARD),
    StrategyVariant("setups", _STANDARD),
    StrategyVariant("templates", _CHESS960),
    StrategyVariant("placements", _STANDARD),
    StrategyVariant("castlings", _CHESS960),
    StrategyVariant("sequences", _CHESS960),
    StrategyVariant("setups", _CHESS960),
    StrategyVariant("templates", _STANDARD),
    StrategyVariant("mutations", _STANDARD),
    StrategyVariant("games", _STANDARD),
    StrategyVariant("walks", _CHESS960),
    StrategyVariant("locked", _STANDARD),
    StrategyVariant("setups", _STANDARD),
    StrategyVariant("templates", _STANDARD),
    StrategyVariant("placements", _CHESS960),
    StrategyVariant("games", _CHESS960),
    StrategyVariant("mutations", _CHESS960),
)
"""Templates of rare events come most often: there are many of them, and they find most."""


def strategy_order(chosen: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[StrategyVariant, ...]:
    """Return the turns that batches take one after another; `variants` has True for Chess960, False for standard."""
    return tuple(
        variant for variant in _ORDER if variant.chess960 in variants and (not chosen or variant.strategy in chosen)
    )


LARGEST_BATCH, SMALLEST_BATCH = 80, 20
"""Examples in one batch. Each batch has its own seed, so that batches can be generated in any order."""
CAREFUL_AT_FIRST = 8
"""Number of careful batches between the sweep and those that are asked ahead.

By then the first process has found out whether the engine can be asked ahead.
"""
GUIDED_PART = 4
"""Divides the number of careful examples if coverage guides, which begins with what is asked ahead."""
SWEEP_BATCH = 50
"""Questions of the sweep in one batch."""


@dataclass(frozen=True)
class BatchAssignment:
    """A batch, and which of the examples of a run are its own."""

    number: int
    first: int
    """How many examples the batches before it have."""
    size: int
    is_ahead: bool = False
    """Whether the engine is asked ahead of its answers."""
    questions: tuple[SweepCase, ...] = ()
    """The questions of a batch of the sweep, which generates nothing."""


@dataclass(frozen=True)
class FuzzPlan:
    """A run, with all that a process needs to examine any of its batches."""

    engine: str
    """The SPEC of the engine under test."""
    references: tuple[str, ...]
    seed: int
    examples: int | None
    """None if only the time is limited."""
    seconds: float | None
    strategies: tuple[str, ...]
    """The names of the strategies chosen; empty for all."""
    variants: tuple[bool, ...]
    """True for Chess960, False for standard chess: one of them, or both."""
    depth: int
    impossible: bool = False
    ignore_clocks: bool = False
    """Whether FENs are compared without halfmove clock and move number."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """What is said about the convention of the engine's lists, by the names of `model.conventions.SETTINGS`."""
    self_consistency: bool = False
    remember: bool = True
    """Whether failing examples are kept in the database of Hypothesis, and tried first."""
    fail_fast: bool = False
    require_all: bool = False
    """Whether something that was not tried counts as a failure of the run."""
    may_ask_ahead: bool = False
    """Whether the engine may be asked many questions before it answers, if it turns out to bear that."""
    sweeps: bool = False
    """Whether the first batches are those of the sweep."""
    measures_coverage: bool = False
    """Whether the coverage of the engine's code guides what is generated, if the engine reports any."""
    jobs: int = 1
    timeout: float = 10.0
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    @property
    def strategy_order(self) -> tuple[StrategyVariant, ...]:
        """The strategies in the order in which batches take their turns."""
        return strategy_order(self.strategies, self.variants)

    @property
    def possible_events(self) -> tuple[int, ...]:
        """The events of the catalogue that positions of this plan can meet."""
        events = [event for event in Event if not event.chess960 or True in self.variants]
        return tuple(event.value for event in events if self.impossible or event not in IMPOSSIBLE_EVENTS)

    @property
    def sweep(self) -> tuple[SweepCase, ...]:
        """The questions of the sweep; none if it is left out."""
        return sweep_cases(self.variants, self.depth, impossible=self.impossible) if self.sweeps else ()

    @property
    def sweep_batches(self) -> int:
        """The number of batches that the sweep has, which come before all others."""
        return -(-len(self.sweep) // SWEEP_BATCH)

    @property
    def is_brief(self) -> bool:
        """Whether it ends with the sweep and the careful batches, so that nothing is generated ahead."""
        careful = CAREFUL_AT_FIRST * self.careful_size(SMALLEST_BATCH)
        return self.examples is not None and self.examples <= len(self.sweep) + careful

    def variant(self, batch: int) -> StrategyVariant:
        """Return the strategy of a batch that is not one of the sweep."""
        return self.strategy_order[(batch - self.sweep_batches) % len(self.strategy_order)]

    @property
    def batch(self) -> int:
        """Examples in one batch: few enough that every strategy has its turn."""
        if self.examples is None:
            return LARGEST_BATCH
        return max(SMALLEST_BATCH, min(LARGEST_BATCH, -(-self.examples // len(self.strategy_order))))

    def careful_size(self, examples: int) -> int:
        """Return how many examples a careful batch has if the engine is asked ahead, given what it has unguided."""
        return examples // GUIDED_PART if self.measures_coverage else examples

    def swept(self, batch: int) -> tuple[SweepCase, ...]:
        """Return the questions of the sweep in one batch; none in those that come after it."""
        return self.sweep[batch * SWEEP_BATCH : (batch + 1) * SWEEP_BATCH]

    def assignment(self, batch: int) -> BatchAssignment:
        """Return a batch of a run in which no engine is asked ahead; its size is 0 after the last."""
        swept = self.swept(batch)
        first = batch * SWEEP_BATCH if swept else len(self.sweep) + (batch - self.sweep_batches) * self.batch
        return self.limit(BatchAssignment(batch, first, len(swept) or self.batch, questions=swept), first)

    def limit(self, assignment: BatchAssignment, before: int) -> BatchAssignment:
        """Return a batch without the examples that are too many, given how many the run has had before."""
        left = assignment.size if self.examples is None else self.examples - before
        size = max(0, min(assignment.size, left))
        return replace(assignment, size=size, questions=assignment.questions[:size])
