"""Ctrl-C as a request that is noticed at a safe moment, instead of an exception at any moment."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .verdict import ExitCode


class Interrupt:
    """Whether the user has asked to stop."""

    def __init__(self) -> None:
        self.requested = False

    def _request(self, _signal: int, _frame: FrameType | None) -> None:
        if self.requested:  # asked twice: the user does not want to wait for the report
            os._exit(ExitCode.INTERRUPTED)
        self.requested = True


@contextmanager
def catch_interrupts() -> Iterator[Interrupt]:
    """Turn SIGINT and SIGTERM into a request for the duration of the block; a second one exits at once."""
    interrupt = Interrupt()
    before = {
        number: signal.signal(number, interrupt._request)
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN  # as for a job in the background
    }
    try:
        yield interrupt
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
