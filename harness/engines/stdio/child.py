"""The child process of an engine, with a watchdog and termination of descendants."""

from __future__ import annotations

import errno
import os
import secrets
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

from ....platforms import orphans
from ....platforms.orphans import MARK
from ....platforms.processes import (
    ProcessFamily,
    command_to_start,
    kill_family,
    start_options,
)
from ....platforms.streams import Pipes
from ...shutdown import any_engine, forget_engine, remember_engine
from ..base import CannotStart, EngineCrash


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
            remember_engine(self.pid)
            orphans.note_begun(self.pid)
        assert self.stdin is not None, "a pipe"
        assert self.stdout is not None, "a pipe"
        assert self.stderr is not None, "a pipe"
        self.pipes = Pipes(self.stdin, self.stdout, self.stderr)

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
        self.interrupt()
        self.wait()
        forget_engine(self.pid)
        orphans.note_ended(self.pid)
        orphans.kill_marked({self._mark})
        orphans.end_adopted(any_engine)
        self.pipes.close()
