"""Which suites, and which counts of them, an engine checks in a given time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....suites.bundled import DEFAULT, EVERY, bundled_path
from ....suites.case import Suite
from ....suites.loader import load_suite

CHOICES = (EVERY, DEFAULT, ("smoke",))
"""Suites of a run, the most thorough first."""
LIMITS: tuple[int, ...] = tuple(digit * 10**power for power in range(2, 7) for digit in (1, 2, 5))
"""Limits of the nodes of a count, from 100 to 5,000,000: no bundled count is larger than the last one."""


@dataclass(frozen=True)
class EnginePace:
    """How fast an engine answers."""

    seconds: float
    """Time for any question, whatever its size ..."""
    nodes_per_second: float
    """... and the leaf nodes that it counts beyond that."""
    min_depth: int = 0
    chess960: bool = True
    """Whether it is asked about Chess960."""

    def is_for(self, suite: Suite) -> bool:
        """Tell whether the engine can be asked about most positions of a suite."""
        return self.chess960 or sum(case.position.chess960 for case in suite) * 2 < len(suite)

    def seconds_for(self, suites: Iterable[Suite], max_nodes: int) -> float:
        """Return the time for all counts of suites that are not larger than the limit."""
        counts = [
            nodes
            for suite in suites
            for case in suite
            for depth, nodes in case.counts
            if nodes <= max_nodes and depth >= self.min_depth and (self.chess960 or not case.position.chess960)
        ]
        return len(counts) * self.seconds + sum(counts) / self.nodes_per_second


@dataclass(frozen=True)
class Budget:
    """A run of known length."""

    suites: tuple[str, ...]
    max_nodes: int
    seconds: float

    @property
    def leaves_nothing_out(self) -> bool:
        """Whether no count is larger than the limit."""
        return self.max_nodes >= LIMITS[-1]


def budget(pace: EnginePace, seconds: float) -> Budget:
    """Return the most thorough run that takes no longer, or else the shortest one."""
    for names in CHOICES:
        suites = {name: load_suite(bundled_path(name)) for name in names}
        asked = tuple(name for name in names if pace.is_for(suites[name]))
        fitting = _fitting(pace, asked, [suites[name] for name in asked], seconds)
        if fitting:
            return fitting[-1]
    return Budget(asked, LIMITS[0], pace.seconds_for([suites[name] for name in asked], LIMITS[0]))


def _fitting(pace: EnginePace, names: tuple[str, ...], suites: Sequence[Suite], seconds: float) -> list[Budget]:
    """Return the runs that take no longer, in the order of their limits."""
    budgets = [Budget(names, limit, pace.seconds_for(suites, limit)) for limit in LIMITS]
    return [one for one in budgets if one.seconds <= seconds]
