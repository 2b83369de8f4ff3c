"""The page of the coverage of an engine's code: what was never reached, the curve, and the source with its marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from ...harness.checking.covering import CoverFinished
from ...harness.coverage.code import CodeCoverage, CodeFile, CodeFunction, Gap
from ...harness.model.engine_names import introduce, short_name
from ...harness.model.results.verdict import ExitCode
from ..charts import draw_branches_reached
from ..terminal.coverage import (
    NOT_KNOWN,
    branches,
    figures_of_coverage,
    files_table,
    missing_branches,
    place_of,
    summary,
)
from ..text import count
from .page import Page, page
from .parts import FactTable, Status, known_facts, status, table_of

MOST_ROWS = 30_000
"""Lines of source on one page; of files beyond them it shows only what was never reached."""
MOST_UNREACHED = 5_000
"""Lines that were never reached that it shows by function; of further functions it says how much is missing."""
TOO_LONG = "too long for this page"
MOST_OF_GAP = 12
"""Lines of one stretch that was never reached; the whole file has them all."""


@dataclass(frozen=True)
class SourceRow:
    """A line of source with its mark."""

    line: int
    tone: str
    """"never", "partly", "suites" or "fuzzing"; "" where no branch begins."""
    figures: str
    """The mark, and how many of its branches were reached."""
    text: str


@dataclass(frozen=True)
class UnreachedFunction:
    """A function, and what of it was never reached."""

    title: str
    place: str
    branches: str
    rows: tuple[SourceRow, ...]


@dataclass(frozen=True)
class MarkedFile:
    """A file with all of its lines, or why there are none."""

    name: str
    figures: str
    absence: str
    rows: Sequence[SourceRow]


@dataclass(frozen=True)
class CoverageSection:
    """What a page shows of coverage."""

    curve: Markup | None
    table: FactTable
    entered: tuple[UnreachedFunction, ...]
    """Functions of which a part was never reached."""
    not_entered: tuple[UnreachedFunction, ...]
    """Those of which nothing was reached."""
    files: tuple[MarkedFile, ...]
    all_reached: str
    """What to say where nothing is known that was not reached."""
    has_fuzzing: bool
    """Whether marks tell what fuzzing has reached from what suites have."""


def coverage_section(code: CodeCoverage, *, with_curve: bool = True) -> CoverageSection:
    """Return what a page shows of the coverage of an engine. A curve depends on time."""
    missing = [(file, function) for file in code.files for function in file.functions if function.never]
    return CoverageSection(
        curve=Markup(draw_branches_reached(code)) if with_curve and code.summary.curve else None,
        table=table_of(files_table(code), "Branches and lines by file"),
        entered=tuple(_describe_functions(one for one in missing if one[1].is_entered)),
        not_entered=tuple(_describe_functions(one for one in missing if not one[1].is_entered)),
        files=tuple(_marked_files(code.files)),
        all_reached="Every branch was reached." if code.knows_unreached else f"This is {NOT_KNOWN}.",
        has_fuzzing=bool(code.by_fuzzing),
    )


def _describe_functions(functions: Iterable[tuple[CodeFile, CodeFunction]]) -> Iterator[UnreachedFunction]:
    """Yield functions with the lines that were never reached, as far as there is room for lines."""
    room = MOST_UNREACHED
    for file, function in functions:
        is_shown = function.is_entered and not file.source.absence and room > 0
        rows = tuple(row for gap in function.gaps for row in _rows_of_gap(file, gap)) if is_shown else ()
        room -= len(rows)
        yield UnreachedFunction(function.name, place_of(file, function), missing_branches(function), rows)


def _rows_of_gap(file: CodeFile, gap: Gap) -> Iterator[SourceRow]:
    """Yield the lines of a stretch, the first ones only where it is long."""
    last = min(gap.last, gap.first + MOST_OF_GAP - 1)
    for number in range(gap.first, last + 1):
        yield _row(number, file)
    if last < gap.last:
        yield SourceRow(last + 1, "", "", f"... and {count(gap.last - last, 'line')} more")


def _marked_files(files: Iterable[CodeFile]) -> Iterator[MarkedFile]:
    room = MOST_ROWS
    for file in files:
        source = file.source
        is_shown = len(source.lines) <= room
        room -= len(source.lines) if is_shown else 0
        shown = range(1, 1 + len(source.lines) * is_shown)
        rows = [_row(number, file) for number in shown]
        absence = f"source not here: {source.absence}" if source.absence else "" if is_shown else TOO_LONG
        yield MarkedFile(source.name, f"{file.reached:,} of {branches(file.branches)}", absence, rows)


def _row(number: int, file: CodeFile) -> SourceRow:
    text, line = file.source.line(number), file.by_number.get(number)
    if line is None:
        return SourceRow(number, "", "", text)
    tone = "never" if not line.reached else "partly" if line.never else "suites" if line.by_suites else "fuzzing"
    sign = {"never": "✗", "partly": "!", "suites": "✓", "fuzzing": "+"}[tone]
    return SourceRow(number, tone, f"{sign} {line.reached}/{line.branches}", text)


def pages(finished: CoverFinished) -> Page:
    """Return the page of what suites reach."""
    return page(
        "cover",
        title=f"{short_name(finished.engine)}: code that suites reach",
        status=_status(finished),
        facts=known_facts(
            [
                ("engine", introduce(finished.engine)),
                ("suites", ", ".join(finished.suites)),
                *figures_of_coverage(finished.code),
                ("counts that do not agree", "; ".join(finished.failures)),
                ("kept in", finished.stored or ""),
            ]
        ),
        coverage=coverage_section(finished.code) if finished.code.branches else None,
    )


def _status(finished: CoverFinished) -> Status:
    """Return the verdict: that all counts were right is not what was asked."""
    ending = summary(finished)
    made = status(finished.exit_code, str(ending), str(ending.style))
    return replace(made, word="Done") if finished.exit_code is ExitCode.AGREE else made
