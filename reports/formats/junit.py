"""JUnit XML for CI systems, valid according to the schema of Jenkins' xUnit plugin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

from rich.console import RenderableType

from ...errors import shorten
from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import FuzzFinding, FuzzFinished, FuzzStarted
from ...harness.model.capabilities import UntriedCapability, sentence_of
from ...harness.model.results.events import CaseResult, RunFinished, RunStarted
from ...harness.model.results.positions import DivideFinished
from ...harness.model.results.verdict import Verdict
from ...harness.report_context import ReportContext
from ..failure import (
    Failure,
    failure_of_case,
    failure_of_divide,
    failure_of_finding,
    render_failure,
    render_fuzz_finding,
)
from ..finding import names_of
from ..layout import plain
from ..text import one_line, visible
from .base import Format

if TYPE_CHECKING:
    from junitparser import Element, TestSuite

SHOWN_BOARDS = 100
"""Maximum number of failures that are shown with a board, as in the terminal; others are summarized in a few lines."""
LONGEST_MESSAGE = 1_000
LONGEST_LINE = 10_000
"""Maximum characters of an explanation with a board, and of each line of other explanations."""
LONGEST_TEXT = 100_000
_PLAIN = re.compile(rf"[\w ,.:/()+-]{{,{LONGEST_MESSAGE}}}")

Outcome = Literal["passed", "failed", "error", "skipped"]
"""The outcome of a test. "error" means that the engine gave no answer to compare."""
OUTCOMES: dict[Verdict, Outcome] = {
    Verdict.MISMATCH: "failed",
    Verdict.SPLIT: "failed",
    Verdict.NOT_REPRODUCED: "skipped",
    Verdict.KNOWN: "skipped",
}
"""Outcomes by verdict; all other failed verdicts are errors."""
Properties = tuple[tuple[str, str], ...]
"""Names and values."""


class JUnitTest(NamedTuple):
    """One test. Named tuples, of which there may be 300,000, are created four times as fast as frozen dataclasses."""

    name: str
    """The name, unique within the suite."""
    outcome: Outcome
    kind: str = ""
    """The text of the verdict."""
    seconds: float = 0.0
    message: str = ""
    failure: Callable[[], Failure] | None = None
    board: Callable[[], RenderableType] | None = None
    """A function that returns the terminal report of the failure."""

    def text(self, with_board: bool) -> str:
        """Return the explanation of a failure, with a board if requested and not too long."""
        lines = () if self.failure is None else self.failure().lines
        if with_board and self.board is not None and sum(map(len, lines)) <= LONGEST_LINE:
            return "\n".join(map(visible, plain(self.board()).split("\n")))
        return "\n".join(one_line(line, LONGEST_LINE) for line in lines)


@dataclass(frozen=True)
class JUnitSuite:
    """The tests of one suite."""

    name: str
    properties: Properties
    tests: Callable[[], Iterator[JUnitTest]]
    """A function that yields the tests. It can be called repeatedly, so that tests need not be kept in memory."""
    file: str = ""


def of_run(finished: RunFinished, made: ReportContext | None) -> Iterator[str]:
    """Yield the report of a run: a test for each position and depth, including those that were not reached."""
    results: dict[str, list[CaseResult]] = {}
    for result in chain(finished.results, finished.not_begun):
        results.setdefault(result.suite, []).append(result)
    properties = (*_origin(finished.started), *_not_tried(finished.untried))
    suites = [
        JUnitSuite(name, properties, partial(_suite_tests, some, finished), some[0].file_and_line[0])
        for name, some in results.items()
    ]
    return _document(suites, made)


def of_fuzz(finished: FuzzFinished, made: ReportContext | None) -> Iterator[str]:
    """Yield the report of a fuzzing run: a test for each check without a finding, and one for each finding."""
    properties = (*_origin(finished.started), *_not_tried(finished.untried))
    return _document([JUnitSuite("fuzz", properties, partial(_fuzz_tests, finished))], made)


def of_divide(finished: DivideFinished, made: ReportContext | None) -> Iterator[str]:
    """Yield the report of a divide: a test for each reference."""
    properties = (("fen", finished.fen), *_engines(*(one.engine for one in finished.divides)))
    return _document([JUnitSuite("divide", properties, partial(_divide_tests, finished))], made)


def _origin(started: RunStarted | FuzzStarted) -> Properties:
    return (("perft_check", started.version), *_engines(started.engine, *started.references))


def _engines(engine: str, *references: str) -> Properties:
    """Return properties with the SPECs of engines, and with their names if they differ from the SPECs."""
    properties = []
    for spec, name in short_names((engine, *references)).items():
        role = "engine" if spec == engine else "reference"
        properties += [(role, spec), *([] if name == spec else [(f"{role} name", name)])]
    return tuple(properties)


def _not_tried(untried: Sequence[UntriedCapability]) -> Properties:
    return (("not tried", sentence_of(untried)),) if untried else ()


def _suite_tests(results: list[CaseResult], finished: RunFinished) -> Iterator[JUnitTest]:
    times = Counter(result.name for result in results)
    for result in results:
        name = result.name if times[result.name] == 1 else f"{result.name} ({result.source})"
        yield from _case_tests(result, name, finished)


def _case_tests(result: CaseResult, name: str, finished: RunFinished) -> Iterator[JUnitTest]:
    """Yield a test for each count, and one for the failure if none of the counts shows it."""
    has_failed = result.verdict.is_failure or result.verdict in (Verdict.NOT_REPRODUCED, Verdict.KNOWN)
    is_shown = False
    for one in result.counts:
        tested = f"{name}, depth {one.depth}"
        if one.verdict is Verdict.AGREE:
            yield JUnitTest(tested, "passed", "agree", one.seconds)
        elif has_failed and one.verdict is result.verdict:
            yield _case_failure(result, tested, one.seconds, finished)
            is_shown = True
        else:
            why = f"not counted after {result.verdict.value}" if has_failed else result.message or one.verdict.value
            yield JUnitTest(tested, "skipped", one.verdict.value, message=why)
    if has_failed and not is_shown:
        yield _case_failure(result, f"{name}, after its moves" if result.counts else name, 0.0, finished)


def _case_failure(result: CaseResult, name: str, seconds: float, finished: RunFinished) -> JUnitTest:
    verdict = (finished.fails_not_reproduced and result.at_first) or result.verdict
    return JUnitTest(
        name,
        OUTCOMES.get(verdict, "error"),
        result.verdict.value,
        seconds,
        failure_of_case(result, finished).summary,
        partial(failure_of_case, result, finished),
        partial(render_failure, result, finished.started.engine),
    )


def _fuzz_tests(finished: FuzzFinished) -> Iterator[JUnitTest]:
    failed = {finding.discrepancy.check for finding in finished.findings}
    for check in finished.started.checks:
        if check not in failed:
            yield JUnitTest(check, "passed", Verdict.AGREE.value)
    for number, finding in enumerate(finished.findings, 1):
        yield _finding_failure(number, finding, finished)
    if finished.failure:
        yield JUnitTest("the run", "error", Verdict.CRASH.value, message=finished.failure)


def _finding_failure(number: int, finding: FuzzFinding, finished: FuzzFinished) -> JUnitTest:
    found = finding.discrepancy
    verdict = found.verdict if finished.fails_not_reproduced else finding.verdict
    return JUnitTest(
        f"{found.check}, finding {number}: {found.name}",
        OUTCOMES.get(verdict, "error"),
        finding.verdict.value,
        message=failure_of_finding(finding, finished).summary,
        failure=partial(failure_of_finding, finding, finished),
        board=partial(render_fuzz_finding, number, finding),
    )


def _divide_tests(finished: DivideFinished) -> Iterator[JUnitTest]:
    for number, one in enumerate(finished.differences, 1):
        name = f"depth {one.depth} against reference {number}: {names_of(one)[1]}"
        if not one.differs:
            yield JUnitTest(name, "passed", Verdict.AGREE.value)
            continue
        cause = "" if finished.finding is None else f"{finished.finding.headline_with_move}; "
        message = f"{cause}{one.got - one.expected:+,} nodes"
        failure = partial(failure_of_divide, finished)
        yield JUnitTest(name, "failed", Verdict.MISMATCH.value, message=message, failure=failure)


def _document(suites: Sequence[JUnitSuite], made: ReportContext | None) -> Iterator[str]:
    from junitparser import JUnitXml

    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"{_start_tag(JUnitXml('perft-check'))}\n"
    boards = iter(range(SHOWN_BOARDS))
    for suite in suites:
        file = None if made is None else made.project.inside(suite.file)
        yield f"{_start_tag(_element(suite, file))}\n"
        classname = _attribute(suite.name)
        for test in suite.tests():
            if test.outcome == "passed":
                yield _passed(test, classname)
            else:
                yield _not_passed(test, _safe(suite.name), boards)
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _start_tag(element: Element) -> str:
    """Return the start tag of an element as XML."""
    text: str = element.tostring().decode()
    return re.sub(r"\s*/>\Z|</\w+>\Z", "", text) + (">" if text.endswith("/>") else "")


def _element(suite: JUnitSuite, file: str | None) -> TestSuite:
    """Return the element of a suite, with its totals but without its tests."""
    from junitparser import Attr, TestSuite

    class FileSuite(TestSuite):
        """A suite with a `file` attribute."""

        file = Attr()

    element, outcomes, seconds = FileSuite(_safe(suite.name)), Counter[Outcome](), 0.0
    for test in suite.tests():
        outcomes[test.outcome] += 1
        seconds += test.seconds
    element.tests, element.failures = outcomes.total(), outcomes["failed"]
    element.errors, element.skipped = outcomes["error"], outcomes["skipped"]
    element.time = round(seconds, 3)
    if file is not None:
        element.file = _safe(file)
    for name, value in suite.properties:
        element.add_property(name, _safe(value))
    return element


def _passed(test: JUnitTest, classname: str) -> str:
    """Return a passed test as XML without junitparser, which takes four times as long, because there may be 300,000."""
    return f'<testcase name={_attribute(test.name)} classname={classname} time="{test.seconds:.4f}" />\n'


def _attribute(text: str) -> str:
    return f'"{text if _PLAIN.fullmatch(text) else escape(_safe(text))}"'


def _not_passed(test: JUnitTest, suite: str, boards: Iterator[int]) -> str:
    from junitparser import Error, Failure, Skipped, TestCase

    kinds = {"failed": Failure, "error": Error, "skipped": Skipped}
    case = TestCase(_safe(test.name), suite, round(test.seconds, 4))  # Python writes exponents below 1e-4
    result = kinds[test.outcome](_safe(test.message or test.kind), test.kind)
    if test.failure is not None:
        has_board = test.board is not None and next(boards, None) is not None
        result.text = shorten(test.text(has_board), LONGEST_TEXT)
    case.append(result)
    text: str = case.tostring().decode()
    return f"{text}\n"


def _safe(text: str) -> str:
    """Return text as a valid attribute value."""
    return one_line(text, LONGEST_MESSAGE)


JUNIT = Format(
    "junit",
    ".xml",
    {RunFinished: of_run, FuzzFinished: of_fuzz, DivideFinished: of_divide},
    takes_circumstances=True,
)
