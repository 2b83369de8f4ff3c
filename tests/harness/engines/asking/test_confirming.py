"""Confirming a failure: alone, after its history, and after the shortest part of it that is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat

import pytest
from perft_check.harness.engines.asking.confirming import (
    HISTORY_TRIES,
    REPEATS,
    SURE_TRIES,
    Reproducibility,
    Trials,
    confirm,
)
from perft_check.harness.engines.base import EngineCrash

QUESTIONS = tuple(range(20))
Fails = Callable[[Sequence[int]], bool]


def needing(least: int) -> Fails:
    """Return a function that fails after at least `least` questions to a process."""
    return lambda asked: len(asked) >= least


def answering(*alone: bool, then: bool, after: bool = False) -> Fails:
    """Return a function that fails as `alone` says, then as `then` says; after a history always or never."""
    answers = chain(alone, repeat(then))
    return lambda asked: next(answers) if len(asked) == 1 else after


@pytest.mark.parametrize(
    ("least", "left", "found"),
    [
        (1, 1, Reproducibility.ALONE),
        (2, 2, Reproducibility.AFTER_HISTORY),
        (3, 5, Reproducibility.AFTER_HISTORY),
        (20, 20, Reproducibility.AFTER_HISTORY),
        (21, 20, Reproducibility.NEVER),
    ],
)
@pytest.mark.parametrize("is_count", [True, False])
def test_the_history_is_halved_while_a_new_process_fails(
    least: int, left: int, found: Reproducibility, is_count: bool
) -> None:
    confirmed = confirm(QUESTIONS, needing(least), is_count=is_count)
    assert (confirmed.reproducibility, confirmed.history) == (found, QUESTIONS[-left:])


@pytest.mark.parametrize(
    ("least", "is_count", "trials"),
    [
        (1, True, Trials(alone=SURE_TRIES, wrong_alone=SURE_TRIES)),
        (1, False, Trials(alone=1, wrong_alone=1)),
        (20, True, Trials(HISTORY_TRIES, 0, HISTORY_TRIES, HISTORY_TRIES)),
        (20, False, Trials(1, 0, 1, 1)),
        (21, True, Trials(1, 0, 1, 0)),
    ],
)
def test_a_crash_is_confirmed_once_and_an_incorrect_count_several_times(
    least: int, is_count: bool, trials: Trials
) -> None:
    assert confirm(QUESTIONS, needing(least), is_count=is_count).trials == trials


def test_one_process_is_enough_for_an_engine_whose_failures_were_reproduced_before() -> None:
    assert confirm(QUESTIONS, needing(1), tries=1).trials == Trials(alone=1, wrong_alone=1)


@pytest.mark.parametrize(
    ("alone", "text"),
    [((True, False), "incorrect 1 of 2 times"), ((True, True, False), "incorrect 2 of 3 times")],
)
def test_different_answers_of_new_processes_are_attributed_to_chance(alone: tuple[bool, ...], text: str) -> None:
    confirmed = confirm(QUESTIONS, answering(*alone, then=True))
    assert confirmed.reproducibility is Reproducibility.FROM_TIME_TO_TIME
    assert (confirmed.trials.text, confirmed.history) == (text, QUESTIONS)


@pytest.mark.parametrize("first", [True, False])
def test_more_processes_are_asked_if_answers_differ_within_one(first: bool) -> None:
    """The difference proves nothing, because the first answers of all processes may be the same."""
    confirmed = confirm(QUESTIONS, answering(then=first), lambda: not first)
    assert confirmed.reproducibility is (Reproducibility.ALONE if first else Reproducibility.NEVER)
    assert confirmed.trials.alone == REPEATS
    late = confirm(QUESTIONS, answering(*[first] * (REPEATS - 1), then=not first), lambda: not first)
    assert late.reproducibility is Reproducibility.FROM_TIME_TO_TIME


def test_a_history_without_a_consistent_effect_is_attributed_to_chance() -> None:
    confirmed = confirm(QUESTIONS, answering(False, then=True, after=True))
    assert confirmed.reproducibility is Reproducibility.FROM_TIME_TO_TIME
    assert confirmed.trials.text == "incorrect 1 of 2 times alone, 2 of 2 times after all previous questions"


def test_a_correct_answer_of_an_engine_that_varies_is_attributed_to_chance() -> None:
    confirmed = confirm(QUESTIONS, needing(20), is_varying=True)
    assert confirmed.reproducibility is Reproducibility.FROM_TIME_TO_TIME
    assert confirmed.trials.text == "correct"


def test_an_engine_that_varies_is_asked_in_one_process() -> None:
    answers = iter([True, False])
    confirmed = confirm(QUESTIONS, answering(then=True), lambda: next(answers), is_varying=True)
    assert confirmed.reproducibility is Reproducibility.FROM_TIME_TO_TIME
    assert (confirmed.trials.alone, confirmed.trials.text) == (1, "incorrect 2 of 3 times")


def test_an_engine_that_varies_may_also_have_a_reproducible_failure() -> None:
    confirmed = confirm(QUESTIONS, answering(then=True), lambda: True, is_varying=True)
    assert confirmed.reproducibility is Reproducibility.ALONE


def test_an_engine_that_no_longer_starts_ends_the_procedure() -> None:
    def fails(_asked: Sequence[int]) -> bool:
        raise EngineCrash("it does not start")

    with pytest.raises(EngineCrash, match="it does not start"):
        confirm(QUESTIONS, fails)
