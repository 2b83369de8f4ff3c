"""The suites and counts that an engine checks in a given time."""

from __future__ import annotations

import pytest
from perft_check.harness.checking.budget import LIMITS, QuestionCost, budget
from perft_check.suites.bundled import ALL_BUNDLED


@pytest.mark.parametrize(
    ("nodes_per_second", "question"), [(1e3, 1.0), (1e5, 1e-2), (1e7, 1e-5), (1e9, 1e-5), (1e9, 1.0)]
)
def test_a_run_is_as_thorough_as_the_time_allows(nodes_per_second: float, question: float) -> None:
    cost = QuestionCost(question, nodes_per_second)
    found = budget(cost, 10)
    assert found.seconds <= 10 or (found.suites, found.max_nodes) == (("smoke",), LIMITS[0])
    assert found.seconds > 2 or found.suites != ("smoke",) or found.leaves_nothing_out


def test_suites_that_an_engine_is_not_asked_about_are_left_out() -> None:
    assert budget(QuestionCost(1e-5, 1e9, chess960=False), 10).suites == (
        "smoke",
        "standard",
        "special",
        "sweep",
        "mirrored",
        "setups",
    )
    found = budget(QuestionCost(1e-5, 1e9), 10)
    assert (found.suites, found.max_nodes, f"{found.seconds:.2f}") == (ALL_BUNDLED, 5_000_000, "0.15")
