"""The live displays of runs, counts by pieces and coverage: a bar with speed and time left, and notices."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from ...harness.checking.covering import CoverProgress
from ...harness.engines.spec import short_name
from ...harness.model.results import events
from ...harness.model.results.events import Notice
from ...harness.model.results.perft import CountFinished, CountProgress, CutProgress
from ...harness.model.results.verdict import Verdict
from ...suites.case import label
from ..text import count, duration, short, speed


class LiveDisplay:
    """Shows something that changes on a console, usually that of stderr; leaving the block takes it away."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the display away."""
        raise NotImplementedError


class WithBar(LiveDisplay):
    """Shows a bar."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console)
        self._quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def close(self) -> None:
        """Take the display away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _line(self, text: str) -> None:
        """Print a line above the bar."""
        console = self._console if self._bar is None else self._bar.console
        console.print(Text(text, style="dim", overflow="fold"))


class Live(WithBar):
    """Consumes the events of a run and draws them on a console, usually that of stderr.

    On anything but a terminal only notices are written, one line each.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console, quiet)
        self._total = 0
        self._failed = 0
        self._case = ""
        self._told: set[str] = set()

    def handle(self, event: events.Event) -> None:
        """Show one event."""
        match event:
            case events.RunStarted():
                self._start(event.nodes)
            case events.Notice(is_passing=True):
                self._name(event.text)
            case events.Notice() if event.text not in self._told:  # each lane may say it
                self._told.add(event.text)
                self._notice(event.text)
            case events.CaseStarted():
                self._case = label(event.suite, event.name)
                self._name(self._case)
            case events.Progress():
                self._name(f"{self._case}  waiting for {short_name(event.asked)}")
                self._advance(event.nodes, event.seconds)
            case events.CaseFailed():
                self._failed += 1
            case events.CaseFinished():
                if event.result.verdict is Verdict.NOT_REPRODUCED:
                    self._failed -= 1
                self._advance(event.nodes, event.seconds)
            case events.RunFinished():
                self.close()

    def _start(self, nodes: int) -> None:
        self._total = nodes
        if self._quiet or not self._console.is_terminal:
            return
        columns = (
            TextColumn("{task.fields[figures]}", markup=False),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[name]}", markup=False),
        )
        self._bar = Progress(*columns, console=self._console, transient=True)
        self._task = self._bar.add_task("", total=max(1, nodes), figures=f"0 of {short(nodes)}", name="")
        self._bar.start()

    def _notice(self, text: str) -> None:
        if not self._quiet:
            self._line(text)

    def _name(self, name: str) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, name=name)

    def _advance(self, nodes: int, seconds: float) -> None:
        if self._bar is None or self._task is None:
            return
        figures = f"{short(nodes)} of {short(self._total)} nodes"
        if rate := speed(nodes, seconds):
            left = max(0, self._total - nodes) / (nodes / seconds)
            figures += f"  {rate}  {duration(left)} left"
        if self._failed:
            figures += f"  {self._failed} failed"
        self._bar.update(self._task, completed=nodes, figures=figures)


class CountLive(WithBar):
    """Consumes the events of a count and draws them on a console, usually that of stderr.

    On anything but a terminal only notices are written, one line each.
    """

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


class CoverLive(WithBar):
    """Draws how many counts of suites an engine was asked for, and what they have reached of its code."""

    def handle(self, progress: CoverProgress) -> None:
        """Show how far it is."""
        if self._quiet or not self._console.is_terminal:
            return
        if self._bar is None:
            columns = TextColumn("{task.fields[figures]}", markup=False), BarColumn(bar_width=30)
            self._bar = Progress(*columns, console=self._console, transient=True)
            self._task = self._bar.add_task("", total=max(1, progress.counts), figures="")
            self._bar.start()
        if self._task is not None:
            reached = count(progress.branches, "branch", "branches")
            shown = f"{progress.done:,} of {count(progress.counts, 'count')}  {reached} reached"
            self._bar.update(self._task, completed=progress.done, figures=shown)


def figures(progress: CountProgress) -> str:
    """Return how far a count is, in words."""
    parts = [f"{progress.done:,} of {count(progress.pieces, 'piece')}"]
    if rate := speed(progress.counted_nodes, progress.seconds):
        parts.append(rate)
    parts.append(count(progress.workers, "thread") if progress.workers else "nobody counts")
    if progress.left_seconds is not None and progress.workers:
        parts.append(f"{duration(progress.left_seconds)} left")
    return "  ".join(parts)
