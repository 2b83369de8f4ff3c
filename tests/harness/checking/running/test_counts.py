"""Every count of a case has a result: those that agreed, those that failed, and those that were not reached."""

from __future__ import annotations

import pytest
from helpers.asking import opener_of
from perft_check.generator.position import Position
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.model.results.events import CaseResult, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.shutdown import Interrupt
from perft_check.suites.case import Case, Suite

RIGHT = ((1, 20), (2, 400), (3, 8902), (4, 197_281))
WRONG = ((1, 20), (2, 401), (3, 8902), (4, 197_281))


class FromTwoPlies(OwnEngine):
    """An engine that cannot count to depth 1."""

    min_depth = 2


def finished(
    *counts: tuple[tuple[int, int], ...], engine: type[OwnEngine] = OwnEngine, fail_fast: bool = False
) -> RunFinished:
    position = Position.start()
    cases = tuple(Case(f"case {number}", position, each, f"made.epd:{number}") for number, each in enumerate(counts))
    plan = RunPlan(opener_of(lambda: engine("own")), (Suite("made", cases),), fail_fast=fail_fast, explain=False)
    *_, last = run(plan, Interrupt())
    assert isinstance(last, RunFinished)
    return last


def told(result: CaseResult) -> list[tuple[int, int, Verdict, int | None]]:
    return [(one.depth, one.expected, one.verdict, one.got) for one in result.counts]


def test_small_and_large_counts_are_combined() -> None:
    (result,) = finished(RIGHT).results
    assert told(result) == [(depth, nodes, Verdict.AGREE, nodes) for depth, nodes in RIGHT]
    assert sum(one.seconds for one in result.counts) == result.seconds


@pytest.mark.parametrize("depth", [4, 3])  # counts to depth 3 are made together
def test_counts_after_a_mismatch_are_unfinished(depth: int) -> None:
    (result,) = finished(WRONG[:depth]).results
    assert told(result) == [
        (1, 20, Verdict.AGREE, 20),
        (2, 401, Verdict.MISMATCH, 400),
        *((each, nodes, Verdict.UNFINISHED, None) for each, nodes in WRONG[2:depth]),
    ]


def test_cases_that_the_run_does_not_reach_are_not_begun() -> None:
    last = finished(WRONG, RIGHT, fail_fast=True)
    assert [one.name for one in last.results] == ["case 0"]
    (left,) = last.not_begun
    assert (left.name, left.file_and_line, left.message) == ("case 1", ("made.epd", 1), "not begun")
    assert told(left) == [(depth, nodes, Verdict.UNFINISHED, None) for depth, nodes in RIGHT]


def test_counts_too_shallow_for_the_engine_are_skipped() -> None:
    (result,) = finished(RIGHT[:2], engine=FromTwoPlies).results
    assert told(result) == [(1, 20, Verdict.SKIPPED, None), (2, 400, Verdict.AGREE, 400)]
