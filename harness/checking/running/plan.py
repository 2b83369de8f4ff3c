"""The plan of a run of suites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from ....suites.case import Case, Suite
from ...engines.asking.runner import CallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...model.capabilities import MissingCapabilities
from ...model.results.events import SuiteTotal
from ...values import EXPLAINED

SessionOpener = Callable[[CallRunner, TimeLimit], EngineSession]
"""A function that opens an engine for one thread of the run."""
SEARCHED = 5
"""Number of positions in which an engine that can search is asked to."""
LIMIT = TimeLimit(seconds=10.0, min_speed=50_000.0)
"""The default time limit of an engine."""


@dataclass(frozen=True)
class RunPlan:
    """The engines, the suites and the limits of a run."""

    engine: SessionOpener
    suites: tuple[Suite, ...]
    references: tuple[SessionOpener, ...] = ()
    arbiter: SessionOpener | None = None
    """A function that opens the engine used to explain mismatches if there is no reference."""
    seconds: float | None = None
    """Time in seconds after which the run ends."""
    require_all: bool = False
    """Whether the run fails if a position is not completely compared."""
    fails_not_reproduced: bool = False
    """Whether failures that are not reproducible affect the exit status."""
    fail_fast: bool = False
    """Whether the run stops at the first failure."""
    explain: int = EXPLAINED
    """How many mismatches of each cause are explained; the others are only counted."""
    jobs: int = 1
    """Number of threads that check cases in parallel, each with its own engines."""
    limit: TimeLimit = LIMIT
    """Time limit of an engine for a count."""
    left_out: MissingCapabilities = field(default_factory=dict)
    """The capabilities that the suites of the run skip, each with how to include it."""

    @cached_property
    def totals(self) -> tuple[SuiteTotal, ...]:
        """The sizes of the suites."""
        return tuple(map(SuiteTotal.of, self.suites))

    @cached_property
    def has_chess960(self) -> bool:
        """Whether there are cases of Chess960."""
        return any(case.position.chess960 for suite in self.suites for case in suite)

    @cached_property
    def searched(self) -> frozenset[int]:
        """The indices of the cases in which the engine searches, spread evenly over the run."""
        cases = sum(map(len, self.suites))
        return frozenset(index * cases // SEARCHED for index in range(SEARCHED))

    def case(self, number: int) -> tuple[str, Case]:
        """Return the name of the suite and the case with this index."""
        for suite in self.suites:
            if number < len(suite):
                return suite.name, suite.cases[number]
            number -= len(suite)
        raise IndexError(number)
