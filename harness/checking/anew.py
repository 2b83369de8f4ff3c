"""Ask an engine anew: does its failure come again in a new process, at once or after all that was asked before?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ...generator.line import Line
from ..engines.asker import Asker
from ..engines.base import EngineError, EngineTimeout, InProcess
from .histories import remembered

MOST_FAILURES, MOST_TIMEOUTS = 4, 2
"""After so many failures that came again at once, all are taken to: to start an engine, and to wait, may take long."""


class Comes(Enum):
    """The condition under which a failure comes again in a new process."""

    ALONE = 1
    AFTER_HISTORY = 2
    """Only after all that was asked before."""
    NEVER = 3


@dataclass(frozen=True, slots=True)
class Question:
    """A count that an engine was asked for."""

    line: Line
    depth: int
    expected: int


class Again:
    """Remembers what an engine has been asked since its process was started, and asks it anew."""

    def __init__(self, engine: Asker, tell: Callable[[str], None]) -> None:
        """Take the engine. `tell` is called with a line that says what the user waits for."""
        self._engine, self._tell = engine, tell
        self._asked: list[Question] = []
        self._is_first = True
        """Whether the process may be the first one, which was also asked how it is understood."""
        self._failures = self._timeouts = 0
        """Those that came again at once."""

    @property
    def history(self) -> tuple[str, ...]:
        """The lines asked since the process was started, as a file of a history has them."""
        return tuple(remembered(question.line) for question in self._asked)

    def ask(self, question: Question) -> int:
        """Return the engine's count, and remember that it was asked for. Raises EngineError, Interrupted."""
        self.note(question)
        return self._answer(question)

    def note(self, question: Question) -> None:
        """Remember that the engine was asked for a count."""
        if self.is_believed:  # nobody will ask for the history
            self._asked.clear()
        self._asked.append(question)

    def comes(self, error: EngineError | None = None) -> Comes:
        """Tell when the last question fails in a new process, too; `error` is what it failed with, if not its count.

        An engine in this process has no other one. Raises Interrupted.
        """
        is_timeout = isinstance(error, EngineTimeout)
        if self.is_believed or (is_timeout and self._timeouts >= MOST_TIMEOUTS):
            return Comes.ALONE
        self._engine.engine.close()
        if self._is_wrong(self._asked[-1]):
            self._failures += 1
            self._timeouts += is_timeout
            return Comes.ALONE
        self._tell(f"asking a new process of {self._engine.name} for all {len(self._asked):,} counts so far")
        if self._fails_after_history() or (self._is_first and self._fails_after_history(with_start=True)):
            return Comes.AFTER_HISTORY
        return Comes.NEVER

    def comes_in_turn(self, error: EngineError | None) -> Comes:
        """Tell when a failure comes, in a new process, that came where the engine was asked ahead.

        There it had some questions more. So where it gave no answer at all, it is asked for everything twice.
        """
        comes = self.comes(error)
        if comes is not Comes.NEVER or error is None:
            return comes
        self._engine.engine.close()
        twice = self._asked * 2
        for number, question in enumerate(twice, 1):
            if self._fails_as(error, question):
                self._asked = twice[:number]
                return Comes.AFTER_HISTORY
        return Comes.NEVER

    def forget(self) -> None:
        """Begin a new history: the next question is asked in a new process, if failures are asked anew at all."""
        if self.is_believed:
            return
        self._asked.clear()
        self._is_first = False
        self._engine.engine.close()

    def _fails_after_history(self, with_start: bool = False) -> bool:
        """Tell whether a new process that is asked for everything, from its start on, fails at the last question."""
        self._engine.engine.close()
        if with_start:
            try:
                self._engine.start()
            except EngineError:
                return True
        return [self._is_wrong(question) for question in self._asked][-1]

    @property
    def is_believed(self) -> bool:
        """Whether a failure is taken for what it is, without asking anew."""
        return isinstance(self._engine.engine, InProcess) or self._failures >= MOST_FAILURES

    def _is_wrong(self, question: Question) -> bool:
        try:
            return self._answer(question) != question.expected
        except EngineError:
            return True

    def _fails_as(self, error: EngineError, question: Question) -> bool:
        try:
            self._answer(question)
        except EngineError as failure:
            return failure.verdict is error.verdict
        return False

    def _answer(self, question: Question) -> int:
        return self._engine.expecting(question.expected).perft(question.line, question.depth)
