"""The code of an engine line by line, from the locations of its branches and what reached them."""

from __future__ import annotations

from helpers.made_coverage import CODE, SOURCE
from perft_check.harness.coverage.code import CodeCoverage, CodeLine, Gap
from perft_check.harness.coverage.model import CoverageSummary, SourceLocation
from perft_check.harness.coverage.source_files import SourceFile


def test_branches_are_counted_by_line_and_origin() -> None:
    (file,) = CODE.files
    assert file.lines == (
        CodeLine(3, "count", branches=1, by_suites=1, by_fuzzing=0),
        CodeLine(4, "count", branches=2, by_suites=1, by_fuzzing=0),
        CodeLine(5, "count", branches=1, by_suites=0, by_fuzzing=1),
        CodeLine(6, "count", branches=1, by_suites=0, by_fuzzing=0),
        CodeLine(8, "count", branches=1, by_suites=0, by_fuzzing=0),
        CodeLine(12, "undo", branches=1, by_suites=0, by_fuzzing=0),
    )
    assert (CODE.branches, CODE.reached, CODE.by_suites, CODE.by_fuzzing) == (7, 3, 2, 1)
    assert (CODE.lines, CODE.lines_reached) == (6, 3)


def test_gaps_join_lines_that_were_never_reached() -> None:
    count, undo = CODE.files[0].functions
    assert list(count.gaps) == [Gap(4, 4, branches=1, begun=1), Gap(6, 8, branches=2)]
    assert (count.is_entered, undo.is_entered) == (True, False)
    assert (count.never, undo.never) == (3, 1)


def test_missing_files_come_last() -> None:
    places = (SourceLocation("/usr/include/vector", 9, "push"), SourceLocation("/src/mine.c", 3, "count"))
    sources = (SourceFile("/usr/include/vector", "vector", absence="no such file"), SOURCE)
    code = CodeCoverage.of(CoverageSummary(places, ()), sources)
    assert [file.source.name for file in code.files] == ["mine.c", "vector"]


def test_locations_without_lines_are_not_lines() -> None:
    places = (
        SourceLocation("libmine.so", 0x4F0, is_source=False),
        SourceLocation("libmine.so", 0x510, is_source=False),
    )
    code = CodeCoverage.read(CoverageSummary(places, ()), ())
    assert (code.branches, code.lines) == (2, 0)
    (file,) = code.files
    assert file.source.absence == "its lines are not known: compile with -g, and have llvm-symbolizer or addr2line"


def test_branches_without_a_line_are_in_no_gap() -> None:
    places = (SourceLocation("/src/mine.c", 0, "count"), SourceLocation("/src/mine.c", 3, "count"))
    (file,) = CodeCoverage.of(CoverageSummary(places, ()), [SOURCE]).files
    (function,) = file.functions
    assert (function.first, function.last, function.never) == (3, 3, 2)
    assert list(function.gaps) == [Gap(3, 3, branches=1)]
