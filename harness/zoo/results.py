"""Results of hunts, and the score computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
