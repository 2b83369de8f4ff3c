"""Asking engines one question at a time, each with a time limit, until somebody asks to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..engines.base import EngineError
from ..engines.task import Task

T = TypeVar("T")


class Stop(KeyboardInterrupt):
    """The run is to end. As an interrupt nothing on the way, Hypothesis least, takes it for a fault."""


class Questions:
    """Who asks. `stop` may be called from another thread, and ends the question under way."""

    def __init__(self, timeout: float) -> None:
        self.stopped = False
        self._timeout = timeout
        self._task = Task()

    def stop(self) -> None:
        """Raise Stop at the question under way, or at the next one."""
        self.stopped = True
        self._task.stop()

    def resume(self) -> None:
        """Ask again, after a stop."""
        self.stopped = False

    def ask(self, call: Callable[[Task], T]) -> T:
        """Return the answer. Raises EngineError, Stop."""
        self._task = task = Task(self._timeout)
        self.keep_on()
        try:
            answer = call(task)
        except EngineError:
            self.keep_on()
            raise
        self.keep_on()
        return answer

    def keep_on(self) -> None:
        """Raise Stop if the run is to end."""
        if self.stopped:
            raise Stop
