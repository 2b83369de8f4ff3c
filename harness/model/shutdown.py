"""How the program is stopped: Ctrl-C as a request that is noticed at a safe moment, and the exit that cannot wait."""

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
"""How often code that waits for work to end looks for a request to stop."""

_engines: set[int] = set()
"""The processes of engines that are running. No Ctrl-C reaches them."""


class Interrupted(KeyboardInterrupt):
    """Work was stopped before its end. As an interrupt, nothing on the way takes it for a failure: neither we, nor
    Hypothesis, which would keep the example.
    """


class InternalError(Exception):
    """An internal error, whose traceback is its message where it has come from another process, and else its cause."""


_interrupts: WeakSet[Interrupt] = WeakSet()
"""Those whose block is not left."""


class Interrupt:
    """Whether the work has to end early: the user has asked to stop, or an internal error keeps it from going on."""

    def __init__(self) -> None:
        self.requested = False
        self.requested_at = inf
        """When it was first asked for, by the monotonic clock."""
        self.fault: BaseException | None = None
        """The first internal error."""
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]

    def request(self, number: int, _frame: FrameType | None) -> None:
        """Note the request of a signal; exit at once at the second one: the user does not want to wait."""
        if number == HANGUP:
            self._let_go_of_the_terminal()
        if self.requested:
            exit_at_once(ExitCode.INTERRUPTED)
        self.requested, self.requested_at = True, time.monotonic()

    def fail(self, fault: BaseException) -> None:
        """End the work early, as Ctrl-C does, with a report of what is done."""
        self.fault = self.fault or fault
        self.requested = True

    @contextmanager
    def failing(self, *told: type[BaseException]) -> Iterator[None]:
        """Let an internal error in this block end the work early; a failure that is reported in one line goes through.

        So do other exceptions of the types `told`.
        """
        through: tuple[type[BaseException], ...] = (UserError, *told)
        try:
            yield
        except through:
            raise
        except Exception as fault:
            self.fail(fault)

    def _let_go_of_the_terminal(self) -> None:
        """Write nowhere from here on, if the terminal is closed: errors must not keep reports from their files.

        One that stays open, where only the signal has come, is to be left as it was found.
        """
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in filter(is_closed, self._terminals):
            os.dup2(nowhere, descriptor)
        os.close(nowhere)


def exit_on_interrupt() -> None:
    """End the program at once at Ctrl-C, until a command catches it: modules that are being loaded take it badly."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as for a job in the background
        signal.signal(signal.SIGINT, lambda _number, _frame: end(ExitCode.INTERRUPTED))


@contextmanager
def catch_interrupts() -> Iterator[Interrupt]:
    """Turn the signals into a request for the duration of the block; a second one exits at once.

    The block makes its report, too. Raises InternalError at its end, where an internal error has ended the work.
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
    """Return True if a signal has asked for the end of the program so long ago."""
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
    """Print what is still to be printed, kill the engines and end this process, whatever other threads do."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, RuntimeError):  # a terminal that was closed, or we are in the middle of writing
            stream.flush()
    exit_at_once(status)


def exit_at_once(status: int) -> NoReturn:
    """Kill the engines and end this process, without any clearing up."""
    for pid in list(_engines):
        kill_family(pid)
    os._exit(status)
