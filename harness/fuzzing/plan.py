"""The plan of a fuzzing run: engine, references, limits, the sweep, and the order of the strategies.

A run begins with the sweep, because random positions are slow to show some faults: those that need a certain sequence
of moves, or many pieces. The cases that show the most faults of the zoo for their cost come first.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from ...errors import UsageError, did_you_mean
from ...generator.events import IMPOSSIBLE_EVENTS, Event
from ...generator.game import Game
from ...generator.position import Position
from ...strategies.mixed import NAMES
from ...suites.bundled import SETUPS, SWEEPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite
from ..engines.opening import open_session
from ..engines.spec import REFERENCE, EngineSpec, references_of
from ..engines.stdio.process import ProcessLimits
from ..machine import usable_threads
from ..model.conventions import read_given
from ..values import FUZZ_DEPTH
from .model import SWEEP

IMPOSSIBLE = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1"
"""A position with more queens than a game allows, and more moves than the move lists of most programs can hold."""
UNREACHABLE = "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1"
"""A position that no game can reach, because the king was in check before the double step; no suite contains it."""
BEFORE_SETUPS = 40
"""Number of cases before those with setup options; these cases reveal most faults."""
SETUP_DEPTH = 2


@dataclass(frozen=True)
class SweepCase:
    """A case of the sweep: a game, the root moves in its last position, and the counts below them."""

    game: Game
    depth: int

    @property
    def is_plain(self) -> bool:
        """Whether the game is a FEN without moves or setup options, so that it can be pipelined."""
        return type(self.game) is Game and not self.game.moves


@cache
def sweep_cases(variants: tuple[bool, ...], depth: int, *, impossible: bool = False) -> tuple[SweepCase, ...]:
    """Return the cases of the sweep; if `depth` is 1, only those of depth 1.

    `variants` contains False for standard chess and True for Chess960. If it contains only True, the cases of standard
    chess are converted to Chess960. With `impossible`, the first case is a position with too many pieces.
    """
    standard, chess960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
    first, last = (SweepCase(Game(Position.from_fen(fen, variants[0])), 1) for fen in (IMPOSSIBLE, UNREACHABLE))
    cases = [_sweep_case(case, chess960=False) for case in standard if False in variants]
    cases += [_sweep_case(case, chess960=True) for case in chess960 if True in variants]
    setups = (case for case in load_suite(bundled_path(SETUPS)) if case.setup and case.position.chess960 in variants)
    cases[BEFORE_SETUPS:BEFORE_SETUPS] = [SweepCase(case.game_after_moves, SETUP_DEPTH) for case in setups]
    cases += [_sweep_case(case, chess960=True) for case in standard if False not in variants]
    return tuple(case for case in [*[first] * impossible, *cases, last] if depth > 1 or case.depth == 1)


def _sweep_case(case: Case, *, chess960: bool) -> SweepCase:
    """Convert a suite case to a sweep case; if it has moves, only the root moves after them are compared."""
    base = case.position
    if base.chess960 is not chess960:
        base = Position.from_fen(base.fen(), chess960)
    return SweepCase(Game(base, case.moves), 1 if case.moves else case.max_depth)


@dataclass(frozen=True)
class StrategyVariant:
    """A strategy for standard chess or Chess960."""

    strategy: str
    chess960: bool

    @property
    def name(self) -> str:
        """The name shown in reports."""
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
"""The order of the strategies. Templates of rare events are the most frequent because they show the most faults."""


def strategy_order(chosen: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[StrategyVariant, ...]:
    """Return the strategies in the order in which batches use them; `variants` contains True for Chess960."""
    return tuple(
        variant for variant in _ORDER if variant.chess960 in variants and (not chosen or variant.strategy in chosen)
    )


LARGEST_BATCH, SMALLEST_BATCH = 80, 20
"""Number of examples in one batch. Each batch has its own seed, so that batches can be generated in any order."""
FIRST_CAREFUL_BATCHES = 8
"""Number of careful batches between the sweep and the pipelined batches.

By the end of these, the first process has determined whether the engine can be pipelined.
"""
GUIDED_PART = 4
"""Divisor of the number of careful examples with coverage guidance, which works only in pipelined batches."""
SWEEP_BATCH = 50
"""Number of sweep cases in one batch."""


@dataclass(frozen=True)
class BatchAssignment:
    """A batch, given by its number, and the examples of the run that belong to it."""

    number: int
    first: int
    """Number of examples in all batches before this one."""
    size: int
    is_pipelined: bool = False
    """Whether questions are sent without waiting for earlier answers."""
    sweep_cases: tuple[SweepCase, ...] = ()
    """The cases of a sweep batch, which generates no positions."""


@dataclass(frozen=True)
class FuzzPlan:
    """A run, with everything that a process needs to examine any batch."""

    engine: str
    """The SPEC of the engine under test."""
    references: tuple[str, ...]
    seed: int
    examples: int | None
    """Number of examples; None if only the time is limited."""
    seconds: float | None
    strategies: tuple[str, ...]
    """The names of the selected strategies; empty for all."""
    variants: tuple[bool, ...]
    """True for Chess960, False for standard chess; at least one of them."""
    depth: int
    impossible: bool = False
    ignore_clocks: bool = False
    """Whether the halfmove clock and move number are ignored when FENs are compared."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """The user's settings for the convention of the engine's move lists, by the names in `CONVENTION_SETTINGS`."""
    self_consistency: bool = False
    fail_fast: bool = False
    require_all: bool = False
    """Whether untried capabilities count as a failure of the run."""
    may_pipeline: bool = False
    """Whether questions may be sent without waiting for earlier answers, if the engine supports it."""
    includes_sweep: bool = False
    """Whether the run begins with the sweep."""
    measures_coverage: bool = False
    """Whether the engine's code coverage guides the generation of positions, if the engine reports any."""
    jobs: int = 1
    timeout: float = 10.0
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    @property
    def strategy_order(self) -> tuple[StrategyVariant, ...]:
        """The strategies in the order in which batches use them."""
        return strategy_order(self.strategies, self.variants)

    @property
    def reported_strategies(self) -> tuple[str, ...]:
        """The distinct names shown in reports, starting with the sweep."""
        names = [variant.name for variant in self.strategy_order]
        return tuple(dict.fromkeys([SWEEP, *names] if self.includes_sweep else names))

    @property
    def possible_events(self) -> tuple[int, ...]:
        """The events that can occur in positions generated by this plan."""
        events = [event for event in Event if not event.chess960 or True in self.variants]
        return tuple(event.value for event in events if self.impossible or event not in IMPOSSIBLE_EVENTS)

    @property
    def sweep(self) -> tuple[SweepCase, ...]:
        """The cases of the sweep; none if the sweep is omitted."""
        return sweep_cases(self.variants, self.depth, impossible=self.impossible) if self.includes_sweep else ()

    @property
    def sweep_batches(self) -> int:
        """Number of sweep batches, which come before all others."""
        return -(-len(self.sweep) // SWEEP_BATCH)

    @property
    def is_brief(self) -> bool:
        """Whether the run ends after the sweep and the careful batches, so that no batch is pipelined."""
        careful = FIRST_CAREFUL_BATCHES * self.careful_size(SMALLEST_BATCH)
        return self.examples is not None and self.examples <= len(self.sweep) + careful

    def variant(self, batch: int) -> StrategyVariant:
        """Return the strategy of a batch that is not part of the sweep."""
        return self.strategy_order[(batch - self.sweep_batches) % len(self.strategy_order)]

    @property
    def batch(self) -> int:
        """Number of examples in one batch, small enough that every strategy is used."""
        if self.examples is None:
            return LARGEST_BATCH
        return max(SMALLEST_BATCH, min(LARGEST_BATCH, -(-self.examples // len(self.strategy_order))))

    def careful_size(self, examples: int) -> int:
        """Return the size of a careful batch for a pipelined engine, given its size without coverage guidance."""
        return examples // GUIDED_PART if self.measures_coverage else examples

    def sweep_cases_of(self, batch: int) -> tuple[SweepCase, ...]:
        """Return the sweep cases in one batch; none for batches after the sweep."""
        return self.sweep[batch * SWEEP_BATCH : (batch + 1) * SWEEP_BATCH]

    def assignment(self, batch: int) -> BatchAssignment:
        """Return the assignment of a batch in a run without pipelining; its size is 0 after the last batch."""
        cases = self.sweep_cases_of(batch)
        first = batch * SWEEP_BATCH if cases else len(self.sweep) + (batch - self.sweep_batches) * self.batch
        return self.limit(BatchAssignment(batch, first, len(cases) or self.batch, sweep_cases=cases), first)

    def limit(self, assignment: BatchAssignment, before: int) -> BatchAssignment:
        """Return an assignment limited to the remaining examples; `before` is the number of examples before it."""
        left = assignment.size if self.examples is None else self.examples - before
        size = max(0, min(assignment.size, left))
        return replace(assignment, size=size, sweep_cases=assignment.sweep_cases[:size])


DEFAULT_EXAMPLES = 10_000
DEFAULT_SECONDS = 60.0
"""Default duration of a run with a pipelined engine; a default number of examples would not suit all speeds."""
MOST_JOBS = 4
"""Default limit for the number of processes; fewer are used if there are fewer cores."""


def make_fuzz_plan(
    engine: str,
    against: Sequence[str] = (),
    *,
    seed: int | None = None,
    jobs: int | None = None,
    examples: int | None = None,
    seconds: float | None = None,
    strategies: Sequence[str] = (),
    chess960: bool | None = None,
    depth: int = FUZZ_DEPTH,
    impossible: bool = False,
    ignore_clocks: bool = False,
    convention: Sequence[str] = (),
    careful: bool = False,
    self_consistency: bool = False,
    fail_fast: bool = False,
    require_all: bool = False,
    coverage: bool = False,
    timeout: float = 10,
    memory: int | None = None,
) -> FuzzPlan:
    """Return the plan for an engine. Raises UsageError."""
    spec = EngineSpec(engine)
    variants = _variants(spec, chess960)
    references = references_of(spec, against or (spec.default_reference,))
    may_pipeline = (
        not (careful or self_consistency) and REFERENCE in references and open_session(spec).engine.can_pipeline
    )
    if examples is None and seconds is None:
        examples, seconds = (None, DEFAULT_SECONDS) if may_pipeline else (DEFAULT_EXAMPLES, None)
    return FuzzPlan(
        engine=spec,
        references=() if self_consistency else references,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        examples=examples,
        seconds=seconds,
        strategies=_strategies(strategies, variants),
        variants=variants,
        depth=depth,
        impossible=impossible,
        ignore_clocks=ignore_clocks,
        convention=read_given(convention, "--convention"),
        self_consistency=self_consistency,
        fail_fast=fail_fast,
        require_all=require_all,
        may_pipeline=may_pipeline,
        measures_coverage=coverage,
        includes_sweep=not strategies,
        jobs=jobs or min(MOST_JOBS, usable_threads()),
        timeout=timeout,
        limits=ProcessLimits.of_mebibytes(memory),
    )


def _variants(engine: EngineSpec, chess960: bool | None) -> tuple[bool, ...]:
    """Return the variants to generate; the default is both for perft-check's generator, else only standard chess."""
    if chess960 is None:
        return (False, True) if engine.is_kernel else (False,)
    return (chess960,)


def _strategies(names: Sequence[str], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}", name)
        if not strategy_order((name,), variants):
            raise UsageError(f"--strategy {name} generates Chess960 only: add --chess960", name)
    return tuple(dict.fromkeys(names))
