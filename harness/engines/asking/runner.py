"""Call engines in the calling thread or in a separate one, and allow calls to be stopped."""

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
"""A function that displays progress: it takes a description of the question, and returns a function to be called
several times per second."""


class CallRunner:
    """Makes one call at a time, in the calling thread. Another thread may stop the call."""

    def __init__(self) -> None:
        self.latest = EngineCall()
        """The current or most recent call."""
        self.asked = ""
        """The name of the engine called last."""
        self.stopped = False

    def stop(self) -> None:
        """Make current and future calls raise Interrupted until `resume` is called."""
        self.stopped = True
        self.latest.stop()

    def resume(self) -> None:
        """Allow calls again after `stop`."""
        self.stopped = False

    def check(self) -> None:
        """Raise Interrupted if `stop` was called."""
        if self.stopped:
            raise Interrupted

    def call(self, work: Callable[[EngineCall], T], seconds: float | None = None, what: str = "") -> T:
        """Return the result of `work` with a time limit. `what` describes the question to the user.

        Raises Interrupted; exceptions of `work` propagate.
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
    """Makes calls in another thread, while the calling thread shows progress and handles Ctrl-C.

    The other thread is a daemon, so that a call that cannot be stopped, such as a compilation, does not prevent the
    program from exiting.
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
        """Stop the call if this thread stops waiting for it because of an exception."""
        try:
            yield
        except BaseException:
            self.stop()
            wait([outcome], POLL_SECONDS)  # wake up to show completed root moves of a divide
            raise
