"""The live display of a count by pieces: the plies of the cut, then a bar with speed and time left."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TextColumn

from ...harness.model.results.events import Notice
from ...harness.model.results.perft import CountFinished, CountProgress, CutProgress
from ..text import count, duration, speed
from .bar import WithBar


class CountLive(WithBar):
    """Consumes the events of a count and draws them on a console, usually that of stderr.

    On anything but a terminal only notices are written, one line each.
    """

    def __enter__(self) -> CountLive:
        return self

    def handle(self, event: CutProgress | CountProgress | Notice | CountFinished) -> None:
        """Show one event."""
        match event:
            case CutProgress() if not self._quiet:
                self._line(f"ply {event.ply}: {count(event.positions, 'position')}")
            case Notice():
                self._line(event.text)
            case CountProgress() if not self._quiet:
                self._show(event)
            case CountFinished():
                self.close()

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
