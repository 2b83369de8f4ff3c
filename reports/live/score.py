"""The live display of a score: the faults being hunted, and a line for each fault that was not detected."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.status import Status
from rich.text import Text

from ...harness.zoo.hunting.model import Hunt, Outcome


class ScoreLive:
    """Consumes hunts that begin and end, and draws them on a console, usually that of stderr.

    On anything but a terminal only the faults that were not detected are written.
    """

    def __init__(self, console: Console, done: int, planned: int) -> None:
        """`done` of the `planned` hunts are done already."""
        self._console, self._done, self._planned = console, done, planned
        self._running: list[Hunt] = []
        self._status: Status | None = None

    def __enter__(self) -> ScoreLive:
        if self._console.is_terminal and self._done < self._planned:
            self._status = self._console.status(Text("starting"))
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def handle(self, event: Hunt | Outcome) -> None:
        """Show that a hunt has begun or ended."""
        if isinstance(event, Hunt):
            self._running.append(event)
        else:
            self._done += 1
            self._running = [task for task in self._running if task != event.hunt]
            if not event.detected:
                text = f"{self._done} of {self._planned}: {_name(event.hunt)} not detected"
                self._console.print(Text(text, style="dim", overflow="fold"))
        if self._status is not None:
            hunted = "; ".join(map(_name, self._running))
            self._status.update(Text(f"{self._done} of {self._planned} done, hunting {hunted}"))


def _name(task: Hunt) -> str:
    return f"{task.fault} by {task.strategy}, seed {task.seed}"
