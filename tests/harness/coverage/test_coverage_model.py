"""What was reached, in which buckets, and by which question first."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.made_coverage import SOURCE
from numpy.typing import NDArray
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.coverage.code import CodeCoverage, Gap
from perft_check.harness.coverage.model import (
    CoverageMap,
    CoverageSummary,
    FirstReached,
    SourceLocation,
    buckets_of,
)
from perft_check.harness.coverage.source_files import SourceFile

START = Game(Position.start())
OTHER = Game(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))


def counters(*counts: int) -> NDArray[np.uint8]:
    return np.array(counts, dtype=np.uint8)


@pytest.mark.parametrize(
    ("bit", "counts"), list(enumerate([(1, 1), (2, 2), (3, 3), (4, 7), (8, 15), (16, 31), (32, 127), (128, 255)]))
)
def test_each_bucket_has_a_bit(bit: int, counts: tuple[int, int]) -> None:
    assert buckets_of(counters(*counts)).tolist() == [1 << bit] * 2


def test_a_branch_that_never_ran_has_no_bucket() -> None:
    assert buckets_of(counters(0)).tolist() == [0]


def test_the_first_question_that_reached_a_counter_is_kept() -> None:
    known = CoverageMap()
    assert known.note(counters(1, 0, 0), lambda: START, 1, by_suite=True)
    assert not known.note(counters(1, 0, 0), lambda: OTHER, 2)
    assert known.note(counters(1, 1, 0), lambda: OTHER, 2)
    assert list(known.firsts.values()) == [FirstReached(0, START, 1, by_suite=True), FirstReached(1, OTHER, 2)]


def test_a_new_bucket_does_not_reach_a_new_counter() -> None:
    known = CoverageMap()
    known.note(counters(1), lambda: START, 1)
    assert known.note(counters(9), lambda: OTHER, 1)
    assert not known.note(counters(15), lambda: OTHER, 1)
    assert [first.game for first in known.firsts.values()] == [START]


def test_the_number_of_counters_may_grow() -> None:
    known = CoverageMap()
    known.note(counters(1), lambda: START, 1)
    assert known.note(counters(0, 0, 1), lambda: OTHER, 1)
    assert not known.note(counters(1), lambda: OTHER, 1)


def test_a_summary_distinguishes_suites_from_fuzzing() -> None:
    known = CoverageMap()
    known.note(counters(1, 0, 0), lambda: START, 1, by_suite=True)
    known.note(counters(0, 0, 1), lambda: OTHER, 1)
    summary = known.summary(tuple(SourceLocation("a.c", line, "f") for line in (3, 5, 9)))
    assert summary.reached_by_suites == {0}
    assert summary.reached_by_fuzzing == {2}


def test_a_counter_without_a_location_is_left_out() -> None:
    known = CoverageMap()
    known.note(counters(1, 1), lambda: START, 1)
    assert known.summary((SourceLocation("a.c", 3),)).reached == {0}


def test_a_location_is_shown_by_line_or_offset() -> None:
    assert str(SourceLocation("a.c", 12, "f")) == "a.c:12"
    assert str(SourceLocation("libmine.so", 0x4F0, is_source=False)) == "libmine.so+0x4f0"


def test_a_summary_knows_whether_all_branches_have_locations() -> None:
    place = SourceLocation("mine.c", 3)
    assert CoverageMap().summary((place,)).knows_unreached
    assert not CoverageMap().summary((place, None)).knows_unreached


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
