"""One call of an engine, shared by the thread that asks and the thread that answers."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...generator.kernels.machine.memory import Control


class EngineCall:
    """A call under way: asked to stop with `stop`, watched through `nodes`, bounded by `deadline`.

    An engine that runs one of our kernels attaches the kernel's `Control`, one that runs a process
    or a loop of its own registers how to stop it, or polls `stopped`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """Begin a call, to be answered within `seconds` if given. Engines that run a process enforce the limit."""
        self.seconds = self.whole_seconds = seconds
        """Its time limit, and that of the call of which this is a step."""
        self.restart()
        self.root_moves: list[tuple[str, int]] = []
        """The root moves of a divide under way that are complete."""
        self._lock = threading.Lock()
        self._stopped = False
        self._nodes = 0
        self._control: Control | None = None
        self._stoppers: list[Callable[[], None]] = []

    def restart(self) -> None:
        """Restart the clock: what was done until now was not part of the question."""
        self.began = time.monotonic()
        self.deadline = None if self.seconds is None else self.began + self.seconds

    @property
    def stopped(self) -> bool:
        """Whether the count should end as soon as it can."""
        return self._stopped

    @property
    def nodes(self) -> int:
        """Leaf nodes counted so far, if the engine reports them."""
        control = self._control
        return self._nodes if control is None else self._nodes + control.nodes

    @property
    def seconds_spent(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self.began

    @property
    def is_overdue(self) -> bool:
        """Whether the time limit is over."""
        return self.deadline is not None and time.monotonic() > self.deadline

    def extend(self, seconds: float) -> None:
        """Leave at least so many seconds; the time limit is then at least the whole seconds that have passed."""
        if self.deadline is not None and self.seconds is not None:
            self.deadline = max(self.deadline, time.monotonic() + seconds)
            self.seconds = max(self.seconds, math.floor(self.seconds_spent))

    @property
    def should_end(self) -> bool:
        """Whether the count should end as soon as it can, because it is stopped or overdue."""
        return self._stopped or self.is_overdue

    def enforce_deadline(self) -> None:
        """Stop a kernel that is overdue. Other engines check the time themselves."""
        if self._control is not None and self.is_overdue:
            self._control.stop()

    def step(self, most_seconds: float = math.inf, unlimited: float = math.inf) -> EngineCall:
        """Return a call for one step of this one: it has the time limit for itself, and stops with this one.

        If this one has no limit, the step has `unlimited` seconds.
        """
        seconds = min(most_seconds, unlimited if self.seconds is None else self.seconds)
        step = EngineCall(None if math.isinf(seconds) else seconds)
        whole_seconds = unlimited if self.whole_seconds is None else self.whole_seconds
        step.whole_seconds = None if math.isinf(whole_seconds) else whole_seconds
        self.on_stop(step.stop)
        return step

    def found(self, move: str, count: int) -> None:
        """Report a root move of a divide, as king takes rook, before the divide is complete."""
        self.root_moves.append((move, count))

    def add(self, nodes: int) -> None:
        """Report `nodes` more leaf nodes."""
        self._nodes += nodes

    def attach(self, control: Control) -> None:
        """Use `control` to stop a kernel and to read its progress."""
        self._control = control
        self.on_stop(control.stop)

    def on_stop(self, stopper: Callable[[], None]) -> None:
        """Call `stopper` when the call is stopped, or immediately if it already is."""
        with self._lock:
            self._stoppers.append(stopper)
            already = self._stopped
        if already:
            stopper()

    def stop(self) -> None:
        """Ask the engine to stop. The result of the count is then meaningless."""
        with self._lock:
            self._stopped = True
            stoppers = list(self._stoppers)
        for stopper in stoppers:
            stopper()
