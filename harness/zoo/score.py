"""The score: shares and medians of outcomes over all seeds, by class, group and family of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite
from statistics import median_low

from ... import __version__
from .catalogue import ZOO, is_held_out
from .fault import Fault
from .results import GROUPS, Curve, FaultScore, Outcome, Score, ScoreRow, StrategyScore


def is_chess960(fault: Fault) -> bool:
    """Return True if a fault is visible only in Chess960."""
    return fault.scope == "960" or fault.demonstration.chess960


BELONGS: dict[str, Callable[[Fault], bool]] = {
    "standard": lambda fault: not is_chess960(fault),
    "Chess960": is_chess960,
    "tuned on": lambda fault: not is_held_out(fault.family),
    "held out": lambda fault: is_held_out(fault.family),
    "all": lambda _: True,
}
"""For each of `GROUPS`, a function that returns True if a fault belongs to it."""


def score_of(
    outcomes: Sequence[Outcome], *, planned: int, seeds: int, budget: float, jobs: tuple[int, ...], command: str
) -> Score:
    """Return the score of at least one outcome; for the other arguments see `Score`."""
    strategies = group_outcomes(outcomes, lambda outcome: outcome.hunt.strategy)
    return Score(
        version=__version__,
        outcomes=tuple(outcomes),
        strategies={name: _strategy(found, budget) for name, found in strategies.items()},
        families=len({ZOO[outcome.hunt.fault].family for outcome in outcomes}),
        planned=planned,
        seeds=seeds,
        budget=budget,
        jobs=jobs,
        command=command,
    )


def _strategy(outcomes: list[Outcome], budget: float) -> StrategyScore:
    classes = group_outcomes(outcomes, lambda outcome: ZOO[outcome.hunt.fault].fault_class)
    groups = {name: [outcome for outcome in outcomes if BELONGS[name](ZOO[outcome.hunt.fault])] for name in GROUPS}
    return StrategyScore(
        classes={name: sum_outcomes(classes[name]) for name in sorted(classes, key=str.casefold)},
        groups={name: sum_outcomes(found) for name, found in groups.items() if found},
        faults={name: _fault(ZOO[name], found) for name, found in _by_fault(outcomes).items()},
        missed=Counter(outcome.hunt.fault for outcome in outcomes if not outcome.detected),
        curve=curve(outcomes, budget),
    )


def _fault(fault: Fault, outcomes: list[Outcome]) -> FaultScore:
    return FaultScore(
        fault_class=fault.fault_class,
        family=fault.family,
        chess960=is_chess960(fault),
        held_out=is_held_out(fault.family),
        seeds=len(outcomes),
        row=sum_outcomes(outcomes),
    )


def group_outcomes(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """Return the outcomes by key; keys are in the order of their first outcomes."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def sum_outcomes(outcomes: Iterable[Outcome]) -> ScoreRow:
    """Return the figures for at least one outcome of a single strategy."""
    found = list(outcomes)
    detected = [outcome for outcome in found if outcome.detected]
    explained = [outcome.explained for outcome in detected if outcome.explained is not None]
    sizes = [outcome.pieces for outcome in detected if outcome.pieces is not None]
    families = family_seconds(found)
    return ScoreRow(
        faults=len(_by_fault(found)),
        detected=sum(sum(one.detected for one in same) / len(same) for same in _by_fault(found).values()),
        families=len(families),
        families_detected=sum(isfinite(seconds) for seconds in families.values()),
        explained=sum(explained) / len(explained) if explained else None,
        seconds=_median(found, lambda outcome: outcome.seconds),
        positions=_median(found, lambda outcome: outcome.positions),
        nodes=_median(found, lambda outcome: outcome.nodes),
        pieces=median_low(sizes) if sizes else None,
    )


def family_seconds(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Return the time in seconds until a strategy had detected each family, or infinity if it did not.

    A family is detected if all of its faults are detected with at least half of the seeds.
    """
    families = group_outcomes(outcomes, lambda outcome: ZOO[outcome.hunt.fault].family)
    return {name: _detected_after(found) for name, found in families.items()}


def _detected_after(family: list[Outcome]) -> float:
    faults = len(_by_fault(family))
    by_seed: dict[int, list[float]] = {}
    for outcome in family:
        by_seed.setdefault(outcome.hunt.seed, []).append(outcome.seconds if outcome.detected else inf)
    slowest = [max(times) for times in by_seed.values() if len(times) == faults]  # complete seeds only
    return median_low(slowest) if slowest else inf


def curve(outcomes: Iterable[Outcome], budget: float) -> Curve:
    """Return the number of families detected by a strategy as a function of time.

    A hunt that ends slightly after its budget of seconds counts as ending at the budget.
    """
    times = sorted(min(seconds, budget) for seconds in family_seconds(outcomes).values() if isfinite(seconds))
    ends = {seconds: number for number, seconds in enumerate(times, 1)}
    return tuple(ends.items())


def _by_fault(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    return group_outcomes(outcomes, lambda outcome: outcome.hunt.fault)


def _median(outcomes: list[Outcome], measure: Callable[[Outcome], float]) -> float | None:
    middle = median_low(measure(outcome) if outcome.detected else inf for outcome in outcomes)
    return middle if isfinite(middle) else None
