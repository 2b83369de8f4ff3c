"""Ask again: the one procedure for a doubtful answer.

A new process is asked: the same question alone, then after all that was asked before, then ahead of its answers if it
was asked so. Where answers differ though the questions do not, chance is told from history.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from math import comb
from typing import TypeVar

from ....generator.line import Line
from ...model.shutdown import Interrupted
from ..base import EngineError, EngineTimeout
from .histories import write_line
from .session import EngineSession

T = TypeVar("T")

MOST_FAILURES, MOST_TIMEOUTS = 4, 2
"""After so many failures that came again at once, all are taken to: to start an engine, and to wait, may take long."""
TRIES = 5
"""How often a new process is asked, alone and after all that was asked before, to tell chance from history."""
REPEATS = 8
"""How often the same question is asked, in one process and then in new ones, to see whether answers differ."""
HISTORY_SECONDS, REPEATS_SECONDS = 20.0, 3.0
"""So long may each of that take: large counts are repeated less often."""
SURE_TRIES = 3
"""What fails so often in a row, each time in a new process, is taken to fail each time."""
FROM_TIME_TO_TIME = "answers differ from time to time (threads? a table? uninitialized memory?)"
"""What is said of an engine that gives several answers to the same question."""


class Reproducibility(Enum):
    """The condition under which a failure comes again in a new process."""

    ALONE = 1
    AFTER_HISTORY = 2
    """Only after all that was asked before."""
    NEVER = 3
    FROM_TIME_TO_TIME = 4
    """Sometimes, whatever was asked before."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A count that an engine was asked for."""

    line: Line
    depth: int
    expected: int


@dataclass(frozen=True)
class AskedHistory:
    """All that a process was asked, from its start on."""

    questions: tuple[AskedQuestion, ...] = ()
    is_of_first: bool = True
    """Whether it may be the first process, which was also asked how it is understood."""


@dataclass
class Retries:
    """What new processes have shown that were asked again: it decides whether more are asked.

    All that ask the same engine share it.
    """

    failures: int = 0
    """Those that came again at once."""
    timeouts: int = 0
    """Of these, the timeouts."""
    varies: bool = False
    """Whether answers of the engine are known to differ from time to time."""
    is_systematic: bool = False
    """Whether a systematic error of the engine is known, which new processes have shown."""

    @property
    def keeps_process(self) -> bool:
        """Whether a process that has failed is asked on, as it fails whatever it was asked before."""
        return self.believes() or self.is_systematic

    def believes(self, error: EngineError | None = None) -> bool:
        """Tell whether a failure is taken for what it is; `error` is what the engine failed with, if it did."""
        is_timeout = isinstance(error, EngineTimeout)
        return self.failures >= MOST_FAILURES or (is_timeout and self.timeouts >= MOST_TIMEOUTS)


@dataclass
class Trials:
    """How often a new process was wrong: asked alone, and after all that was asked before."""

    alone: int = 0
    wrong_alone: int = 0
    after: int = 0
    wrong_after: int = 0

    def note(self, *, is_wrong: bool, after_history: bool) -> None:
        """Note one answer."""
        if after_history:
            self.after, self.wrong_after = self.after + 1, self.wrong_after + is_wrong
        else:
            self.alone, self.wrong_alone = self.alone + 1, self.wrong_alone + is_wrong

    @property
    def depend_on_history(self) -> bool:
        """Whether each answer after the history was wrong, and none without it."""
        return self.wrong_alone == 0 and self.wrong_after == self.after > 0

    @property
    def text(self) -> str:
        """How often it was wrong, and how likely that would be if the history did not matter.

        The p-value is that of Fisher's exact test: all orders of as many wrong and right answers are equally likely.
        """
        alone = f"wrong {self.wrong_alone} of {self.alone} times alone"
        if not self.after:
            return alone
        told = f"{alone}, {self.wrong_after} of {self.after} times after all that was asked before"
        if not self.depend_on_history:
            return told
        return f"{told}: p = {1 / comb(self.after + self.alone, self.after):.1g} if the order were random"


class Reproducer:
    """Remembers what an engine has been asked since its process was started, and asks it anew."""

    def __init__(self, engine: EngineSession, tell: Callable[[str], None], retries: Retries | None = None) -> None:
        """Take the engine. `tell` is called with a line that says what the user waits for.

        `retries` is what is known of the engine already.
        """
        self._engine, self._tell = engine, tell
        self._asked: list[AskedQuestion] = []
        self._is_first = True
        """Whether the process may be the first one."""
        self._is_spent = False
        """Whether the process has failed, so that the next question goes to a new one."""
        self.retries = retries or Retries()
        """What new processes have shown until now."""
        self.trials = Trials()
        """How often the last failure came again."""

    @property
    def history(self) -> tuple[str, ...]:
        """The lines asked since the process was started, as a file of a history has them."""
        return tuple(write_line(question.line) for question in self._asked)

    def note(self, question: AskedQuestion) -> None:
        """Remember that the engine is asked for a count; in a new process, if the one that is there has failed."""
        if self._is_spent:
            self.forget()
        if self.is_believed:  # the history is not needed any more
            self._asked.clear()
        self._asked.append(question)

    def take_history(self) -> AskedHistory:
        """Return all that was asked until the process has failed: from now on a new one is asked, if that matters."""
        history = AskedHistory(tuple(self._asked), self._is_first)
        self._asked.clear()
        self._is_spent = not self.retries.keeps_process
        return history

    def restore(self, history: AskedHistory) -> None:
        """Go on with the history of a process that has failed, to ask for it anew."""
        self._asked, self._is_first = [*history.questions], history.is_of_first

    def keep_process(self) -> None:
        """Go on with the process that is there, though it has failed."""
        self._is_spent = False

    def reproduce(self, error: EngineError | None = None) -> Reproducibility:
        """Tell when the last question fails in a new process, too; `error` is what it failed with, if not its count.

        An engine in this process has no other one. Raises Interrupted.
        """
        if self.believes(error):
            return Reproducibility.ALONE
        self.trials = Trials()
        if self._fails_alone():
            if error is None and self._answers_differ():
                return self._by_chance()
            self.retries.failures += 1
            self.retries.timeouts += isinstance(error, EngineTimeout)
            return Reproducibility.ALONE
        if error is None and (self.retries.varies or self._answers_differ()):
            return self._by_chance()
        self._tell(f"asking a new process of {self._engine.name} for all {len(self._asked):,} counts so far")
        for with_start in (False, True)[: 1 + self._is_first]:
            if self._fails_after_history(with_start):
                return self._after_history(with_start) if error is None else Reproducibility.AFTER_HISTORY
        return Reproducibility.NEVER

    def _after_history(self, with_start: bool) -> Reproducibility:
        """Tell whether the history is why, or chance, by asking with it and without it in turn."""
        began = time.monotonic()
        while self.trials.depend_on_history and min(self.trials.alone, self.trials.after) < TRIES:
            if time.monotonic() - began > HISTORY_SECONDS:
                break
            self._fails_alone()
            self._fails_after_history(with_start)
        return Reproducibility.AFTER_HISTORY if self.trials.depend_on_history else self._by_chance()

    def _by_chance(self) -> Reproducibility:
        self.retries.varies = True
        return Reproducibility.FROM_TIME_TO_TIME

    def _answers_differ(self) -> bool:
        """Tell whether the process that was just asked gives another answer to the same question, and a new one, too.

        What one process answers may depend on what it was asked before.
        """
        return self._differ_in(new_processes=False) and (self.retries.varies or self._differ_in(new_processes=True))

    def _differ_in(self, *, new_processes: bool) -> bool:
        """Tell whether answers to the last question differ, in one process or in new ones."""
        began, seen = time.monotonic(), set()
        for _ in range(REPEATS):
            if new_processes:
                self._engine.restart()
            is_wrong = self._is_wrong(self._asked[-1])
            if new_processes:
                self.trials.note(is_wrong=is_wrong, after_history=False)
            seen.add(is_wrong)
            if len(seen) > 1 or time.monotonic() - began > REPEATS_SECONDS:
                break
        return len(seen) > 1

    def _fails_alone(self) -> bool:
        """Tell whether a new process fails at the last question."""
        self._engine.restart()
        is_wrong = self._is_wrong(self._asked[-1])
        self.trials.note(is_wrong=is_wrong, after_history=False)
        return is_wrong

    def forget(self) -> None:
        """Begin a new history: the next question is asked in a new process, if failures are asked anew at all."""
        self._is_spent = False
        if self.is_believed:
            return
        self._asked.clear()
        self._is_first = False
        self._engine.restart()

    def _fails_after_history(self, with_start: bool = False) -> bool:
        """Tell whether a new process that is asked for everything, from its start on, fails at the last question."""
        self._engine.restart()
        if with_start:
            try:
                self._engine.start()
            except EngineError:
                return True
        is_wrong = [self._is_wrong(question) for question in self._asked][-1]
        self.trials.note(is_wrong=is_wrong, after_history=True)
        return is_wrong

    @property
    def is_believed(self) -> bool:
        """Whether a failure is taken for what it is, without asking anew."""
        return self._engine.is_in_process or self.retries.believes()

    def believes(self, error: EngineError | None) -> bool:
        """Return True if a failure is taken for what it is; `error` is what the engine failed with, if it did."""
        return self.is_believed or self.retries.believes(error)

    def _is_wrong(self, question: AskedQuestion) -> bool:
        try:
            return self._answer(question) != question.expected
        except EngineError:
            return True

    def _answer(self, question: AskedQuestion) -> int:
        return self._engine.expecting(question.expected).perft(question.line, question.depth)


def count_failures(fails: Callable[[], bool], most: int = SURE_TRIES) -> int:
    """Return how often something fails before it does not, at most so often.

    A stopped run has the benefit of the doubt.
    """
    times = 0
    try:
        while times < most and fails():
            times += 1
    except Interrupted:
        return most
    return times


def shortest_history(
    history: Sequence[T], fails: Callable[[Sequence[T]], bool], shorten: Callable[[Sequence[T]], Sequence[T]]
) -> tuple[Sequence[T], Reproducibility]:
    """Ask again with ever shorter histories; return the shortest that still fails, and how surely it does.

    `fails` asks a new process for a history, and tells whether it fails at its end. An engine that does not start any
    more, and a run that is stopped, end the search.
    """
    shortest, found = history, Reproducibility.NEVER
    with suppress(EngineError, Interrupted):
        while history and fails(history):
            shortest, found, history = history, Reproducibility.AFTER_HISTORY, shorten(history)
        left = SURE_TRIES - 1
        if found is not Reproducibility.NEVER and count_failures(lambda: fails(shortest), left) < left:
            found = Reproducibility.FROM_TIME_TO_TIME
    return shortest, found
