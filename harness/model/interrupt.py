"""Ctrl-C as a request that is noticed at a safe moment, instead of an exception at any moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .outliving import exit_at_once
from .verdict import ExitCode

POLL_SECONDS = 0.1
"""How often those who wait for work to end look for a request to stop."""

HANGUP = getattr(signal, "SIGHUP", None)
"""The signal that comes when the terminal is closed; Windows has none."""
HEEDED = [signal.SIGINT, signal.SIGTERM, *([HANGUP] if HANGUP is not None else [])]
"""Signals that ask the program to end."""


class Interrupted(KeyboardInterrupt):
    """Work was stopped before its end. As an interrupt, nothing on the way takes it for a failure: neither we, nor
    Hypothesis, which would keep the example.
    """


class Interrupt:
    """Whether the user has asked to stop."""

    def __init__(self) -> None:
        self.requested = False
        self._terminals = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]

    def _request(self, number: int, _frame: FrameType | None) -> None:
        if number == HANGUP:
            self._let_go_of_the_terminal()
        if self.requested:  # asked twice: the user does not want to wait for the report
            exit_at_once(ExitCode.INTERRUPTED)
        self.requested = True

    def _let_go_of_the_terminal(self) -> None:
        """From here on whatever is written to it is an error, which must not keep reports from their files."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in self._terminals:
            os.dup2(nowhere, descriptor)
        os.close(nowhere)


@contextmanager
def catch_interrupts() -> Iterator[Interrupt]:
    """Turn the signals into a request for the duration of the block; a second one exits at once."""
    interrupt = Interrupt()
    before = {
        number: signal.signal(number, interrupt._request)
        for number in HEEDED
        if signal.getsignal(number) is not signal.SIG_IGN  # as for a job in the background
    }
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
