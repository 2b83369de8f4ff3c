"""The shortest history that still fails is looked for by asking again, as often as it helps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from perft_check.harness.engines.asking.retry import SURE_TRIES, Reproducibility, shortest_history
from perft_check.harness.engines.base import EngineCrash

QUESTIONS = tuple(range(20))


def second_half(history: Sequence[int]) -> Sequence[int]:
    return history[len(history) - len(history) // 2 :]


@pytest.mark.parametrize(
    ("least", "left", "found"),
    [
        (1, 1, Reproducibility.AFTER_HISTORY),
        (3, 5, Reproducibility.AFTER_HISTORY),
        (20, 20, Reproducibility.AFTER_HISTORY),
        (21, 20, Reproducibility.NEVER),
    ],
)
def test_half_of_the_questions_are_left_out_as_long_as_it_fails(least: int, left: int, found: Reproducibility) -> None:
    history = shortest_history(QUESTIONS, lambda asked: len(asked) >= least, second_half)
    assert history == (QUESTIONS[-left:], found)


def test_it_has_to_fail_each_time() -> None:
    answers = iter([True, False, *[True] * (SURE_TRIES - 2), False])
    asked, found = shortest_history(QUESTIONS, lambda _asked: next(answers), second_half)
    assert (asked, found) == (QUESTIONS, Reproducibility.FROM_TIME_TO_TIME)
    assert next(answers, None) is None


def test_an_engine_that_does_not_start_any_more_ends_the_search() -> None:
    def fails(asked: Sequence[int]) -> bool:
        if len(asked) < 10:
            raise EngineCrash("it does not start")
        return True

    assert shortest_history(QUESTIONS, fails, second_half) == (QUESTIONS[-10:], Reproducibility.AFTER_HISTORY)
