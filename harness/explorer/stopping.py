"""Suspend and resume the process, restoring and taking over the terminal exactly once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType

from textual.driver import Driver

from ...platforms.processes import RESUME, SUSPEND


def resume_after_stop(driver: Driver) -> None:
    """Take over the terminal again when the process resumes after SIGSTOP, which Textual does not support.

    Textual's SIGCONT handler assumes a preceding SIGTSTP. Without one, two threads would read keys, and the program
    would never end. Its handlers also write to a queue that the interrupted code may have locked, which would cause a
    deadlock. The event loop therefore calls the handlers between its steps.
    """
    if not driver.can_suspend or threading.current_thread() is not threading.main_thread():
        return
    if SUSPEND is None or RESUME is None:
        return
    stop, resume = signal.getsignal(SUSPEND), signal.getsignal(RESUME)
    if not callable(stop) or not callable(resume):
        return
    handlers = _Handlers(driver, stop, resume)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(SUSPEND, handlers.stop, SUSPEND)
    loop.add_signal_handler(RESUME, handlers.resume, RESUME)


class _Handlers:
    def __init__(self, driver: Driver, stop: _Handler, resume: _Handler) -> None:
        self._driver, self._stop, self._resume = driver, stop, resume
        self._is_suspended = False

    def stop(self, number: int) -> None:
        """Restore the terminal and stop."""
        self._is_suspended = True
        self._stop(number, None)

    def resume(self, number: int) -> None:
        """Take over the terminal. If the process was stopped by SIGSTOP, restore the terminal first."""
        if not self._is_suspended:
            self._driver.suspend_application_mode()
        self._is_suspended = False
        self._resume(number, None)


_Handler = Callable[[int, FrameType | None], object]
