"""The plan of a run of suites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ....suites.case import Case, Suite
from ...engines.asking.session import TimeLimit
from ...engines.engine import Engine
from ...model.capabilities import MissingCapabilities
from ...model.results.events import SuiteTotal
from ...values import EXPLAINED
from .record import digits_of

Opener = Callable[[], Engine]
LIMIT = TimeLimit(seconds=10.0, min_speed=50_000.0)
"""Limits of an engine if the user gives none."""


@dataclass(frozen=True)
class RunPlan:
    """The engines, the suites, and the limits of a run."""

    engine: Opener
    suites: tuple[Suite, ...]
    references: tuple[Opener, ...] = ()
    arbiter: Callable[[Engine], Engine] | None = None
    """Opens the engine that explains a mismatch of the engine under test if no reference was given."""
    seconds: float | None = None
    """The run ends after this time."""
    require_all: bool = False
    """Whether a position that is not compared, or not to its last count, counts as a failure of the run."""
    fails_not_reproduced: bool = False
    """Whether a failure that is not reproducible counts for the exit status."""
    fail_fast: bool = False
    """Stop at the first case that does not agree."""
    explain: int = EXPLAINED
    """How many mismatches of a cause are followed down to it; the others are counted."""
    insists_on_chess960: bool = False
    """Ask the engine about Chess960 whether it knows it or not."""
    jobs: int = 1
    """Threads that check cases in parallel, each with its own engines."""
    first: frozenset[tuple[str, str]] = frozenset()
    """Cases that go before all others, by the names of suite and case."""
    limit: TimeLimit = LIMIT
    """Time that an engine may take for a count."""
    shorter: str = "fewer suites take less time"
    """How the user has less asked, as a clause."""
    left_out: MissingCapabilities = field(default_factory=dict)
    """What the suites of the run do not ask, each with how to have it asked."""

    @property
    def cases(self) -> Iterator[tuple[str, Case]]:
        """All cases with the names of their suites, in the order of the suites."""
        return ((suite.name, case) for suite in self.suites for case in suite)

    @cached_property
    def outline(self) -> PlanTotals:
        """What it asks for in all."""
        return PlanTotals.of(self)

    def case(self, number: int) -> tuple[str, Case]:
        """Return one of the cases, by its place among all."""
        for suite in self.suites:
            if number < len(suite):
                return suite.name, suite.cases[number]
            number -= len(suite)
        raise IndexError(number)


@dataclass(frozen=True)
class PlanTotals:
    """What a plan asks for in all, from one reading of its cases: there may be a million."""

    suites: tuple[SuiteTotal, ...]
    has_chess960: bool
    """Whether there are cases of Chess960."""
    digits: bytes
    """The magnitude of the first count of each case."""
    first: frozenset[int]
    """The places of the cases that go before all others."""

    @classmethod
    def of(cls, plan: RunPlan) -> PlanTotals:
        """Read the cases of a plan."""
        digits, first, has_chess960 = bytearray(), set(), False
        totals = []
        for suite in plan.suites:
            counts = nodes = 0
            for case in suite:
                if (suite.name, case.name) in plan.first:
                    first.add(len(digits))
                digits.append(digits_of(case.counts))
                has_chess960 = has_chess960 or case.position.chess960
                counts, nodes = counts + len(case.counts), nodes + case.nodes
            totals.append(SuiteTotal(suite.name, len(suite), counts, nodes))
        return cls(tuple(totals), has_chess960, bytes(digits), frozenset(first))
