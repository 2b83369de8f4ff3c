"""Call engines so that a call can be stopped, in the asking thread or in another one."""

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
"""Shows progress: takes a description of the question, and returns what is given the call several times a second."""


class CallRunner:
    """Makes one call at a time in the calling thread. Another thread may stop it."""

    def __init__(self) -> None:
        self.latest = EngineCall()
        """The current call, or the last one."""
        self.asked = ""
        """The name of the engine that is or was last called."""
        self.stopped = False

    def stop(self) -> None:
        """Make the current call and later ones raise Interrupted, until `resume`."""
        self.stopped = True
        self.latest.stop()

    def resume(self) -> None:
        """Allow calls again after `stop`."""
        self.stopped = False

    def check(self) -> None:
        """Raise Interrupted after `stop`."""
        if self.stopped:
            raise Interrupted

    def call(self, work: Callable[[EngineCall], T], seconds: float | None = None, what: str = "") -> T:
        """Return the result of `work`, whose time limit is `seconds`. `what` describes the question to the user.

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
    """Makes calls in another thread, while the calling thread shows progress and reacts to Ctrl-C.

    The other thread is a daemon, so that a call that cannot be stopped, such as the compiler's, does not keep the
    program from ending.
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
        """Stop the call if this thread no longer waits for it because an exception was raised."""
        try:
            yield
        except BaseException:
            self.stop()
            wait([outcome], POLL_SECONDS)  # so that complete root moves of a divide can be shown
            raise
