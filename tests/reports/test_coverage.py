"""The terminal report of code coverage."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.made_coverage import CODE, COVER, FIRSTS, LINE, PLACES, SOURCE, WRONG_COVER
from helpers.made_pages import FUZZ, TIMED_FUZZ
from helpers.printed import printed
from perft_check.harness.coverage.code import CodeCoverage
from perft_check.harness.coverage.model import CoverageSummary, FirstReached, SourceLocation
from perft_check.harness.coverage.source_files import SourceFile
from perft_check.harness.model.results.verdict import ExitCode
from perft_check.reports.terminal import fuzz
from perft_check.reports.terminal.coverage import SHOWN, render, render_code
from rich.console import Group


def test_reached_by_suites_reached_by_fuzzing_and_never_reached() -> None:
    assert printed(Group(*render_code(CODE)), 100) == [
        "code reached: 3 of 7 branches (42.9 %), on 3 of 6 lines",
        "by sweep cases: 2 branches; added by fuzzing: 1",
        "never reached: 4 branches",
        "count, mine.c:3-8: 3 of 6 branches",
        "     4  1 of 2      if (b->checkers) return evade(b);",
        "     6          return en_passant(b);",
        "     7      // nobody castles here",
        "     8      return castle(b) + others(b);",
        "never called: undo (1)",
    ]


def test_findings_come_last() -> None:
    lines = printed(fuzz.render(replace(TIMED_FUZZ, code=CODE)), 200)
    names = ["code reached", "never reached", "never called", "2 kinds of faults", "1. ", "2. "]
    places = [next(number for number, line in enumerate(lines) if line.startswith(name)) for name in names]
    assert places == sorted(places)
    assert not any("reached" in line for line in printed(fuzz.render(replace(FUZZ, code=CODE), quiet=True)))


@pytest.mark.parametrize("width", [60, 80])
def test_the_report_fits_the_width(width: int) -> None:
    long = replace(SOURCE, name="a/path/of/a/file/that/is/very/long/indeed/mine.c", lines=("x = y; " * 90,) * 12)
    code = CodeCoverage.of(CODE.summary, [long])
    lines = printed(render(replace(COVER, code=code), verbose=True), width)
    assert [line for line in lines if len(line) > width] == []


def test_only_verbose_shows_all_lines() -> None:
    places = tuple(SourceLocation("/src/mine.c", number, "count") for number in range(1, 60, 2))
    names = tuple(SourceLocation("/src/mine.c", 60 + number, f"f{number}") for number in range(20))
    source = replace(SOURCE, lines=tuple(f"line {number};" for number in range(1, 81)))
    firsts = [FirstReached(number, LINE, 1, by_suite=True) for number in range(0, 30, 2)]
    code = CodeCoverage.of(CoverageSummary((*places, *names), tuple(firsts)), [source])
    short, long = printed(Group(*render_code(code))), printed(Group(*render_code(code, verbose=True)))
    assert sum("line " in line for line in short) == SHOWN
    assert "... and 3 lines more (all of them with -v or --report json)" in short
    assert "8 more" in short[-1]
    assert sum("line " in line for line in long) == 15
    assert "f19 (1)" in "".join(long)


def test_unavailable_source_is_reported() -> None:
    absent = replace(SOURCE, lines=(), absence="no such file")
    lines = printed(Group(*render_code(CodeCoverage.of(CODE.summary, [absent]))))
    assert "  lines 4, 6-8" in lines
    assert "source unavailable, no such file: mine.c" in lines


def test_text_of_engines_is_escaped() -> None:
    text = "\x1b[31m\u202e\0\r\n[bold]x"
    places = tuple(replace(place, path=text, function=text) for place in PLACES)
    source = SourceFile(text, text, tuple(text for _ in range(12)))
    code = CodeCoverage.of(CoverageSummary(places, FIRSTS), [source])
    lines = printed(render(replace(COVER, code=code, failures=(text,)), verbose=True), 200)
    assert all(line.isprintable() for line in lines)
    assert r"\x1b[31m\u202e\x00\r\n[bold]x, \x1b[31m\u202e\x00\r\n[bold]x:3-12: 4 of 7 branches" in lines


def test_the_last_line_is_a_summary() -> None:
    assert printed(render(COVER, quiet=True), 80) == [
        "2 of 7 branches of libmine.so reached by 41 positions",
    ]
    assert "1 count is incorrect: perft-check run explains why" in printed(render(WRONG_COVER), 200)[-1]
    assert (COVER.exit_code, WRONG_COVER.exit_code) == (ExitCode.AGREE, ExitCode.MISMATCH)
    nothing = replace(COVER, code=CodeCoverage(CoverageSummary((), ()), ()), verdicts=(), interrupted=True)
    assert printed(render(nothing, quiet=True)) == ["interrupted: no coverage data from libmine.so after 41 positions"]
    assert printed(render(replace(nothing, positions=0), quiet=True)) == ["interrupted: nothing was asked"]


def test_unknown_branches_are_not_reported_as_reached() -> None:
    places = tuple(PLACES[first.counter] for first in FIRSTS)
    firsts = tuple(replace(first, counter=number) for number, first in enumerate(FIRSTS))
    code = CodeCoverage.of(CoverageSummary(places, firsts, knows_unreached=False), [SOURCE])
    cover = replace(COVER, code=code)
    assert printed(Group(*render_code(code)), 120) == [
        "code reached: 3 branches, on 3 lines",
        "by sweep cases: 2 branches; added by fuzzing: 1",
        "never reached: unknown, because the compiler lists only branches that ran; clang lists all",
    ]
    assert printed(render(cover, quiet=True), 120)[0].startswith("3 branches of libmine.so reached by 41 positions")
