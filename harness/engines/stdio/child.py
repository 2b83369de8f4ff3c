"""The child process of an engine from its start to its end: a watchdog knows of it, and nothing that it has started
outlives it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
from typing import IO

from ...model.shutdown import forget_session, remember_session
from .. import cpu_time
from ..base import EngineCrash
from . import orphans, watchdog
from .watchdog import MARK


class EngineChild:
    """A process in a session of its own, with three pipes. Raises EngineCrash where it cannot be started."""

    def __init__(self, name: str, command: list[str], inherited: tuple[int, ...] = ()) -> None:
        """Start a command; `inherited` are descriptors of ours that it gets, too."""
        self._mark = secrets.token_hex(8)
        with orphans.starting:
            watchdog.starting(f"{MARK}={self._mark}")
            try:
                self._child = cpu_time.Child(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    env=os.environ | {MARK: self._mark},
                    pass_fds=inherited,
                )
            except OSError as error:
                watchdog.starting("")
                raise EngineCrash(f"{name} does not start: {error.strerror or error}") from None
            self._child.count_for(name)
            remember_session(self._child.pid)
            watchdog.note_begun(self._child.pid)
        self.family = self._child.family
        """The process and those below it."""
        self.stdin, self.stdout, self.stderr = map(
            _assert_pipe, (self._child.stdin, self._child.stdout, self._child.stderr)
        )

    def limit_memory(self, size: int) -> None:
        """Limit the address space to so many bytes, where the system can (Linux)."""
        import resource

        if hasattr(resource, "prlimit"):
            with contextlib.suppress(OSError):
                resource.prlimit(self._child.pid, resource.RLIMIT_AS, (size, size))

    def poll(self) -> int | None:
        """Return the exit status of a process that has ended, negative for a signal; None while it runs."""
        return self._child.poll()

    def has_ended(self, seconds: float) -> bool:
        """Wait for the end for so many seconds; tell whether it has come."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=seconds)
            return True
        return False

    def interrupt(self) -> None:
        """Kill the session from any thread, and do not wait for its end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the process and everything that it has started, in its session or in another, and close its pipes."""
        self._child.look()
        self.interrupt()
        self._child.wait()
        forget_session(self._child.pid)
        watchdog.note_ended(self._child.pid)
        for pid in self._left_behind():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        orphans.end_adopted(watchdog.pids())
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                stream.close()

    def _left_behind(self) -> list[int]:
        """Return the processes that inherited our mark, where the system lets us look."""
        import psutil  # here: it takes longer to load than most commands need

        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == self._mark:
                    found.append(process.pid)
        return found


def _assert_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "a pipe"
    return pipe
