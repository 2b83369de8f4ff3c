"""Carries out the calls of engines, one at a time, in the thread that asks or in another one; a call can be stopped."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, TypeVar

from ...shutdown import POLL_SECONDS, Interrupt, Interrupted
from ..base import EngineError
from ..call import EngineCall

T = TypeVar("T")
Display = Callable[[str], AbstractContextManager[Callable[[EngineCall], None]]]
"""Shows that an engine is busy: opened with what is asked, then given the call several times a second."""


class CallRunner:
    """Carries out one call at a time, in the thread that asks; another thread may stop it."""

    def __init__(self) -> None:
        self.latest = EngineCall()
        """The call that is, or was last, under way."""
        self.asked = ""
        """The engine that is being asked, or was last."""
        self.stopped = False

    def stop(self) -> None:
        """Raise Interrupted at the call under way, or else at the next one, until `resume`."""
        self.stopped = True
        self.latest.stop()

    def resume(self) -> None:
        """Allow calls again, after a stop."""
        self.stopped = False

    def check(self) -> None:
        """Raise Interrupted after a stop."""
        if self.stopped:
            raise Interrupted

    def call(self, work: Callable[[EngineCall], T], seconds: float | None = None, what: str = "") -> T:
        """Return the result of `work`, which has to end within `seconds`, if given; `what` says it to the user.

        Raises Interrupted, and what `work` raises.
        """
        self.latest = call = EngineCall(seconds)
        self.check()
        try:
            result = self._carry_out(work, call, what)
        except EngineError:
            self.check()
            raise
        self.check()
        return result

    def _carry_out(self, work: Callable[[EngineCall], T], call: EngineCall, what: str) -> T:
        return work(call)


class ForegroundCallRunner(CallRunner):
    """Carries out calls in another thread, while the asking thread shows progress and waits for Ctrl-C.

    The thread is a daemon: a call that does not react to being stopped, such as the compiler's, must
    not keep the program from ending.
    """

    def __init__(self, interrupt: Interrupt, display: Display = lambda _what: nullcontext(lambda _call: None)) -> None:
        super().__init__()
        self._interrupt, self._display = interrupt, display
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True, name="engine calls").start()

    def _work(self) -> None:
        while True:
            outcome, work = self._jobs.get()
            try:
                outcome.set_result(work())
            except BaseException as error:
                outcome.set_exception(error)

    def _carry_out(self, work: Callable[[EngineCall], T], call: EngineCall, what: str) -> T:
        outcome: Future[T] = Future()
        self._jobs.put((outcome, partial(work, call)))
        with self._display(what) as show, self._stopping(outcome):
            while not wait([outcome], POLL_SECONDS).done:
                if self._interrupt.requested:
                    raise Interrupted
                call.enforce_deadline()
                show(call)
        if self._interrupt.requested:
            self.stop()
            raise Interrupted
        return outcome.result()

    @contextmanager
    def _stopping(self, outcome: Future[T]) -> Iterator[None]:
        """Stop the call where this thread waits no longer: it was interrupted, or a signal's handler has raised."""
        try:
            yield
        except BaseException:
            self.stop()
            wait([outcome], POLL_SECONDS)  # the root moves of a divide that are complete are shown
            raise
