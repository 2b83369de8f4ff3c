"""Run many hunts, several at a time, each in a process of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.shutdown import Interrupt
from ...work.spreading import spread_here
from ..fault import Fault
from .hunt import SUITES, hunt
from .model import Hunt, Outcome
from .results import Results


def hunts(faults: Iterable[Fault], strategies: Iterable[str], seeds: int, seconds: float) -> list[Hunt]:
    """Return all hunts, seed by seed, so that an early end leaves complete seeds.

    Counting a suite does not depend on the seed, so it is done with the first one only.
    """
    chosen, wanted = list(faults), list(strategies)
    return [
        Hunt(fault.name, strategy, seed, seconds)
        for seed in range(1, seeds + 1)
        for strategy in wanted
        if seed == 1 or strategy not in SUITES
        for fault in chosen
    ]


def carry_out(todo: list[Hunt], done: Results, jobs: int, interrupt: Interrupt) -> Iterator[Hunt | Outcome]:
    """Carry out the hunts that are not done yet, `jobs` at a time, and keep each outcome as soon as it is known.

    Yields a hunt when it begins and its outcome when it ends. An interrupt drops unfinished hunts.
    Raises EngineCrash where a process of ours dies, UsageError where an outcome cannot be kept.
    """
    left = [task for task in todo if task not in done.by_hunt]
    for task, outcome in spread_here(jobs)(hunt, left, interrupt, lambda task: f"hunting {task.fault}"):
        if outcome is not None:
            done.keep(outcome, jobs)
        yield outcome or task
