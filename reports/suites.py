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
        agree = fail = deepest = nodes = 0
        seconds = 0.0
        for result in group:
            agree += result.verdict is Verdict.AGREE
            fail += result.verdict.is_failure
            deepest, nodes, seconds = max(deepest, result.depth), nodes + result.nodes, seconds + result.seconds
        done = agree + fail
        positions = str(done) if done == planned.get(name) else f"{done} of {planned.get(name)}"
        yield SuiteRow(name, positions, agree, fail, deepest, nodes, seconds)
