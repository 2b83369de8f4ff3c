"""The child process of an engine, with a watchdog, CPU time measurement, and termination of descendants.

The CPU time of running processes has a resolution of hundredths of a second. When a process is waited for, the system
reports the exact time, unless another thread is also waiting for a process.
"""

from __future__ import annotations

import errno
import os
import secrets
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TypeVar

from ....platforms import orphans
from ....platforms.orphans import MARK
from ....platforms.processes import (
    ProcessFamily,
    command_to_start,
    kill_family,
    seconds_of_ended_children,
    start_options,
)
from ....platforms.streams import Pipes
from ...shutdown import any_engine, forget_engine, remember_engine
from ..base import CannotStart, EngineCrash

T = TypeVar("T")

_ended: defaultdict[str, float] = defaultdict(float)
"""CPU seconds of exited processes, by engine name."""
_running: defaultdict[str, set[EngineChild]] = defaultdict(set)


class EngineChild(subprocess.Popen[bytes]):
    """A process with three pipes that does not receive Ctrl-C. Raises EngineCrash if it cannot be started."""

    def __init__(
        self,
        name: str,
        command: list[str],
        inherited: tuple[int, ...] = (),
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Start a command.

        On POSIX, the process inherits the given file descriptors. `variables` are added to its environment.
        """
        self._mark = secrets.token_hex(8)
        self._engine: str | None = None
        """The engine to which the CPU time is added when the process is waited for; None afterward."""
        self._seconds = 0.0
        with orphans.starting:
            orphans.note_start(self._mark)
            try:
                super().__init__(
                    command_to_start(command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    env=os.environ | variables | {MARK: self._mark},
                    **start_options(inherited),
                )
            except OSError as error:
                orphans.note_start("")
                if error.errno == errno.ENOEXEC:
                    what = "it is no program for this system: build it here, or put the program that runs it before it"
                    raise CannotStart(f"{name} does not start: {what}") from None
                if isinstance(error, FileNotFoundError) and os.path.exists(command[0]):
                    what = "its interpreter or loader does not exist: build it on this system, or install that"
                    raise CannotStart(f"{name} does not start: {what}") from None
                raise EngineCrash(f"{name} does not start: {error.strerror or error}") from None
            self.family = ProcessFamily(self.pid)
            """The process and its descendants."""
            self._engine = name
            _running[name].add(self)
            remember_engine(self.pid)
            orphans.note_begun(self.pid)
        assert self.stdin is not None, "a pipe"
        assert self.stdout is not None, "a pipe"
        assert self.stderr is not None, "a pipe"
        self.pipes = Pipes(self.stdin, self.stdout, self.stderr)

    def poll(self) -> int | None:
        """Return the exit status (negative for a signal), or None if the process is running."""
        return self._note_end(super().poll)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the process to exit, and return the exit status. Raises TimeoutExpired."""
        wait = super().wait
        return self._note_end(lambda: wait(timeout))

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds` for the process to exit. Return True if it has exited."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout=seconds)
            return True
        return False

    def interrupt(self) -> None:
        """Kill the process and its descendants without waiting. Can be called from any thread."""
        kill_family(self.pid)

    def kill(self) -> None:
        """Kill the process and its descendants, including those in other sessions, and close its pipes."""
        self.seconds_until_now()
        self.interrupt()
        self.wait()
        forget_engine(self.pid)
        orphans.note_ended(self.pid)
        orphans.kill_marked({self._mark})
        orphans.end_adopted(any_engine)
        self.pipes.close()

    def seconds_until_now(self) -> float:
        """Return the CPU seconds of this process and its descendants."""
        if self._engine is not None:  # otherwise the PID may have been reused
            self._seconds = max(self._seconds, self.family.cpu_seconds())
        return self._seconds

    def _note_end(self, wait: Callable[[], T]) -> T:
        """Call `wait`. If the process has exited, record the CPU time reported by the system."""
        if self._engine is None:
            return wait()
        before = seconds_of_ended_children()
        try:
            return wait()
        finally:
            if self.returncode is not None:
                # Descendants are not waited for; they were measured before they were killed.
                _ended[self._engine] += max(self._seconds, seconds_of_ended_children() - before)
                _running[self._engine].discard(self)
                self._engine = None


def used_by(engine: str) -> float | None:
    """Return the CPU seconds of an engine's processes started by this process, or None if there are none."""
    if engine not in _ended and engine not in _running:
        return None
    return _ended[engine] + sum(child.seconds_until_now() for child in _running[engine])


def used_by_all() -> float:
    """Return the CPU seconds of all engine processes."""
    return sum(used_by(engine) or 0.0 for engine in {*_ended, *_running})


def _forget() -> None:
    _ended.clear()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
