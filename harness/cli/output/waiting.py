"""Waiting for work that Ctrl-C is to end soon."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread

from ...model.shutdown import POLL_SECONDS, Interrupt


def waiting(work: Callable[[], None], interrupt: Interrupt, stop: Callable[[], None]) -> None:
    """Do something in another thread; `stop` is called, once, when the user wants it to end. Raises what it raises."""
    outcome: Future[None] = Future()

    def carry_out() -> None:
        try:
            outcome.set_result(work())  # type: ignore[func-returns-value]
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=carry_out, daemon=True, name="work").start()
    is_stopped = False
    while not wait([outcome], POLL_SECONDS).done:
        if interrupt.requested and not is_stopped:
            is_stopped = True
            stop()
    outcome.result()
