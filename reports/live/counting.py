"""The live display of a count by pieces: the plies of the cut, then a bar with speed and time left."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from ...harness.model.results.counting import CountFinished, CountProgress, CutProgress
from ...harness.model.results.events import Notice
from ..text import count, duration, speed


class CountLive:
    """Consumes the events of a count and draws them on a console, usually that of stderr.

    On anything but a terminal only notices are written, one line each.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> CountLive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the display away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def handle(self, event: CutProgress | CountProgress | Notice | CountFinished) -> None:
        """Show one event."""
        match event:
            case CutProgress() if not self._quiet:
                self._print(f"ply {event.ply}: {count(event.positions, 'position')}")
            case Notice():
                self._print(event.text)
            case CountProgress() if not self._quiet:
                self._show(event)
            case CountFinished():
                self.close()

    def _print(self, text: str) -> None:
        console = self._console if self._bar is None else self._bar.console
        console.print(Text(text, style="dim", overflow="fold"))

    def _show(self, progress: CountProgress) -> None:
        if not self._console.is_terminal:
            return
        if self._bar is None:
            columns = TextColumn("{task.fields[figures]}", markup=False), BarColumn(bar_width=30)
            self._bar = Progress(*columns, console=self._console, transient=True)
            self._task = self._bar.add_task("", total=max(1, progress.pieces), figures="")
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, completed=progress.done, figures=figures(progress))


def figures(progress: CountProgress) -> str:
    """Return how far a count is, in words."""
    parts = [f"{progress.done:,} of {count(progress.pieces, 'piece')}"]
    if rate := speed(progress.counted_nodes, progress.seconds):
        parts.append(rate)
    parts.append(count(progress.workers, "thread") if progress.workers else "nobody counts")
    if progress.left_seconds is not None and progress.workers:
        parts.append(f"{duration(progress.left_seconds)} left")
    return "  ".join(parts)
