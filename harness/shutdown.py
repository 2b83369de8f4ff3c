"""Stop the program: handle Ctrl-C at a safe point, or exit immediately."""

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

from ..errors import UserError
from ..platforms.processes import HANGUP, STOP_SIGNALS, kill_family
from ..platforms.streams import is_closed
from .model.results.verdict import ExitCode

POLL_SECONDS = 0.1
"""Interval in seconds at which waiting code checks for a request to stop."""
ONE_REQUEST_SECONDS = 0.5
"""Time in seconds after a signal in which further signals belong to the same request. GNU `timeout` sends two."""

_engines: set[int] = set()
"""Process IDs of running engines, which Ctrl-C does not reach."""


class Interrupted(KeyboardInterrupt):
    """Raised when work is stopped before it is complete.

    It derives from KeyboardInterrupt so that it is not treated as a failure, for which Hypothesis would save the
    example.
    """


class InternalError(Exception):
    """An internal error. It has a cause, or a traceback as its message if it comes from another process."""


_interrupts: WeakSet[Interrupt] = WeakSet()
"""The interrupts of all active `catch_interrupts` blocks."""


class Interrupt:
    """A request to end the work early, made by the user or caused by an internal error."""

    def __init__(self) -> None:
        self.requested = False
        self.requested_at = inf
        """Time of the first request on the monotonic clock."""
        self.fault: BaseException | None = None
        """The first internal error."""
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]

    def request(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal: request the end, or exit immediately if the end was requested before."""
        if number == HANGUP:
            self._let_go_of_the_terminal()
        now = time.monotonic()
        if 0 <= now - self.requested_at < ONE_REQUEST_SECONDS:
            return
        if self.requested:
            exit_at_once(ExitCode.INTERRUPTED)
        self.requested, self.requested_at = True, now

    def fail(self, fault: BaseException) -> None:
        """Record an internal error and, like Ctrl-C, end the work early with a report of the results so far."""
        self.fault = self.fault or fault
        self.requested = True

    @contextmanager
    def failing(self, *passing: type[BaseException]) -> Iterator[None]:
        """Return a context manager in which an internal error ends the work early.

        User errors and exceptions of the types in `passing` are raised as usual.
        """
        through: tuple[type[BaseException], ...] = (UserError, *passing)
        try:
            yield
        except through:
            raise
        except Exception as fault:
            self.fail(fault)

    def _let_go_of_the_terminal(self) -> None:
        """Discard output from now on if the terminal is closed, so that write errors do not prevent reports in files.

        If the terminal is still open and merely the signal was sent, output continues.
        """
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in filter(is_closed, self._terminals):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)


def exit_on_interrupt() -> None:
    """Exit immediately on Ctrl-C until a command handles it, because an interrupted import breaks modules."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # ignored in background jobs
        signal.signal(signal.SIGINT, lambda _number, _frame: end(ExitCode.INTERRUPTED))


@contextmanager
def catch_interrupts() -> Iterator[Interrupt]:
    """Turn a signal into a request during the block, which includes the report. A later signal exits immediately.

    Raises InternalError at the end of the block if an internal error ended the work.
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
    """Return True if a signal requested the end of the program more than `seconds` ago."""
    return any(time.monotonic() - one.requested_at > seconds for one in _interrupts)


def remember_engine(pid: int) -> None:
    """Register the process of an engine that has been started."""
    _engines.add(pid)


def forget_engine(pid: int) -> None:
    """Unregister the process of an engine that has ended."""
    _engines.discard(pid)


def any_engine() -> bool:
    """Return True if an engine is running."""
    return bool(_engines)


def end(status: int) -> None:
    """Flush the output, kill all engines and exit, regardless of other threads."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError):  # the terminal is closed, or another write is in progress
            stream.flush()
    exit_at_once(status)


def exit_at_once(status: int) -> NoReturn:
    """Kill all engines and exit without any cleanup."""
    for pid in list(_engines):
        kill_family(pid)
    os._exit(status)
