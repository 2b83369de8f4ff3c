"""How the program is stopped: Ctrl-C as a request that is noticed at a safe point, and the immediate exit."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from types import FrameType
from typing import NoReturn
from weakref import WeakSet

from ...errors import UserError
from ...platforms.processes import HANGUP, STOP_SIGNALS, kill_family
from ...platforms.streams import is_closed
from .results.verdict import ExitCode

POLL_SECONDS = 0.1
"""How often code that waits for work checks for a request to stop."""

_engines: set[int] = set()
"""The processes of running engines. Ctrl-C does not reach them."""


class Interrupted(KeyboardInterrupt):
    """Raised when work was stopped before its end.

    It is an interrupt, so that no caller takes it for a failure; Hypothesis would keep the example.
    """


class InternalError(Exception):
    """An internal error. Its message is the traceback if it comes from another process; otherwise it has a cause."""


_interrupts: WeakSet[Interrupt] = WeakSet()
"""The interrupts whose block has not ended."""


class Interrupt:
    """A request to end the work early, by the user or because of an internal error."""

    def __init__(self) -> None:
        self.requested = False
        self.requested_at = inf
        """The time of the first request, by the monotonic clock."""
        self.fault: BaseException | None = None
        """The first internal error."""
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]

    def request(self, number: int, _frame: FrameType | None) -> None:
        """Note the request of a signal; exit immediately at the second one, because the user does not want to wait."""
        if number == HANGUP:
            self._let_go_of_the_terminal()
        if self.requested:
            exit_at_once(ExitCode.INTERRUPTED)
        self.requested, self.requested_at = True, time.monotonic()

    def fail(self, fault: BaseException) -> None:
        """End the work early, as Ctrl-C does, with a report of the results so far."""
        self.fault = self.fault or fault
        self.requested = True

    @contextmanager
    def failing(self, *told: type[BaseException]) -> Iterator[None]:
        """Let an internal error in this block end the work early; errors that are reported in one line pass through.

        So do exceptions of the types `told`.
        """
        through: tuple[type[BaseException], ...] = (UserError, *told)
        try:
            yield
        except through:
            raise
        except Exception as fault:
            self.fail(fault)

    def _let_go_of_the_terminal(self) -> None:
        """Discard further output if the terminal is closed, so that errors do not keep reports from their files.

        A terminal that stays open, because only the signal has come, stays as it is.
        """
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in filter(is_closed, self._terminals):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)


def exit_on_interrupt() -> None:
    """End the program immediately at Ctrl-C until a command catches it: an interrupted import may leave bad modules."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as for a job in the background
        signal.signal(signal.SIGINT, lambda _number, _frame: end(ExitCode.INTERRUPTED))


@contextmanager
def catch_interrupts() -> Iterator[Interrupt]:
    """Turn signals into a request for the duration of the block; a second one exits immediately.

    The block also makes the report. Raises InternalError at its end if an internal error has ended the work.
    """
    interrupt = Interrupt()
    _interrupts.add(interrupt)
    before = {
        number: signal.signal(number, interrupt.request)
        for number in STOP_SIGNALS
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _interrupts.discard(interrupt)
    if interrupt.fault is not None:
        raise InternalError from interrupt.fault


def is_overdue(seconds: float) -> bool:
    """Return True if a signal has asked for the end of the program more than `seconds` ago."""
    return any(time.monotonic() - one.requested_at > seconds for one in _interrupts)


def remember_engine(pid: int) -> None:
    """Remember the process of an engine that has been started."""
    _engines.add(pid)


def forget_engine(pid: int) -> None:
    """Forget the process of an engine that has ended."""
    _engines.discard(pid)


def any_engine() -> bool:
    """Return True if an engine is running."""
    return bool(_engines)


def end(status: int) -> None:
    """Flush the output, kill the engines and end this process, whatever other threads do."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError):  # the terminal is closed, or a write is in progress
            stream.flush()
    exit_at_once(status)


def exit_at_once(status: int) -> NoReturn:
    """Kill the engines and end this process without any cleanup."""
    for pid in list(_engines):
        kill_family(pid)
    os._exit(status)
