"""Confirm a failure: in a new process, then after everything that was asked before, then after as little as needed.

`run` and `fuzz` report no failure as a fault of the engine before this procedure has reproduced it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import comb
from typing import Generic, TypeVar

T = TypeVar("T")

SURE_TRIES = 3
"""A wrong count that so many new processes in a row give is taken to be given each time."""
REPEATS = 8
"""How often the same question is asked if answers seem to differ: in one process, and in new ones."""
REPEATS_SECONDS = 3.0
"""Most seconds of that: large counts, and engines that start slowly, are asked less often."""
HISTORY_TRIES = 5
"""How often new processes are asked with the history and without it, to distinguish its effect from chance."""
HISTORY_SECONDS = 20.0
"""Most seconds of that, and of looking for a shorter history."""
FROM_TIME_TO_TIME = "answers differ from time to time (threads? a table? uninitialized memory?)"
"""What is said of an engine that gives several answers to the same question."""


class Reproducibility(Enum):
    """The condition under which a failure is reproduced in a new process."""

    ALONE = 1
    AFTER_HISTORY = 2
    """Only after what was asked before."""
    NEVER = 3
    FROM_TIME_TO_TIME = 4
    """Sometimes, whatever was asked before."""


@dataclass
class Trials:
    """How often new processes were wrong: asked alone, after everything that was asked before, and once more."""

    alone: int = 0
    wrong_alone: int = 0
    after: int = 0
    wrong_after: int = 0
    again: int = 0
    """How often processes that had been asked alone were asked once more."""
    wrong_again: int = 0

    @property
    def are_mixed(self) -> bool:
        """Whether some new processes that were asked alone were wrong, and some were not."""
        return 0 < self.wrong_alone < self.alone

    @property
    def differ_in_process(self) -> bool:
        """Whether the process that was asked alone gave another answer to the same question."""
        return self.again > 0 and self.wrong_again != self.again * (self.wrong_alone > 0)

    @property
    def depend_on_history(self) -> bool:
        """Whether each answer after the history was wrong, and none without it."""
        return self.wrong_alone == 0 and self.wrong_after == self.after > 0

    @property
    def text(self) -> str:
        """How often it was wrong, and how likely that would be if the history did not matter.

        The p-value is that of Fisher's exact test: all orders of as many wrong and correct answers are equally likely.
        """
        if not self.after:
            wrong, times = self.wrong_alone + self.wrong_again, self.alone + self.again
            return f"wrong {wrong} of {times} times" if wrong else "correct"
        alone = f"wrong {self.wrong_alone} of {self.alone} times alone"
        both = f"{alone}, {self.wrong_after} of {self.after} times after all that was asked before"
        if not self.depend_on_history:
            return both
        return f"{both}: p = {1 / comb(self.after + self.alone, self.after):.1g} if the order were random"


@dataclass(frozen=True)
class Confirmation(Generic[T]):
    """How a failure was reproduced."""

    reproducibility: Reproducibility
    history: Sequence[T]
    """The shortest history that reproduces it; all of it if none does."""
    trials: Trials = field(default_factory=Trials)


def confirm(
    history: Sequence[T],
    fails: Callable[[Sequence[T]], bool],
    fails_again: Callable[[], bool] | None = None,
    *,
    is_count: bool = True,
    is_varying: bool = False,
    tries: int = SURE_TRIES,
    notify: Callable[[int], None] = lambda _questions: None,
) -> Confirmation[T]:
    """Find out when a failure is reproducible. Raises what the callables raise.

    Args:
        history: What the process was asked from its start on. The last is the question at which it failed.
        fails: Starts a new process, asks it for a history, and returns True if it fails at the end of that.
        fails_again: Asks the question once more in the process that `fails` has started.
        is_count: The failure is a wrong count, which may be right the next time. A crash or a timeout is confirmed as
            soon as it is reproduced.
        is_varying: Answers of the engine are known to differ from time to time.
        tries: How many new processes in a row have to give a wrong count alone.
        notify: Called with the number of questions before all of the history is asked.
    """
    experiment = _Experiment(history, fails, fails_again)
    trials = experiment.trials
    experiment.try_alone()
    if is_count:
        experiment.repeat_alone(tries, is_varying=is_varying)
    if trials.are_mixed or (is_count and is_varying and (trials.differ_in_process or not trials.wrong_alone)):
        return Confirmation(Reproducibility.FROM_TIME_TO_TIME, history, trials)
    if trials.wrong_alone:
        return Confirmation(Reproducibility.ALONE, history[-1:], trials)
    if len(history) > 1:
        notify(len(history))
        experiment.try_after_history()
    if not trials.wrong_after:
        return Confirmation(Reproducibility.NEVER, history, trials)
    if is_count:
        experiment.alternate()
    if not trials.depend_on_history:
        return Confirmation(Reproducibility.FROM_TIME_TO_TIME, history, trials)
    return Confirmation(Reproducibility.AFTER_HISTORY, experiment.shorten(), trials)


class _Experiment(Generic[T]):
    """Asks new processes, and notes how often they fail."""

    def __init__(
        self, history: Sequence[T], fails: Callable[[Sequence[T]], bool], fails_again: Callable[[], bool] | None
    ) -> None:
        self._history, self._fails, self._fails_again = history, fails, fails_again
        self.trials = Trials()

    def try_alone(self) -> None:
        """Ask a new process for the question alone."""
        is_wrong = self._fails(self._history[-1:])
        self.trials.alone, self.trials.wrong_alone = self.trials.alone + 1, self.trials.wrong_alone + is_wrong

    def try_after_history(self) -> None:
        """Ask a new process for everything."""
        is_wrong = self._fails(self._history)
        self.trials.after, self.trials.wrong_after = self.trials.after + 1, self.trials.wrong_after + is_wrong

    def repeat_alone(self, tries: int, *, is_varying: bool) -> None:
        """Ask the process once more, and then new ones, until answers differ or often enough.

        More processes are asked if answers differ within one. By itself that does not prove chance: what a process
        answers may depend on what it was asked before.
        """
        trials, began = self.trials, time.monotonic()
        if self._fails_again is not None:
            while (
                trials.again < REPEATS and not trials.differ_in_process and time.monotonic() - began < REPEATS_SECONDS
            ):
                trials.again, trials.wrong_again = trials.again + 1, trials.wrong_again + self._fails_again()
        if is_varying or not trials.wrong_alone:
            tries = 1
        if trials.differ_in_process and not is_varying:
            tries = REPEATS
        while trials.alone < tries and not trials.are_mixed and time.monotonic() - began < REPEATS_SECONDS:
            self.try_alone()

    def alternate(self) -> None:
        """Ask with the history and without it in turn, until chance is seen, or often enough."""
        trials, began = self.trials, time.monotonic()
        while trials.depend_on_history and min(trials.alone, trials.after) < HISTORY_TRIES:
            if time.monotonic() - began > HISTORY_SECONDS:
                break
            if trials.alone < HISTORY_TRIES:
                self.try_alone()
            self.try_after_history()

    def shorten(self) -> Sequence[T]:
        """Return the shortest of the later halves, quarters ... of the history after which a new process fails."""
        shortest, began = self._history, time.monotonic()
        while len(half := shortest[-(len(shortest) // 2) :]) > 1 and time.monotonic() - began < HISTORY_SECONDS:
            if not self._fails(half):
                break
            shortest = half
        return shortest
