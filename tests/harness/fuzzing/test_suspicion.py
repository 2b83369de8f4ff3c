"""Lines are ranked by what incorrect and correct answers execute; the spectra are small enough to check by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from perft_check.generator import Position
from perft_check.harness.coverage.model import SourceLocation
from perft_check.harness.fuzzing.neighbors import neighbors_of
from perft_check.harness.fuzzing.suspicion import Execution, rank_lines, score_branches

SPECTRA = ((True, (1, 1, 0, 9)), (True, (3, 1, 0)), (False, (2, 0, 4)), (False, (0, 0, 1)), (False, (1, 1, 1, 0)))
"""Whether each answer was incorrect, and how often it executed each branch. GCC lists a branch only once it has run."""
EXECUTIONS = [Execution(np.array(counters, np.uint8), has_failed) for has_failed, counters in SPECTRA]


def test_the_score_of_each_branch() -> None:
    expected = [2 / (2 * 4) ** 0.5, 2 / (2 * 3) ** 0.5, 0, 1 / (2 * 1) ** 0.5]
    assert score_branches(EXECUTIONS).tolist() == pytest.approx(expected)


def test_a_branch_of_all_failures_only_has_a_score_of_1() -> None:
    executions = [Execution(np.array(row, np.uint8), failed) for failed, row in ((True, (1, 1)), (False, (1, 0)))]
    assert score_branches(executions).tolist() == pytest.approx([0.5**0.5, 1])


SOURCE = """\
int f(int x) {
    int y = x;
    y++;
    if (y > 2) {
        y = 0;
        x = 1;
    }
    return y;
}
"""


def test_lines_that_run_together_are_one_place(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(SOURCE, encoding="utf-8")
    located = [SourceLocation("f.c", line, "f") for line in (2, 4, 5, 8, 5)]
    unknown = [None, SourceLocation("libf.so", 80, is_source=False)]
    ranked = list(rank_lines([0.5, 0.0, 0.25, 0.5, 0.75, 1, 1], [*located, *unknown], [tmp_path]))
    assert [(one.first, one.last, one.score, one.text) for one in ranked] == [
        (5, 6, 0.75, "y = 0;"),
        (2, 3, 0.5, "int y = x;"),
        (8, 8, 0.5, "return y;"),
    ]
    assert {(one.path, one.name, one.function) for one in ranked} == {(str(tmp_path / "f.c"), "f.c", "f")}


def test_lines_of_unavailable_source_have_no_text(tmp_path: Path) -> None:
    (place,) = rank_lines([1.0], [SourceLocation("elsewhere.c", 7, "f")], [tmp_path])
    assert (place.path, place.first, place.last, place.text) == ("elsewhere.c", 7, 7, "")


def test_neighbors_differ_in_one_respect() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/3P4/4K2R w K - 5 9")
    near = [one.fen() for one in neighbors_of(position, 1000)]
    assert near[:8] == [
        "4k2r/3p4/8/8/8/8/8/4K3 b k - 5 9",
        "4k3/8/8/8/8/8/3P4/4K2R w - - 5 9",
        "4k3/8/8/8/8/8/3P4/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 5 9",
        "4k3/8/8/8/8/8/3P4/4K3 w - - 5 9",
        "4k3/8/8/8/8/8/3P4/4K1R1 w - - 5 9",
        "4k3/8/8/8/8/8/3P4/3K3R w - - 5 9",
        "8/3k4/8/8/8/8/3P4/4K2R w K - 5 9",
    ]
    assert len(near) == 198
    assert len(set(near)) == len(near)
    assert position.fen() not in near
    assert neighbors_of(position, 7) == [Position.from_fen(fen) for fen in near[:7]]
