"""Record the questions to an engine's process, and reproduce its failures in new processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....generator.game import Game
from ...engines.asking.confirming import SURE_TRIES, Confirmation, Reproducibility, confirm
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError, EngineTimeout
from ..searching import check_searches

MOST_FAILURES, MOST_TIMEOUTS = 4, 2
"""Numbers of reproduced failures and timeouts after which others are not retried, because retrying may take long."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A count that an engine was asked for."""

    game: Game
    depth: int
    expected: int
    searches: bool = False
    """Whether the engine was also asked for short searches after the game."""


@dataclass
class Retries:
    """The results of retries in new processes. They determine whether later failures are retried.

    All counters of the same engine share them.
    """

    failures: int = 0
    """Number of failures that new processes reproduced without earlier questions."""
    timeouts: int = 0
    """Number of these failures that are timeouts."""
    varies: bool = False
    """Whether the engine's answers are known to vary."""
    is_systematic: bool = False
    """Whether new processes have shown that the engine has a systematic error."""

    @property
    def keeps_process(self) -> bool:
        """Whether a process that has failed is kept, because failures do not depend on earlier questions."""
        return self.believes() or self.is_systematic

    def believes(self, error: EngineError | None = None) -> bool:
        """Return True if a failure need not be retried; `error` is the engine's error, if any."""
        is_timeout = isinstance(error, EngineTimeout)
        return self.failures >= MOST_FAILURES or (is_timeout and self.timeouts >= MOST_TIMEOUTS)


class Reproducer:
    """Records the questions to an engine since its process was started, and repeats them in new processes."""

    def __init__(self, engine: EngineSession, retries: Retries | None = None) -> None:
        self._engine = engine
        self._asked: list[AskedQuestion] = []
        self._is_spent = False
        """Whether the process has failed, so that the next question goes to a new one."""
        self.retries = retries or Retries()
        """The results of retries so far."""

    def note(self, question: AskedQuestion) -> None:
        """Record the next question to the engine, after starting a new process if the current one has failed."""
        if self._is_spent:
            self.forget()
        if self.believes():  # the history is no longer needed
            self._asked.clear()
        self._asked.append(question)

    def take_history(self) -> tuple[AskedQuestion, ...]:
        """Return all questions up to the failure of the process, and begin a new history."""
        history = tuple(self._asked)
        self._asked.clear()
        self._is_spent = not self.retries.keeps_process
        return history

    def keep_process(self) -> None:
        """Continue with the current process although it has failed."""
        self._is_spent = False

    def forget(self) -> None:
        """Begin a new history. If failures are retried at all, the next question goes to a new process."""
        self._is_spent = False
        if self.believes():
            return
        self._asked.clear()
        self._engine.restart()

    def reproduce(
        self, history: Sequence[AskedQuestion], error: EngineError | None = None
    ) -> Confirmation[AskedQuestion]:
        """Try to reproduce a failure in new processes; `error` is the engine's error, None for an incorrect count.

        The engine continues with the last of these processes. If the engine runs in perft-check's own process, its
        failures are not retried. Raises Interrupted.
        """
        if self.believes(error):
            return Confirmation(Reproducibility.ALONE, history[-1:])
        found = confirm(
            history,
            self._fails,
            lambda: self._is_wrong(history[-1]),
            is_count=error is None,
            is_varying=self.retries.varies,
            tries=1 if self.retries.failures else SURE_TRIES,
        )
        if found.reproducibility is Reproducibility.ALONE:
            self.retries.failures += 1
            self.retries.timeouts += isinstance(error, EngineTimeout)
        self.retries.varies |= found.reproducibility is Reproducibility.FROM_TIME_TO_TIME
        return found

    def believes(self, error: EngineError | None = None) -> bool:
        """Return True if a failure need not be retried; `error` is the engine's error, if any."""
        return self._engine.is_in_process or self.retries.believes(error)

    def _fails(self, history: Sequence[AskedQuestion]) -> bool:
        """Ask a new process these questions. Return True if it fails at the last one."""
        self._engine.restart()
        return [self._is_wrong(question) for question in history][-1]

    def _is_wrong(self, question: AskedQuestion) -> bool:
        try:
            if question.searches:
                return any(check_searches(self._engine, question.game))
            answer = self._engine.expecting(question.expected).perft(question.game, question.depth)
        except EngineError:
            return True
        return answer != question.expected
