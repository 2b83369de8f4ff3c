"""The live display of a bench: a bar, the time left, and how the comparison stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from rich.progress import BarColumn, Progress, TextColumn

from ...harness.model.results.bench import BenchProgress
from ..facts.bench import difference
from .run import WithBar


class BenchLive(WithBar):
    """Draws how far a bench is on a console, usually that of stderr; on anything but a terminal, only the depths."""

    _last: BenchProgress | None = None
    _since = 0.0

    def handle(self, progress: BenchProgress) -> None:
        """Show how far it is."""
        if self._last is None:
            depths = {one.position: one.depth for one in progress.speeds}
            self._line("depths: " + ", ".join(f"{name} {depth}" for name, depth in depths.items()))
        self._last, self._since = progress, time.monotonic()
        self._show(progress)

    def tell(self, line: str) -> None:
        """Print a line about an engine that fails."""
        console = self._console if self._bar is None else self._bar.console
        console.print(line, soft_wrap=True)

    @contextmanager
    def watch_call(self, _what: str) -> Iterator[Callable[[object], None]]:
        """Let the time that is left run on while an engine counts."""
        yield lambda _task: self._tick()

    def _tick(self) -> None:
        if self._last is not None:
            passed = time.monotonic() - self._since
            self._show(
                replace(self._last, seconds=self._last.seconds + passed, left_seconds=self._last.left_seconds - passed)
            )

    def _show(self, progress: BenchProgress) -> None:
        if not self._console.is_terminal:
            return
        if self._bar is None:
            columns = BarColumn(bar_width=20), TextColumn("{task.fields[figures]}", markup=False)
            self._bar = Progress(*columns, console=self._console, transient=True)
            self._task = self._bar.add_task("", total=1.0, figures="")
            self._bar.start()
        if self._task is not None:
            whole = progress.seconds + max(0.0, progress.left_seconds)
            self._bar.update(
                self._task, completed=progress.seconds / whole if whole else 0.0, figures=figures(progress)
            )


def figures(progress: BenchProgress) -> str:
    """Return how far a bench is, in words."""
    planned = "" if progress.planned_rounds is None else f" of {progress.planned_rounds}"
    parts = [f"{max(0, round(progress.left_seconds))} s left", f"round {progress.rounds + 1}{planned}"]
    if progress.comparison is not None:
        parts.append(difference(progress.comparison))
    return "  ".join(parts)
