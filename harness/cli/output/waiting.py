"""Waiting for work that Ctrl-C is to end soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from math import inf
from threading import Thread
from typing import TypeVar

from ...model.shutdown import POLL_SECONDS, Interrupt, Interrupted

T = TypeVar("T")


def waiting(
    work: Callable[[], T], interrupt: Interrupt, stop: Callable[[], None] | None = None, seconds: float = inf
) -> T:
    """Return the result of work that another thread does. Raises what it raises, TimeoutError after so many seconds.

    When the user wants it to end, `stop` is called; work that cannot be stopped is left alone, and Interrupted raised.
    """
    end = time.monotonic() + seconds
    outcome: Future[T] = Future()

    def carry_out() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=carry_out, daemon=True, name="work").start()
    while not wait([outcome], POLL_SECONDS).done:
        if interrupt.requested:
            if stop is None:
                raise Interrupted
            stop()
        if time.monotonic() > end:
            raise TimeoutError
    return outcome.result()
