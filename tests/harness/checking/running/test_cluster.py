"""What a worker of a cluster does with the cases of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import cast

from perft_check.generator.position import Position
from perft_check.harness.checking.running.checker import Checker
from perft_check.harness.checking.running.cluster import _Assignment, _do_assignment
from perft_check.harness.checking.running.known_causes import KnownCauses, KnownFaults
from perft_check.harness.checking.running.parts import CasePart
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.model.results.events import CaseResult
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.work.executor import TaskContext
from perft_check.suites.case import Case, Suite


class OneChecker:
    """A context whose tasks use the same checker, of an engine that needs not be closed."""

    checker: Checker | None = None

    @contextmanager
    def using(self, _what: object, make: Callable[[], Checker], _stop: object) -> Iterator[Checker]:
        self.checker = self.checker or make()
        yield self.checker

    def tell(self, value: object) -> None:
        raise AssertionError(value)


def test_a_checker_that_was_stopped_checks_the_next_block() -> None:
    """A scheduler that is started anew does not want what is under way; the next task uses the same engines."""
    suite = Suite("made", (Case("start", Position.start(), ((3, 8_902),), source="made"),))
    setup, context = RunPlan(partial(OwnEngine, "own"), (suite,)).engine_setup, OneChecker()
    parts = [CasePart.of(0, suite.name, suite.cases[0], digits=4, before=None)]
    block = _Assignment(KnownFaults(KnownCauses(3)), parts)
    for _ in range(2):
        (result,) = _do_assignment(cast(TaskContext, context), setup, block).outcomes
        assert isinstance(result, CaseResult)
        assert (result.verdict, result.depth) == (Verdict.AGREE, 3)
        assert context.checker is not None
        context.checker.runner.stop()
