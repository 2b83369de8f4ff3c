"""The results of hunts: what was hunted, how it ended, and the score that outcomes add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Curve = tuple[tuple[float, int], ...]
"""How many families were detected until when: seconds and families, both rising."""
GROUPS = ("standard", "Chess960", "tuned on", "kept aside", "all")
"""Parts of the zoo, each with figures of its own. A family with faults of two groups is one in each."""


@dataclass(frozen=True)
class Hunt:
    """One fault, one strategy, and the time for it."""

    fault: str
    strategy: str
    seed: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """How a hunt ended. Counters are those at the moment of detection, or at the end."""

    hunt: Hunt
    reached: bool
    """The wrong code ran."""
    triggered: bool
    """Its answer differed from the right one."""
    detected: bool
    """A check reported it, or a count of a suite was wrong."""
    positions: int
    """Positions examined, or counts of a suite compared."""
    nodes: int
    """Leaf nodes that the faulty generator counted."""
    seconds: float
    explained: bool | None
    """Whether the explanation names a right rule; None without detection, or where the fault has no rule."""
    pieces: int | None
    """Pieces of the reduced position."""


@dataclass(frozen=True)
class ScoreRow:
    """The figures of one strategy for some faults, over all seeds.

    A median is taken over all hunts, and a hunt without detection counts as endless. Of an even
    number of hunts it is the lower of the two in the middle. It is None if fewer than half of the
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
    """Share of detections explained by a right rule, among faults that have one; None if there are none."""
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
    kept_aside: bool
    """Whether nothing is tuned on its family."""
    seeds: int
    """With how many seeds it was hunted."""
    row: ScoreRow


@dataclass(frozen=True)
class StrategyScore:
    """The results of one strategy."""

    classes: Mapping[str, ScoreRow]
    """Sorted by name."""
    groups: Mapping[str, ScoreRow]
    """Those of `GROUPS` that have faults."""
    faults: Mapping[str, FaultScore]
    """In the order in which they were hunted."""
    missed: Mapping[str, int]
    """The faults that were not detected with every seed, and with how many they were not."""
    curve: Curve

    @property
    def faults_by_class(self) -> dict[str, FaultScore]:
        """The faults, sorted by class and name."""
        return dict(sorted(self.faults.items(), key=lambda item: (item[1].fault_class.casefold(), item[0])))


@dataclass(frozen=True)
class Score:
    """Everything that a report of the score is made of."""

    version: str
    """Of perft-check."""
    outcomes: tuple[Outcome, ...]
    """In the order in which they were to be hunted; at least one."""
    strategies: Mapping[str, StrategyScore]
    families: int
    """How many families were hunted."""
    planned: int
    """How many hunts were asked for."""
    seeds: int
    budget: float
    """Seconds for each hunt."""
    jobs: tuple[int, ...]
    """How many hunts went on side by side; more than one number where that was changed in between."""
    command: str
    """The command line that makes this score again, or goes on with it."""
