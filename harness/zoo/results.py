"""The results of hunts, and the score that is computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Curve = tuple[tuple[float, int], ...]
"""Points of the number of detected families over time: seconds and families, both rising."""
GROUPS = ("standard", "Chess960", "tuned on", "held out", "all")
"""Parts of the zoo with separate figures. A family with faults of two groups counts in both."""


@dataclass(frozen=True)
class Hunt:
    """A fault to be hunted with a strategy, a seed and a time limit."""

    fault: str
    strategy: str
    seed: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """How a hunt ended. The counters are those at the moment of detection, or at the end."""

    hunt: Hunt
    reached: bool
    """Whether the faulty code ran."""
    triggered: bool
    """Whether its result differed from the correct one."""
    detected: bool
    """Whether a check reported it, or a count of a suite was incorrect."""
    positions: int
    """Positions examined, or counts of a suite compared."""
    nodes: int
    """Number of leaf nodes that the faulty generator counted."""
    seconds: float
    explained: bool | None
    """Whether the explanation names a correct rule; None without detection, or if the fault has no rule."""
    pieces: int | None
    """Number of pieces in the reduced position."""


@dataclass(frozen=True)
class ScoreRow:
    """The figures of one strategy for some faults, over all seeds.

    Medians are computed over all hunts, where a hunt without detection counts as infinite. For an even number of hunts,
    the median is the lower of the two middle values. It is None if fewer than half of the hunts detected the fault.
    """

    faults: int
    reached: float
    """The share of seeds with which a fault was reached, summed over all faults; the next two are similar."""
    triggered: float
    detected: float
    families: int
    families_detected: int
    explained: float | None
    """Share of detections explained by a correct rule, among faults that have one; None if there are none."""
    seconds: float | None
    """Median time to detection."""
    positions: float | None
    """Median number of positions, or of counts of a suite, until detection."""
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
    """Whether it shows in Chess960 only."""
    held_out: bool
    """Whether its family is held out, so that nothing is tuned on it."""
    seeds: int
    """Number of seeds with which it was hunted."""
    row: ScoreRow


@dataclass(frozen=True)
class StrategyScore:
    """The results of one strategy."""

    classes: Mapping[str, ScoreRow]
    """Sorted by name."""
    groups: Mapping[str, ScoreRow]
    """The groups of `GROUPS` that have faults."""
    faults: Mapping[str, FaultScore]
    """In the order in which they were hunted."""
    missed: Mapping[str, int]
    """The faults that were not detected with every seed, and the number of seeds without detection."""
    curve: Curve

    @property
    def faults_by_class(self) -> dict[str, FaultScore]:
        """The faults, sorted by class and name."""
        return dict(sorted(self.faults.items(), key=lambda item: (item[1].fault_class.casefold(), item[0])))


@dataclass(frozen=True)
class Score:
    """Everything that a report of the score contains."""

    version: str
    """The version of perft-check."""
    outcomes: tuple[Outcome, ...]
    """At least one, in the order of the hunts."""
    strategies: Mapping[str, StrategyScore]
    families: int
    """Number of families hunted."""
    planned: int
    """Number of hunts requested."""
    seeds: int
    budget: float
    """Seconds for each hunt."""
    jobs: tuple[int, ...]
    """How many hunts ran at the same time; more than one number if this changed between runs."""
    command: str
    """The command line that reproduces or continues this score."""
