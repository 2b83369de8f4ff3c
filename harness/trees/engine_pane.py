"""One engine of the tree, asked in its own thread, and the descent from a node to the wrong move, which asks both.

The last question is asked first, because the user is looking at that node.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...generator.game import Game
from ..checking.descent.descending import descend
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError, EngineTimeout
from ..model.results.finding import Finding
from ..model.shutdown import Interrupted
from .jobs import TreeJob, failure_of
from .node import Node, NodeFailure

NICENESS = 5
"""The niceness of engines, from 0 to 19. With 19 they get no time on a busy machine."""
MOST_SECONDS_TO_END = 2.0
"""How long `close` waits for a call that is under way."""


class EnginePane:
    """An engine and its questions. Events are posted from the engine's thread."""

    def __init__(self, session: EngineSession, post: Callable[[object], None]) -> None:
        """Take an engine that is not started yet. `post` is called with events, and with internal errors."""
        self.session, self.caller = session, session.runner
        self.lock = threading.Lock()
        """A thread holds it while it asks the engine."""
        self.under_way: TreeJob | None = None
        self._post = post
        self._jobs: list[TreeJob] = []
        self._changed = threading.Condition()
        self.stops = 0
        """How often the questions were given up so far."""
        self._is_open = True
        self._is_started = False
        self._thread = threading.Thread(target=self._work, daemon=True, name=f"asks {session.name}")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many questions have not been put yet."""
        return len(self._jobs)

    @property
    def is_busy(self) -> bool:
        """Whether a question is under way or waits."""
        return bool(self._jobs) or self.under_way is not None

    def ask(self, job: TreeJob) -> None:
        """Put a question when those asked later are answered."""
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()

    def stop(self) -> None:
        """Give up all questions; each ends as stopped."""
        with self._changed:
            dropped = self._drop()
            self.stops += 1
            self.caller.stop()
        for job in dropped:
            self._post(job.report_failure(None))

    def resume(self, stops: int) -> None:
        """Allow calls for what was asked after so many stops. Raises Interrupted if another one has come since."""
        with self._changed:
            if self.stops != stops:
                raise Interrupted
            self.caller.resume()

    def watch_the_clock(self) -> None:
        """Stop a kernel of perft-check that is overdue: other engines enforce their deadlines themselves."""
        self.caller.latest.enforce_deadline()

    def start(self) -> None:
        """Get the engine ready if it is not; the caller holds the lock. Raises EngineError, Interrupted."""
        if not self._is_started:
            self.session.start()
            self._is_started = True

    def close(self) -> None:
        """End the thread and the engine."""
        with self._changed:
            self._is_open = False
            self._drop()
            self.stops += 1
            self.caller.stop()
            self._changed.notify()
        self._thread.join(MOST_SECONDS_TO_END)
        self.session.close()

    def _drop(self) -> list[TreeJob]:
        with self._changed:
            dropped, self._jobs = self._jobs, []
            return dropped

    def _work(self) -> None:
        give_way()
        while (next_one := self._next()) is not None:
            job, stops = next_one
            with self.lock:
                event = self._carry_out(job, stops)
            if self._is_open:
                self._post(event)
            self.under_way = None

    def _next(self) -> tuple[TreeJob, int] | None:
        """Wait for a question, and return it with how many stops there were before it."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or not self._is_open)
            if not self._is_open:
                return None
            self.under_way = self._jobs[-1]
            return self._jobs.pop(), self.stops

    def _carry_out(self, job: TreeJob, stops: int) -> object:
        try:
            with suppress(Interrupted):
                self.resume(stops)
                self.start()
                return job.carry_out(self.session)
            return job.report_failure(None)
        except EngineError as error:
            if isinstance(error, EngineTimeout):  # what else was asked would have to wait as long
                for other in self._drop():
                    self._post(other.report_failure(None))
            return job.report_failure(failure_of(error))
        except Exception as fault:
            return fault


def give_way() -> None:
    """Lower the priority of this thread, and of the engines that it starts: keys come first."""
    with suppress(OSError, AttributeError):  # Linux gives each thread a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@dataclass(frozen=True)
class Followed:
    """A difference has been followed down from a node."""

    node: Node
    found: Finding | NodeFailure | None
    """The cause; None if the engines agree below the node."""
    is_stopped: bool = False


def follow(node: Node, panes: Sequence[EnginePane], post: Callable[[object], None]) -> None:
    """Follow the difference below a node, and post `Followed`, or an internal error, when it is done."""
    stops = [pane.stops for pane in panes]

    def work() -> None:
        give_way()
        engine, reference = panes
        with engine.lock, reference.lock:
            post(_follow_down(node, panes, stops))

    threading.Thread(target=work, daemon=True, name="descent").start()


def _follow_down(node: Node, panes: Sequence[EnginePane], stops: Sequence[int]) -> object:
    engine, reference = panes
    try:
        for pane, number in zip(panes, stops, strict=True):
            pane.resume(number)
            pane.start()
        return Followed(node, descend(Game(node.position), node.depth, engine.session, reference.session))
    except Interrupted:
        return Followed(node, None, is_stopped=True)
    except EngineError as error:
        return Followed(node, failure_of(error))
    except Exception as fault:
        return fault
