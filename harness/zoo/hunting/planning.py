"""How faults are fuzzed: the plan of a hunt, and whether its find is explained rightly."""

from __future__ import annotations

from ....generator.position import Position
from ....generator.reachability.labels import is_impossible
from ....generator.validation import FenError
from ...fuzzing.plan import FuzzPlan
from ...model.results.events import Finding
from ..fault import Fault
from .model import Hunt

REFERENCE = "own:turbo"
FUZZED: dict[str, tuple[str, ...]] = {"fuzz": (), "games": ("games",), "walks": ("walks",)}
"""Strategies that draw positions, with the strategies of `perft-check fuzz` that they use; empty for all."""
SERVED = "served"
"""The strategy that draws positions for a process of `zoo serve`; a fault that cannot be served is fuzzed."""


def plan_of(task: Hunt, fault: Fault, engine: str, *, is_served: bool = False) -> FuzzPlan:
    """Return the plan by which a fault is fuzzed; `is_served` as a stranger's engine, until the time is over."""
    return FuzzPlan(
        engine=engine,
        references=(REFERENCE,),
        seed=task.seed,
        examples=None,
        seconds=task.seconds if is_served else None,
        strategies=FUZZED.get(task.strategy, ()),
        gentypes=(),
        variants=(fault.shows.chess960,),
        depth=2,
        impossible=_is_impossible(fault),
        remember=False,
        fail_fast=True,
        may_ask_ahead=is_served,
        sweeps=task.strategy not in FUZZED or not FUZZED[task.strategy],
    )


def names_rule(fault: Fault, finding: Finding | None) -> bool | None:
    """Tell whether a finding names one of the right rules; None where the fault has no rule."""
    if not fault.rules or finding is None:
        return None if not fault.rules else False
    return any(move.rule in fault.rules for move in (*finding.state, *finding.wrong))


def _is_impossible(fault: Fault) -> bool:
    """Tell whether the position that shows a fault is impossible, so that only impossible positions find it."""
    shows = fault.shows
    try:
        return is_impossible(Position.from_fen(shows.fen, shows.chess960))
    except FenError:
        return False
