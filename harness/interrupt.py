"""Ctrl-C as a request that is noticed at a safe moment, instead of an exception at any moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .outliving import exit_at_once
from .verdict import ExitCode

HEEDED = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
"""Signals that ask the program to end; the last one comes when its terminal is closed."""


class Interrupt:
    """Whether the user has asked to stop."""

    def __init__(self) -> None:
        self.requested = False

    def _request(self, _signal: int, _frame: FrameType | None) -> None:
        if self.requested:  # asked twice: the user does not want to wait for the report
            exit_at_once(ExitCode.INTERRUPTED)
        self.requested = True


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
