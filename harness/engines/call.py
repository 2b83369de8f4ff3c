"""The state of a call to an engine, shared by the calling thread and the thread that runs the call."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...generator.kernels.machine.memory import Control


class EngineCall:
    """A call that another thread can stop and monitor.

    An engine that runs a kernel attaches the kernel's `Control`. Other engines register a function that stops them, or
    poll `stopped`.
    """

    def __init__(self, seconds: float | None = None) -> None:
        """Begin a call with an optional time limit, which engines in separate processes enforce."""
        self.seconds = self.whole_seconds = seconds
        """The time limits of this call, and of the call that it is a step of."""
        self.restart()
        self.root_moves: list[tuple[str, int]] = []
        """Root moves of a divide whose counts are complete."""
        self._lock = threading.Lock()
        self._stopped = False
        self._nodes = 0
        self._control: Control | None = None
        self._stoppers: list[Callable[[], None]] = []

    def restart(self) -> None:
        """Restart the clock, for example after compiling, which does not count toward the time limit."""
        self.began = time.monotonic()
        self.deadline = None if self.seconds is None else self.began + self.seconds

    @property
    def stopped(self) -> bool:
        """Whether the call was stopped and should return promptly."""
        return self._stopped

    @property
    def nodes(self) -> int:
        """Number of leaf nodes counted so far, if the engine reports it."""
        control = self._control
        return self._nodes if control is None else self._nodes + control.nodes

    @property
    def seconds_spent(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self.began

    @property
    def is_overdue(self) -> bool:
        """Whether the time limit has expired."""
        return self.deadline is not None and time.monotonic() > self.deadline

    @property
    def should_end(self) -> bool:
        """Whether the call was stopped or is overdue and should return promptly."""
        return self._stopped or self.is_overdue

    def enforce_deadline(self) -> None:
        """Stop a kernel that is overdue. Other engines check their deadlines themselves."""
        if self._control is not None and self.is_overdue:
            self._control.stop()

    def step(self, most_seconds: float = math.inf, unlimited: float = math.inf) -> EngineCall:
        """Return a call for one step of this call, with the full time limit. It is stopped together with this call.

        The limit is at most `most_seconds`, or `unlimited` if this call has none.
        """
        seconds = min(most_seconds, unlimited if self.seconds is None else self.seconds)
        step = EngineCall(None if math.isinf(seconds) else seconds)
        whole_seconds = unlimited if self.whole_seconds is None else self.whole_seconds
        step.whole_seconds = None if math.isinf(whole_seconds) else whole_seconds
        self.on_stop(step.stop)
        return step

    def found(self, move: str, count: int) -> None:
        """Report a root move, with castling as king takes rook, before the divide is complete."""
        self.root_moves.append((move, count))

    def add(self, nodes: int) -> None:
        """Add to the number of leaf nodes counted so far."""
        self._nodes += nodes

    def attach(self, control: Control) -> None:
        """Let `control` stop a kernel and report its progress."""
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
        """Ask the engine to stop. The result of the call is then meaningless."""
        with self._lock:
            self._stopped = True
            stoppers = list(self._stoppers)
        for stopper in stoppers:
            stopper()
