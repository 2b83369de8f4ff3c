"""The score: shares and medians of outcomes over all seeds, for classes, groups and families of faults."""

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
"""Parts of the zoo that have figures of their own. A family with faults in two groups counts in both."""


@dataclass(frozen=True)
class Row:
    """The figures of one strategy for some faults, over all seeds.

    A median is taken over all hunts, and a hunt without detection counts as endless. Of an even
    number of hunts it is the lower of the two in the middle. It is None where fewer than half of the
    hunts detected anything.
    """

    faults: int
    reached: float
    """The sum over all faults of the share of seeds with which it was reached; likewise the next two."""
    triggered: float
    detected: float
    families: int
    families_detected: int
    explained: float | None
    """Share of detections explained by a right rule, among faults that have one; None where there are none."""
    seconds: float | None
    """Median time to detection."""
    positions: float | None
    """Median number of positions, or of counts of a suite, until detection."""
    nodes: float | None
    """Median number of leaf nodes counted until detection."""
    pieces: float | None
    """Median number of pieces of the reduced positions."""


def grouped(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, list[Outcome]]:
    """Return the outcomes by their key, keys in the order of their first appearance."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def summed(outcomes: Iterable[Outcome]) -> Row:
    """Return the row of some outcomes of one strategy; there is at least one."""
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
    """Return the seconds after which a strategy had detected each family, or infinity.

    A family is detected when, with at least half of the seeds, all its faults are.
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
    """Return the number of families that a strategy had detected after so many seconds; both rise.

    A hunt may end a little after its budget of seconds, and counts as ended with it.
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
    """All that a report of the score needs."""

    outcomes: tuple[Outcome, ...]
    """In the order of the hunts; at least one."""
    planned: int
    """How many hunts were asked for."""
    seeds: int
    budget: float
    """Seconds for each hunt."""
    jobs: tuple[int, ...]
    """How many hunts ran at a time; several numbers where that changed between runs."""
    command: str
    """The command that makes this score again, or continues it."""
    picture: str | None = None
    """Path of the curve from the page, if it is drawn."""
    table: str | None = None
    """Path of the CSV from the page, if it is written: it has a line for each fault and strategy."""

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
