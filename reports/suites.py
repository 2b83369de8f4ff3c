"""How each suite of a run ended, in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ..harness.model.results.events import RunFinished
from ..harness.model.results.verdict import Verdict


@dataclass(frozen=True)
class SuiteRow:
    """One suite."""

    name: str
    positions: str
    """How many positions were compared, and of how many where that is not all."""
    agree: int
    fail: int
    deepest: int
    """The deepest depth that was compared."""
    nodes: int
    seconds: float
    """Time spent in the engine under test."""


def suite_rows(finished: RunFinished) -> Iterator[SuiteRow]:
    """Yield a row for each suite of which a position was begun."""
    planned = {suite.name: suite.positions for suite in finished.started.suites}
    for name, group in groupby(finished.results, key=lambda result: result.suite):
        results = list(group)
        agree = sum(result.verdict is Verdict.AGREE for result in results)
        fail = sum(result.verdict.is_failure for result in results)
        done = agree + fail
        yield SuiteRow(
            name,
            str(done) if done == planned.get(name) else f"{done} of {planned.get(name)}",
            agree,
            fail,
            max(result.depth for result in results),
            sum(result.nodes for result in results),
            sum(result.seconds for result in results),
        )
