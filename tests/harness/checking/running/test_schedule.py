"""The schedule: which counts are made next, in rounds, and the results at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helpers.asking import opener_of
from perft_check.generator.position import Position
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.record import CaseRecord
from perft_check.harness.checking.running.schedule import Schedule
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.model.results.events import CaseResult
from perft_check.harness.model.results.verdict import Verdict
from perft_check.suites.case import Case, Suite

SHALLOW = ((1, 20), (2, 400))
DEEP = (*SHALLOW, (3, 8902), (4, 197_281), (5, 4_865_609))


def schedule(*counts: Sequence[tuple[int, int]]) -> Schedule:
    cases = [Case(str(number), Position.start(), tuple(one), "") for number, one in enumerate(counts)]
    return Schedule(RunPlan(opener_of(lambda: OwnEngine("own")), (Suite("made", tuple(cases)),)))


def counted(record: CaseRecord, verdict: Verdict = Verdict.AGREE) -> CaseResult:
    """Return the result of a case after its next counts."""
    for depth, expected in record.next_counts:
        record.note(depth, expected, verdict, expected)
    return record.result(verdict)


def a_round(cases: Schedule) -> Iterator[tuple[int, list[int]]]:
    """Count all cases of a round; yield each case with the depths that are counted."""
    while (record := cases.take()) is not None:
        yield record.number, [depth for depth, _ in record.next_counts]
        cases.settle(record, counted(record))


def rounds(cases: Schedule) -> list[list[tuple[int, list[int]]]]:
    found = []
    while cases.begin_round():
        found.append(list(a_round(cases)))
    return found


def test_small_counts_of_all_positions_come_first() -> None:
    cases = schedule(DEEP, SHALLOW, DEEP[:4])
    assert rounds(cases) == [[(0, [1, 2, 3]), (1, [1, 2]), (2, [1, 2, 3])], [(0, [4]), (2, [4])], [(0, [5])]]
    results, not_begun = cases.end()
    assert [[count.depth for count in result.counts] for result in results] == [[1, 2, 3, 4, 5], [1, 2], [1, 2, 3, 4]]
    assert not not_begun
