"""The CPU time of the processes of engines, by the name of the engine.

Of a process that runs, together with those below it, it is known in hundredths of a second. One that has ended was
waited for, and the system then tells exactly how long it has worked, if no other thread waits then.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Callable
from typing import TypeVar

from ...platforms.processes import ProcessFamily, seconds_of_ended_children

T = TypeVar("T")

_ended: defaultdict[str, float] = defaultdict(float)
_running: defaultdict[str, set[Child]] = defaultdict(set)


class Child(subprocess.Popen[bytes]):
    """A process of an engine, which counts for the engine from `count_for` on."""

    family: ProcessFamily
    """The process and those below it, from `count_for` on."""
    _engine: str | None = None
    _seconds = 0.0

    def count_for(self, engine: str) -> None:
        """Let the CPU time of this process be a part of what the engine has used."""
        self._engine, self.family = engine, ProcessFamily(self.pid)
        _running[engine].add(self)

    def look(self) -> float:
        """Return the seconds of CPU of this process and those below it."""
        if self._engine is not None:  # else it was waited for, and its number may be that of another one
            self._seconds = max(self._seconds, self.family.cpu_seconds())
        return self._seconds

    def poll(self) -> int | None:
        """Return the exit status, None while the process runs."""
        return self._wait_by(super().poll)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status once the process has ended. Raises TimeoutExpired."""
        wait = super().wait
        return self._wait_by(lambda: wait(timeout))

    def _wait_by(self, wait: Callable[[], T]) -> T:
        """Wait; if the process has ended now, note what the system tells of it."""
        if self._engine is None:
            return wait()
        before = seconds_of_ended_children()
        try:
            return wait()
        finally:
            if self.returncode is not None:
                # What it has left behind is not waited for with it, but was looked at before it was killed.
                _ended[self._engine] += max(self._seconds, seconds_of_ended_children() - before)
                _running[self._engine].discard(self)
                self._engine = None


def used_by(engine: str) -> float | None:
    """Return the seconds of CPU that the processes of an engine have used; None where it has none.

    Only processes that this process has started count.
    """
    is_process = engine in _ended or engine in _running
    return _ended[engine] + sum(child.look() for child in _running[engine]) if is_process else None


def used_by_all() -> float:
    """Return the seconds of CPU that the processes of all engines have used, as far as this is known."""
    return sum(used_by(engine) or 0.0 for engine in {*_ended, *_running})


def _forget() -> None:
    """Forget the processes of the parent of this process."""
    _ended.clear()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
