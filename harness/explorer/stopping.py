"""The signals that stop this process and let it go on: the terminal is given back once, and taken once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType

from textual.driver import Driver

from ...platforms.processes import RESUME, SUSPEND


def go_on_after_a_stop(driver: Driver) -> None:
    """Take the terminal again if the process continues after a SIGSTOP, which textual does not notice.

    Textual's own handler of SIGCONT expects that SIGTSTP came before: without it, there would be two threads that read
    the keys, and the program would never end. Its handlers also write to a queue that the interrupted code may just
    have locked, and would wait for ever: so the event loop calls them, between two of its steps.
    """
    if not driver.can_suspend or threading.current_thread() is not threading.main_thread():
        return
    if SUSPEND is None or RESUME is None:
        return
    stop, go_on = signal.getsignal(SUSPEND), signal.getsignal(RESUME)
    if not callable(stop) or not callable(go_on):
        return
    handlers = _Handlers(driver, stop, go_on)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(SUSPEND, handlers.stop, SUSPEND)
    loop.add_signal_handler(RESUME, handlers.go_on, RESUME)


class _Handlers:
    def __init__(self, driver: Driver, stop: _Handler, go_on: _Handler) -> None:
        self._driver, self._stop, self._go_on = driver, stop, go_on
        self._is_suspended = False

    def stop(self, number: int) -> None:
        """Give the terminal back, and stop."""
        self._is_suspended = True
        self._stop(number, None)

    def go_on(self, number: int) -> None:
        """Take the terminal, after giving back what a sudden stop has left."""
        if not self._is_suspended:
            self._driver.suspend_application_mode()
        self._is_suspended = False
        self._go_on(number, None)


_Handler = Callable[[int, FrameType | None], object]
