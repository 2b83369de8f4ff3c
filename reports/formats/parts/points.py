"""A result as test points, as all test runners have them: passed, failed, in error or skipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from rich.console import RenderableType

from ....harness.engines.spec import short_names
from ....harness.fuzzing.model import Find, FuzzFinished, FuzzStarted
from ....harness.model.capabilities import Untried, sentence_of
from ....harness.model.results.divide import DivideFinished
from ....harness.model.results.events import CaseResult, RunFinished, RunStarted
from ....harness.model.results.finding import Finding
from ....harness.model.results.verdict import Verdict
from ...finding import names_of
from ...terminal.fuzz import render_find
from ...terminal.run import render_failure
from ...visible import one_line, visible_lines
from .problems import Lines, case_lines, divide_lines, find_lines

SHOWN_BOARDS = 100
"""So many failures of a report are written as the terminal prints them, with a board; the others in a few lines."""

LONGEST_TEXT = 10_000
"""Characters of an explanation that has a board, and of a line of any other."""

Outcome = Literal["passed", "failed", "error", "skipped"]
"""How a test point ended. In error, the engine gave no answer to compare."""


class Point(NamedTuple):
    """One test point, and where it is not passed, why.

    There may be 300,000, and a named tuple is made in a quarter of the time of a frozen dataclass.
    """

    name: str
    """No two points of a group have the same."""
    outcome: Outcome
    kind: str = ""
    """The verdict in words."""
    seconds: float = 0.0
    message: str = ""
    place: tuple[str, int | None] = ("", None)
    """The file that has the position, and its line."""
    board: Callable[[], RenderableType] | None = None
    """Makes what a terminal shows about a failure."""
    lines: Callable[[], Lines] | None = None
    """Makes the same in a few lines."""

    def text(self, with_board: bool) -> str:
        """Return the whole explanation of a failure as lines of text: with a board unless that would be endless."""
        lines = () if self.lines is None else self.lines()
        if with_board and self.board is not None and sum(map(len, lines)) <= LONGEST_TEXT:
            return visible_lines(self.board())
        return "\n".join(one_line(line, LONGEST_TEXT) for line in lines)


@dataclass
class PointTotals:
    """How many points a group has of each outcome, and the seconds that they took together."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    seconds: float = 0.0

    @classmethod
    def of(cls, points: Iterable[Point]) -> PointTotals:
        """Return the totals of points."""
        totals = cls()
        for point in points:
            totals.outcomes[point.outcome] += 1
            totals.seconds += point.seconds
        return totals

    def add(self, other: PointTotals) -> None:
        """Add the totals of more points."""
        self.outcomes += other.outcomes
        self.seconds += other.seconds


@dataclass(frozen=True)
class PointGroup:
    """The points of one suite."""

    name: str
    file: str
    points: Callable[[], Iterator[Point]]
    """Makes the points, each time anew: so many need not be kept."""
    totals: Callable[[], PointTotals]
    """Counts them beforehand."""


@dataclass(frozen=True)
class Points:
    """All points of a result."""

    facts: tuple[tuple[str, str], ...]
    """Names and values of what holds for all."""
    groups: tuple[PointGroup, ...]
    interrupted: bool = False


_OUTCOMES: Mapping[Verdict, Outcome] = {
    Verdict.MISMATCH: "failed",
    Verdict.SPLIT: "failed",
    Verdict.NOT_REPRODUCED: "skipped",
}
"""The outcomes of failures. In all others the engine gave no answer."""


def points_of_run(finished: RunFinished) -> Points:
    """Return a point for each position and depth of a run, also for those to which it did not come."""
    started = finished.started
    suites: dict[str, list[CaseResult]] = {}
    for result in chain(finished.results, finished.not_begun):
        suites.setdefault(result.suite, []).append(result)
    groups = tuple(
        PointGroup(
            name,
            results[0].file_and_line[0],
            partial(_suite_points, results, finished),
            partial(_suite_totals, results, finished),
        )
        for name, results in suites.items()
    )
    facts = (*_origin(started), *_not_tried(finished.untried))
    return Points(facts, groups, finished.interrupted)


def _not_tried(untried: Sequence[Untried]) -> tuple[tuple[str, str], ...]:
    return (("not tried", sentence_of(untried)),) if untried else ()


def _group(name: str, points: list[Point]) -> PointGroup:
    """Return a group of few points, of no file."""
    return PointGroup(name, "", lambda: iter(points), lambda: PointTotals.of(points))


def _engines(engine: str, *references: str) -> tuple[tuple[str, str], ...]:
    """Return the SPECs of engines, and of each the name where that is another text."""
    facts = []
    for spec, name in short_names((engine, *references)).items():
        role = "engine" if spec == engine else "reference"
        facts += [(role, spec), *([] if name == spec else [(f"{role} name", name)])]
    return tuple(facts)


def _origin(started: RunStarted | FuzzStarted) -> tuple[tuple[str, str], ...]:
    return (("perft_check", started.version), *_engines(started.engine, *started.references))


def _suite_points(results: list[CaseResult], finished: RunFinished) -> Iterator[Point]:
    times = Counter(result.name for result in results)
    for result in results:
        name = result.name if times[result.name] == 1 else f"{result.name} ({result.source})"
        yield from _case_points(result, name, finished)


def _suite_totals(results: list[CaseResult], finished: RunFinished) -> PointTotals:
    """Count the points of a suite without making those of agreement, of which there may be 300,000."""
    totals, agreed = PointTotals(), 0
    for result in results:
        if result.verdict is Verdict.AGREE and all(one.verdict is Verdict.AGREE for one in result.counts):
            agreed += len(result.counts)
            totals.seconds += sum(one.seconds for one in result.counts)
        else:
            totals.add(PointTotals.of(_case_points(result, result.name, finished)))
    totals.outcomes["passed"] += agreed
    return totals


def _case_points(result: CaseResult, name: str, finished: RunFinished) -> Iterator[Point]:
    """Yield a point for each count, and one more for a failure that no count shows."""
    has_failed = result.verdict.is_failure or result.verdict is Verdict.NOT_REPRODUCED
    is_shown = False
    for one in result.counts:
        tested = f"{name}, depth {one.depth}"
        if one.verdict is Verdict.AGREE:
            yield Point(tested, "passed", "agree", one.seconds)
        elif has_failed and one.verdict is result.verdict:
            yield _failure(result, tested, one.seconds, finished)
            is_shown = True
        else:
            why = f"not counted: {result.verdict.value} before" if has_failed else result.message or one.verdict.value
            yield Point(tested, "skipped", one.verdict.value, message=why)
    if has_failed and not is_shown:
        yield _failure(result, f"{name}, after its moves" if result.counts else name, 0.0, finished)


def _with_cause(finding: Finding | None, message: str) -> str:
    """Return a message behind the cause of the failure, if that is known: lists of tests show the beginning alone."""
    cause = "" if finding is None else finding.headline_with_move
    return message if cause in message else "; ".join(filter(None, (cause, message)))


def _failure(result: CaseResult, name: str, seconds: float, finished: RunFinished) -> Point:
    verdict = (finished.fails_not_reproduced and result.at_first) or result.verdict
    engine = finished.started.engine
    return Point(
        name,
        _OUTCOMES.get(verdict, "error"),
        result.verdict.value,
        seconds,
        _with_cause(result.finding, result.message),
        result.file_and_line,
        partial(render_failure, result, engine),
        partial(case_lines, result, engine),
    )


def points_of_fuzz(finished: FuzzFinished) -> Points:
    """Return a point for each check that found nothing, and one for each find."""
    started = finished.started
    group = _group("fuzz", list(_fuzz_points(finished)))
    facts = (*_origin(started), *_not_tried(finished.untried))
    return Points(facts, (group,), finished.interrupted)


def _fuzz_points(finished: FuzzFinished) -> Iterator[Point]:
    finding = {find.discrepancy.check for find in finished.finds}
    for check in finished.started.checks:
        if check not in finding:
            yield Point(check, "passed", Verdict.AGREE.value)
    for number, find in enumerate(finished.finds, 1):
        yield _find(number, find, finished.fails_not_reproduced)
    if finished.failure:
        yield Point("the run", "error", Verdict.CRASH.value, message=finished.failure)


def _find(number: int, find: Find, fails_not_reproduced: bool) -> Point:
    found = find.discrepancy
    verdict = found.verdict if fails_not_reproduced else find.verdict
    return Point(
        f"{found.check}, find {number}: {found.name}",
        _OUTCOMES.get(verdict, "error"),
        find.verdict.value,
        message=_with_cause(found.finding, found.message) or found.name,
        board=partial(render_find, number, find),
        lines=partial(find_lines, find),
    )


def points_of_divide(finished: DivideFinished) -> Points:
    """Return a point for each reference."""
    engine, *references = (one.engine for one in finished.divides)
    group = _group("divide", list(_divide_points(finished)))
    return Points((("fen", finished.fen), *_engines(engine, *references)), (group,))


def _divide_points(finished: DivideFinished) -> Iterator[Point]:
    for number, one in enumerate(finished.differences, 1):
        name = f"depth {one.depth} against reference {number}: {names_of(one)[1]}"
        if not one.differs:
            yield Point(name, "passed", Verdict.AGREE.value)
            continue
        message = _with_cause(finished.finding, f"{one.got - one.expected:+,} nodes")
        lines = partial(divide_lines, finished)
        yield Point(name, "failed", Verdict.MISMATCH.value, message=message, lines=lines)
