"""The child process of an engine from its start to its end: a watchdog knows of it, and nothing that it has started
outlives it.
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from ....platforms import orphans
from ....platforms.orphans import MARK
from ....platforms.processes import command_to_start, kill_family, start_options
from ....platforms.streams import Pipes
from ...model.shutdown import any_engine, forget_engine, remember_engine
from .. import cpu_time
from ..base import EngineCrash


class EngineChild:
    """A process that no Ctrl-C reaches, with three pipes. Raises EngineCrash where it cannot be started."""

    def __init__(
        self,
        name: str,
        command: list[str],
        inherited: tuple[int, ...] = (),
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Start a command; `inherited` are descriptors of ours that it gets, too, on POSIX, `variables` those that its
        environment has beside ours.
        """
        self._mark = secrets.token_hex(8)
        with orphans.starting:
            orphans.note_start(self._mark)
            try:
                self._child = cpu_time.Child(
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
                raise EngineCrash(f"{name} does not start: {error.strerror or error}") from None
            self._child.count_for(name)
            remember_engine(self._child.pid)
            orphans.note_begun(self._child.pid)
        self.family = self._child.family
        """The process and those below it."""
        stdin, stdout, stderr = self._child.stdin, self._child.stdout, self._child.stderr
        assert stdin is not None, "a pipe"
        assert stdout is not None, "a pipe"
        assert stderr is not None, "a pipe"
        self.pipes = Pipes(stdin, stdout, stderr)

    def poll(self) -> int | None:
        """Return the exit status of a process that has ended, negative for a signal; None while it runs."""
        return self._child.poll()

    def has_ended(self, seconds: float) -> bool:
        """Wait for the end for so many seconds; tell whether it has come."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=seconds)
            return True
        return False

    def interrupt(self) -> None:
        """Kill the process and what it has started from any thread, and do not wait for its end."""
        kill_family(self._child.pid)

    def kill(self) -> None:
        """Kill the process and everything that it has started, in its session or in another, and close its pipes."""
        self._child.look()
        self.interrupt()
        self._child.wait()
        forget_engine(self._child.pid)
        orphans.note_ended(self._child.pid)
        orphans.kill_marked({self._mark})
        orphans.end_adopted(any_engine)
        self.pipes.close()
