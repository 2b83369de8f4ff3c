"""What is asked for of a fuzzing run becomes a plan for each of its engines."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from ...errors import UsageError, did_you_mean
from ...strategies.mixed import NAMES
from ..engines.opening import REFERENCE, REFERENCE_OF_OURS, open_engine, references_of
from ..engines.spec import EngineSpec
from ..engines.stdio.process import ProcessLimits
from ..machine import usable_threads
from ..model.conventions import read_given
from ..values import FUZZ_DEPTH
from .plan import FuzzPlan, strategy_order

DEFAULT_EXAMPLES = 10_000
DEFAULT_SECONDS = 60.0
"""How long engines are fuzzed that may be asked ahead: some a thousand times as fast as others."""
MOST_JOBS = 4
"""The most processes by default; fewer where there are fewer cores."""


def make_plans(
    engines: Sequence[str],
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
) -> list[FuzzPlan]:
    """Return the plan for each engine; they share the processes, and have one seed. Raises UsageError."""

    def plan(engine: EngineSpec, jobs: int) -> FuzzPlan:
        default, variants = REFERENCE_OF_OURS if engine.is_own else REFERENCE, _variants(engine, chess960)
        references = references_of(engine, against or (default,))
        may_ask_ahead = (
            not (careful or self_consistency) and REFERENCE in references and open_engine(engine).can_be_asked_ahead
        )
        length = (examples, seconds)
        if length == (None, None):
            length = (None, DEFAULT_SECONDS) if may_ask_ahead else (DEFAULT_EXAMPLES, None)
        return FuzzPlan(
            engine=engine,
            references=() if self_consistency else references,
            seed=chosen,
            examples=length[0],
            seconds=length[1],
            strategies=_strategies(strategies, variants),
            variants=variants,
            depth=depth,
            impossible=impossible,
            ignore_clocks=ignore_clocks,
            convention=read_given(convention, "--convention"),
            self_consistency=self_consistency,
            remember=seed is None,
            fail_fast=fail_fast,
            require_all=require_all,
            may_ask_ahead=may_ask_ahead,
            measures_coverage=coverage,
            sweeps=not strategies,
            jobs=jobs,
            timeout=timeout,
            limits=ProcessLimits.of_mebibytes(memory),
        )

    chosen = secrets.randbelow(2**32) if seed is None else seed
    every = jobs or min(MOST_JOBS, usable_threads())
    shares = [len(range(number, every, len(engines))) for number in range(len(engines))]
    return [plan(EngineSpec(engine), max(1, share)) for engine, share in zip(engines, shares, strict=True)]


def _variants(engine: EngineSpec, chess960: bool | None) -> tuple[bool, ...]:
    """Return whether to draw Chess960: for our own generator by default both, for others only if asked to."""
    if chess960 is None:
        return (False, True) if engine.is_own else (False,)
    return (chess960,)


def _strategies(names: Sequence[str], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}", name)
        if not strategy_order((name,), variants):
            raise UsageError(f"--strategy {name} draws Chess960 only: add --chess960", name)
    return tuple(dict.fromkeys(names))
