"""The plan of a run of suites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ....suites.case import Case, Suite
from ...engines.asker import TimeLimit
from ...engines.base import Engine
from ...model.results.events import SuiteTotal

Opener = Callable[[], Engine]
LIMIT = TimeLimit(seconds=10.0, min_speed=50_000.0)
"""What an engine may take where the user does not say."""


@dataclass(frozen=True)
class Asking:
    """Which engines are asked, and how: what a lane has to know of a run, wherever it is."""

    engine: Opener
    references: tuple[Opener, ...]
    arbiter: Callable[[Engine], Engine] | None
    explain: bool
    is_careful: bool
    limit: TimeLimit
    cases: int
    """How many the run has."""
    has_chess960: bool
    """Whether there are any of Chess960."""
    insists_on_chess960: bool
    """Whether the engine is asked about them in any case."""


@dataclass(frozen=True)
class Plan:
    """The engines, the suites, and the limits of a run."""

    engine: Opener
    suites: tuple[Suite, ...]
    references: tuple[Opener, ...] = ()
    arbiter: Callable[[Engine], Engine] | None = None
    """Opens the engine that explains a mismatch of the engine under test, where no reference was given."""
    seconds: float | None = None
    """The run ends after this time."""
    require_all: bool = False
    """Whether a position that is not compared, or not to its last count, counts as a failure of the run."""
    fails_not_reproduced: bool = False
    """Whether a failure that does not come again when the engine is asked anew counts for the exit status."""
    fail_fast: bool = False
    """Stop at the first case that does not agree."""
    explain: bool = True
    """Follow a mismatch down to its cause."""
    is_careful: bool = False
    """Ask for one count at a time."""
    insists_on_chess960: bool = False
    """Ask the engine about Chess960 whether it knows it or not."""
    jobs: int = 1
    """Lanes that work side by side, each with engines of its own."""
    first: frozenset[tuple[str, str]] = frozenset()
    """Cases that go before all others, by the names of suite and case."""
    limit: TimeLimit = LIMIT
    """Time that an engine may take for a count."""

    @cached_property
    def cases(self) -> list[tuple[str, Case]]:
        """All cases with the names of their suites, in the order of the suites."""
        return [(suite.name, case) for suite in self.suites for case in suite]

    @cached_property
    def asking(self) -> Asking:
        """What its lanes have to know."""
        has_chess960 = any(case.position.chess960 for _, case in self.cases)
        return Asking(
            self.engine,
            self.references,
            self.arbiter,
            self.explain,
            self.is_careful,
            self.limit,
            len(self.cases),
            has_chess960,
            self.insists_on_chess960,
        )


def planned(suite: Suite) -> SuiteTotal:
    """Return how much of a suite is going to be checked."""
    counts = [nodes for case in suite for _, nodes in case.counts]
    return SuiteTotal(suite.name, len(suite), len(counts), sum(counts))
