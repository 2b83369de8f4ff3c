"""Outcomes of hunts, and the score: shares and medians over all seeds, by class, group and family of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from statistics import median_low

from ... import __version__
from .fault import ZOO, Fault, is_held_out

Curve = tuple[tuple[float, int], ...]
"""The number of detected families over time: pairs of seconds and families, both increasing."""
GROUPS = ("standard", "Chess960", "tuned on", "held out", "all")
"""Groups of faults with separate figures. A family with faults in two groups counts in both."""


@dataclass(frozen=True)
class Hunt:
    """A fault to hunt with a strategy, a seed and a time limit."""

    fault: str
    strategy: str
    seed: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """The outcome of a hunt. Counters stop at detection, or at the end of the hunt if nothing was detected."""

    hunt: Hunt
    detected: bool
    """Whether a check reported the fault, or a suite count was incorrect."""
    positions: int
    """Number of positions examined, or of suite counts compared."""
    nodes: int
    """Number of leaf nodes counted by the faulty generator."""
    seconds: float
    explained: bool | None
    """Whether the explanation names a correct rule, or None if nothing was detected or the fault has no rule."""
    pieces: int | None
    """Number of pieces in the reduced position."""


@dataclass(frozen=True)
class ScoreRow:
    """The figures of one strategy for some faults, over all seeds.

    Medians are computed over all hunts; a hunt without detection counts as infinite. For an even number of hunts, the
    median is the lower of the two middle values. A median is None if fewer than half of the hunts detected the fault.
    """

    faults: int
    detected: float
    """Share of seeds that detected a fault, summed over all faults."""
    families: int
    families_detected: int
    explained: float | None
    """Share of detections explained by a correct rule, among faults with rules, or None if there are none."""
    seconds: float | None
    """Median time to detection."""
    positions: float | None
    """Median number of positions, or of suite counts, until detection."""
    nodes: float | None
    """Median number of leaf nodes counted until detection."""
    pieces: float | None
    """Median number of pieces of the reduced positions."""


@dataclass(frozen=True)
class FaultScore:
    """The results of one strategy for one fault."""

    fault_class: str
    """The class of the fault."""
    family: str
    chess960: bool
    """Whether the fault is visible only in Chess960."""
    held_out: bool
    """Whether the family is held out and not used for tuning."""
    seeds: int
    """Number of seeds with which the fault was hunted."""
    row: ScoreRow


@dataclass(frozen=True)
class StrategyScore:
    """The results of one strategy."""

    classes: Mapping[str, ScoreRow]
    """The figures for each class of faults, sorted by name."""
    groups: Mapping[str, ScoreRow]
    """The figures for those of `GROUPS` that have faults."""
    faults: Mapping[str, FaultScore]
    """The results for each fault, in the order in which the faults were hunted."""
    missed: Mapping[str, int]
    """The number of seeds without detection, for each fault that was not detected with every seed."""
    curve: Curve

    @property
    def faults_by_class(self) -> dict[str, FaultScore]:
        """The faults sorted by class and name."""
        return dict(sorted(self.faults.items(), key=lambda item: (item[1].fault_class.casefold(), item[0])))


@dataclass(frozen=True)
class Score:
    """The contents of a score report."""

    version: str
    """The version of perft-check."""
    outcomes: tuple[Outcome, ...]
    """The outcomes (at least one), in the order of the hunts."""
    strategies: Mapping[str, StrategyScore]
    families: int
    """Number of families hunted."""
    planned: int
    """Number of hunts requested."""
    seeds: int
    budget: float
    """Seconds for each hunt."""
    jobs: tuple[int, ...]
    """Number of simultaneous hunts; several values if it changed between runs."""
    command: str
    """The command line that reproduces or continues this score."""


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
