"""A silent engine is asked whether it is busy: one that has not understood a question would never answer it."""

from __future__ import annotations

from contextlib import suppress

from ..base import EngineCrash, EngineTimeout
from ..task import Task
from .process import Process

SILENT_SECONDS = 0.5
"""Silence after which it is asked. Most have answered by then: some take any word for `stop`."""
IDLE_SECONDS = 2.0
"""Further silence of an engine that says `readyok`: it may still count, in another thread."""


class Idle(EngineTimeout):
    """An engine is ready for the next question, and has not answered this one."""


class IdleDetector:
    """Reads the answer to one question. Raises Idle where the engine does not work on it."""

    def __init__(self, name: str, process: Process) -> None:
        self._name, self._process = name, process
        self._has_asked = False
        self._said: str | None = None
        """What it had said before it was found to be ready; None as long as it may be busy."""

    def read(self, task: Task) -> str | None:
        """Return the next line, or None once the task is stopped. Raises EngineError, as the process does."""
        if self._said is not None:
            if self._process.is_silent(IDLE_SECONDS, task):
                raise Idle(f"{self._name} does not answer, and is ready for more{self._said}")
        elif not self._has_asked and self._process.is_silent(SILENT_SECONDS, task):
            self._has_asked = True
            self._process.send(["isready"], task)
        said = self._process.quote_last_output()
        line = self._process.read(task)
        if self._has_asked and line is not None and line.strip() == "readyok":
            self._said = f"; {said}" if said else ""
        return line

    def settle(self, task: Task) -> None:
        """Hear `readyok` after the answer, so that it is not taken for one to a later `isready`.

        An engine that hears nothing while it counts does not say it. The answer stands if it ends now.
        """
        with suppress(EngineCrash, EngineTimeout):
            while self._has_asked and self._said is None and not self._process.is_silent(IDLE_SECONDS, task):
                if self.read(task) is None:
                    return
