"""JUnit XML for CI systems: a test case for each position and depth, valid for the schema of Jenkins' xUnit plugin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from ...errors import shorten
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.events import RunFinished
from ..visible import one_line
from .base import Format
from .parts.points import (
    SHOWN_BOARDS,
    Point,
    PointGroup,
    Points,
    points_of_divide,
    points_of_fuzz,
    points_of_run,
)
from .parts.problems import ProjectRoot

if TYPE_CHECKING:
    from junitparser import Element, TestSuite

JUNIT = Format("junit", ".xml")
LONGEST_MESSAGE = 1_000
LONGEST_TEXT = 100_000
_PLAIN = re.compile(rf"[\w ,.:/()+-]{{,{LONGEST_MESSAGE}}}")


@JUNIT.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    return _document(points_of_run(finished))


@JUNIT.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    return _document(points_of_fuzz(finished))


@JUNIT.writes(DivideFinished)
def _divide(finished: DivideFinished) -> Iterator[str]:
    return _document(points_of_divide(finished))


def _document(points: Points) -> Iterator[str]:
    from junitparser import JUnitXml

    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"{_start_tag(JUnitXml('perft-check'))}\n"
    boards = iter(range(SHOWN_BOARDS))
    for group in points.groups:
        yield f"{_start_tag(_suite(group, points))}\n"
        classname = _attribute(group.name)
        for point in group.points():
            yield (
                _pass_over(point, classname)
                if point.outcome == "passed"
                else _not_passed(point, _safe(group.name), boards)
            )
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _start_tag(element: Element) -> str:
    """Return an element as XML without its end, so that more can follow inside of it."""
    text: str = element.tostring().decode()
    return re.sub(r"\s*/>\Z|</\w+>\Z", "", text) + (">" if text.endswith("/>") else "")


def _suite(group: PointGroup, points: Points) -> TestSuite:
    from junitparser import Attr, TestSuite

    class FileSuite(TestSuite):
        """A suite that says in which file it is."""

        file = Attr()

    suite, totals = FileSuite(_safe(group.name)), group.totals()
    suite.tests, suite.failures = totals.outcomes.total(), totals.outcomes["failed"]
    suite.errors, suite.skipped = totals.outcomes["error"], totals.outcomes["skipped"]
    suite.time = round(totals.seconds, 3)
    if (file := ProjectRoot.here().inside(group.file)) is not None:
        suite.file = _safe(file)
    for name, value in points.facts:
        suite.add_property(name, _safe(value))
    return suite


def _pass_over(point: Point, classname: str) -> str:
    """Return a test case without more to say: there may be 300,000, and junitparser takes four times as long."""
    return f'<testcase name={_attribute(point.name)} classname={classname} time="{point.seconds:.4f}" />\n'


def _attribute(text: str) -> str:
    return f'"{text if _PLAIN.fullmatch(text) else escape(_safe(text))}"'


def _not_passed(point: Point, suite: str, boards: Iterator[int]) -> str:
    from junitparser import Error, Failure, Skipped, TestCase

    kinds = {"failed": Failure, "error": Error, "skipped": Skipped}
    case = TestCase(_safe(point.name), suite, round(point.seconds, 4))  # from 1e-5 on, Python writes exponents
    result = kinds[point.outcome](_safe(point.message or point.kind), point.kind)
    if point.lines is not None:
        has_board = point.board is not None and next(boards, None) is not None
        result.text = shorten(point.text(has_board), LONGEST_TEXT)
    case.append(result)
    text: str = case.tostring().decode()
    return f"{text}\n"


def _safe(text: str) -> str:
    """Return a text as an attribute may have it."""
    return one_line(text, LONGEST_MESSAGE)
