"""What outcomes add up to: shares and medians over the seeds, for classes, groups and families of faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, isfinite
from statistics import median_low

from ..catalogue import ZOO, kept_aside
from ..fault import Fault
from .hunt import Outcome


def is_chess960(fault: Fault) -> bool:
    """Tell whether a fault shows in Chess960 only."""
    return fault.scope == "960" or fault.shows.chess960


GROUPS: dict[str, Callable[[Fault], bool]] = {
    "standard": lambda fault: not is_chess960(fault),
    "Chess960": is_chess960,
    "tuned on": lambda fault: not kept_aside(fault.family),
    "kept aside": lambda fault: kept_aside(fault.family),
    "all": lambda _: True,
}
"""Parts of the zoo for which figures are told. A family with faults of two groups is one in each."""


@dataclass(frozen=True)
class Row:
    """What one strategy has caught of some faults, over all seeds.

    A median counts every hunt, and one without detection as endless; of an even number it is the
    lower one, which half of the hunts kept to. None: not even half of them detected anything.
    """

    faults: int
    reached: float
    """Faults, each counted by the share of seeds with which it was reached; likewise the next two."""
    triggered: float
    detected: float
    families: int
    families_detected: int
    explained: float | None
    """Share of the detections told by a right rule, where the fault has one; None where there are none."""
    seconds: float | None
    """Median time to detection."""
    positions: float | None
    """Median number of positions to detection, or of counts of a suite."""
    nodes: float | None
    """Median number of leaf nodes counted until then."""
    pieces: float | None
    """Median number of pieces of what was reduced."""


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """Return the outcomes by what `key` says of them, in the order in which that first comes up."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def summed(outcomes: Iterable[Outcome]) -> Row:
    """Return the sum of the outcomes of one strategy, at least one."""
    found = list(outcomes)
    detected = [outcome for outcome in found if outcome.detected]
    told = [outcome.explained for outcome in detected if outcome.explained is not None]
    sizes = [outcome.pieces for outcome in detected if outcome.pieces is not None]
    families = family_seconds(found)
    return Row(
        faults=len(_by_fault(found)),
        reached=_shares(found, lambda outcome: outcome.reached),
        triggered=_shares(found, lambda outcome: outcome.triggered),
        detected=_shares(found, lambda outcome: outcome.detected),
        families=len(families),
        families_detected=sum(isfinite(seconds) for seconds in families.values()),
        explained=sum(told) / len(told) if told else None,
        seconds=_median(found, lambda outcome: outcome.seconds),
        positions=_median(found, lambda outcome: outcome.positions),
        nodes=_median(found, lambda outcome: outcome.nodes),
        pieces=median_low(sizes) if sizes else None,
    )


def family_seconds(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Return when each family was detected by a strategy; infinite where it was not.

    A family is detected at a time if, with at least half of the seeds, all its faults were by then.
    """
    families = grouped(outcomes, lambda outcome: ZOO[outcome.hunt.fault].family)
    return {name: _detected_after(found) for name, found in families.items()}


def _detected_after(family: list[Outcome]) -> float:
    faults = len(_by_fault(family))
    by_seed: dict[int, list[float]] = {}
    for outcome in family:
        by_seed.setdefault(outcome.hunt.seed, []).append(outcome.seconds if outcome.detected else inf)
    slowest = [max(times) for times in by_seed.values() if len(times) == faults]  # seeds that are complete
    return median_low(slowest) if slowest else inf


def curve(outcomes: Iterable[Outcome], budget: float) -> tuple[tuple[float, int], ...]:
    """Return how many families were detected by a strategy until when: seconds and families, both rising.

    The last answer may take a hunt a little beyond its budget (seconds), and is counted there.
    """
    times = sorted(min(seconds, budget) for seconds in family_seconds(outcomes).values() if isfinite(seconds))
    ends = {seconds: number for number, seconds in enumerate(times, 1)}
    return tuple(ends.items())


def _by_fault(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    return grouped(outcomes, lambda outcome: outcome.hunt.fault)


def _shares(outcomes: list[Outcome], holds: Callable[[Outcome], bool]) -> float:
    return sum(sum(map(holds, found)) / len(found) for found in _by_fault(outcomes).values())


def _median(outcomes: list[Outcome], measure: Callable[[Outcome], float]) -> float | None:
    middle = median_low(measure(outcome) if outcome.detected else inf for outcome in outcomes)
    return middle if isfinite(middle) else None


@dataclass(frozen=True)
class Score:
    """Everything that a report of the score is made of."""

    outcomes: tuple[Outcome, ...]
    """In the order in which they were to be hunted; at least one."""
    planned: int
    """How many hunts were asked for."""
    seeds: int
    budget: float
    """Seconds for each hunt."""
    jobs: tuple[int, ...]
    """How many hunts went on side by side; more than one number where that was changed in between."""
    command: str
    """What makes this score again, or goes on with it."""
    picture: str | None = None
    """Path of the curve, seen from the page, where it is drawn."""
    table: str | None = None
    """Path of the CSV with a line for each fault and strategy, seen from the page, where it is written."""

    @property
    def by_strategy(self) -> dict[str, list[Outcome]]:
        """The outcomes of each strategy."""
        return grouped(self.outcomes, lambda outcome: outcome.hunt.strategy)

    @property
    def curves(self) -> dict[str, tuple[tuple[float, int], ...]]:
        """The curve of each strategy."""
        return {name: curve(found, self.budget) for name, found in self.by_strategy.items()}

    @property
    def families(self) -> int:
        """How many families were hunted."""
        return len({ZOO[outcome.hunt.fault].family for outcome in self.outcomes})
