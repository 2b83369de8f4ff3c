"""Progress displays on stderr: bars of runs, counts and benchmarks, and status lines of fuzzing runs and scores."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from ..harness.checking.covering import CoverProgress
from ..harness.engines.spec import short_name
from ..harness.fuzzing.model import (
    Discrepancy,
    DiscrepancySeen,
    DiscrepancySettled,
    FuzzEvent,
    FuzzFinished,
    FuzzProgress,
    FuzzStarted,
)
from ..harness.model.results import events
from ..harness.model.results.bench import BenchProgress
from ..harness.model.results.events import Notice
from ..harness.model.results.positions import CountFinished, CountProgress, PlyEnumerated
from ..harness.model.results.verdict import Verdict
from ..harness.zoo.score import Hunt, Outcome
from ..suites.case import label
from .content.bench import difference
from .content.fuzz import speed_of
from .text import count, short, speed


def text_column(*, no_wrap: bool) -> TextColumn:
    """Return a column with the text of a display, in the space that the other columns leave."""
    return TextColumn("{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=no_wrap))


class LiveDisplay:
    """A display on a console, usually stderr, that is shown only on a terminal, and removed at the end of the block."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._progress = Progress(
            *self._columns(), console=console, transient=True, expand=True, disable=quiet or not console.is_terminal
        )
        self._task: TaskID | None = None
        self._printed: set[str] = set()

    def _columns(self) -> tuple[ProgressColumn, ...]:
        """Return a bar with the percentage, the remaining time and a text, which is cut off if it is too long."""
        return BarColumn(bar_width=20), TaskProgressColumn(), TimeRemainingColumn(), text_column(no_wrap=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the display."""
        self._progress.stop()

    def _show(self, text: str, completed: int = 0, total: int | None = None) -> None:
        """Show a text, and how much is complete."""
        if self._task is None:  # what is complete at the start says nothing about the speed
            self._task = self._progress.add_task(text, completed=completed, total=total)
            self._progress.start()
        else:
            self._progress.update(self._task, description=text, completed=completed)

    def _print(self, text: str) -> None:
        """Print a line above the display."""
        self._print_line(Text(text, style="dim", overflow="fold"))

    def _print_line(self, line: Text) -> None:
        """Print a line above the display, but only once, because several threads or processes may report it."""
        if line.plain not in self._printed:
            self._printed.add(line.plain)
            self._console.print(line)


class Live(LiveDisplay):
    """Shows the events of a run. Without a terminal, only notices are printed, each on one line."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console, quiet)
        self._total = 0
        self._nodes, self._seconds = 0, 0.0
        self._failed = 0
        self._case = ""

    def handle(self, event: events.Event) -> None:
        """Show one event."""
        match event:
            case events.RunStarted():
                self._total = event.nodes
                self._show_case()
            case events.Notice() if not self._quiet:
                self._print(event.text)
            case events.CaseStarted():
                self._case = label(event.suite, event.name)
                self._show_case()
            case events.Progress():
                self._nodes, self._seconds = event.nodes, event.seconds
                self._show_case(f"  waiting for {short_name(event.asked)}")
            case events.CaseFailed():
                self._failed += 1
            case events.CaseFinished():
                self._failed -= event.result.verdict is Verdict.NOT_REPRODUCED
                self._nodes, self._seconds = event.nodes, event.seconds
                self._show_case()
            case events.RunFinished():
                self.close()

    def _show_case(self, waiting: str = "") -> None:
        failed = f"{self._failed} failed" if self._failed else ""
        figures = filter(None, [speed(self._nodes, self._seconds), failed, f"{self._case}{waiting}"])
        self._show("  ".join(figures), self._nodes, max(1, self._total))


class CountLive(LiveDisplay):
    """Shows the events of a count. Without a terminal, only notices are printed, each on one line."""

    def handle(self, event: PlyEnumerated | CountProgress | Notice | CountFinished) -> None:
        """Show one event."""
        match event:
            case PlyEnumerated() if not self._quiet:
                self._print(f"ply {event.ply}: {count(event.positions, 'position')}")
            case Notice():
                self._print(event.text)
            case CountProgress():
                self._show(_count_figures(event), event.done, max(1, event.pieces))
            case CountFinished():
                self.close()


def _count_figures(progress: CountProgress) -> str:
    parts = [f"{progress.done:,} of {count(progress.pieces, 'piece')}"]
    if rate := speed(progress.counted_nodes, progress.seconds):
        parts.append(rate)
    parts.append(count(progress.workers, "thread") if progress.workers else "no threads")
    return "  ".join(parts)


class CoverLive(LiveDisplay):
    """Shows the number of counts, and of the branches of the engine's code that they reached."""

    def handle(self, progress: CoverProgress) -> None:
        """Show the progress."""
        reached = count(progress.branches, "branch", "branches")
        figures = f"{progress.done:,} of {count(progress.counts, 'count')}  {reached} reached"
        self._show(figures, progress.done, max(1, progress.counts))


class BenchLive(LiveDisplay):
    """Shows the progress, the remaining time and the comparison. Without a terminal, only the depths are printed."""

    _last: BenchProgress | None = None
    _since = 0.0

    def _columns(self) -> tuple[ProgressColumn, ...]:
        """Return a bar and a text, which contains the remaining time, because a bench ends early if it is clear."""
        return BarColumn(bar_width=20), text_column(no_wrap=False)

    def handle(self, progress: BenchProgress) -> None:
        """Show the progress."""
        if self._last is None:
            depths = {one.position: one.depth for one in progress.speeds}
            self._print("depths: " + ", ".join(f"{name} {depth}" for name, depth in depths.items()))
        self._last, self._since = progress, time.monotonic()
        self._show_progress(progress)

    def tell(self, line: str) -> None:
        """Print a line about an engine that has failed."""
        self._console.print(line, soft_wrap=True)

    @contextmanager
    def watch_call(self, _what: str) -> Iterator[Callable[[object], None]]:
        """Update the remaining time while an engine counts."""
        yield lambda _task: self._tick()

    def _tick(self) -> None:
        if self._last is not None:
            passed = time.monotonic() - self._since
            seconds, left_seconds = self._last.seconds + passed, self._last.left_seconds - passed
            self._show_progress(replace(self._last, seconds=seconds, left_seconds=left_seconds))

    def _show_progress(self, progress: BenchProgress) -> None:
        whole = progress.seconds + max(0.0, progress.left_seconds)
        self._show(_bench_figures(progress), round(100 * progress.seconds / whole) if whole else 0, 100)


def _bench_figures(progress: BenchProgress) -> str:
    planned = "" if progress.planned_rounds is None else f" of {progress.planned_rounds}"
    parts = [f"{max(0, round(progress.left_seconds))} s left", f"round {progress.rounds + 1}{planned}"]
    if progress.comparison is not None:
        parts.append(difference(progress.comparison))
    return "  ".join(parts)


class StatusLine(LiveDisplay):
    """A status line, shown only on a terminal."""

    def _columns(self) -> tuple[ProgressColumn, ...]:
        """Return a spinner and a text, which is wrapped if it is too long."""
        return SpinnerColumn(), text_column(no_wrap=False)


class FuzzLive(StatusLine):
    """Shows the events of a fuzzing run on a console, usually stderr.

    Without a terminal, only notices and new kinds of faults are printed.
    """

    _started: FuzzStarted | None = None

    def handle(self, event: FuzzEvent) -> None:
        """Show one event of the run."""
        if self._quiet:
            return
        match event:
            case FuzzStarted():
                self._started = event
                self._show("starting")
            case Notice():
                self._print(event.text)
            case DiscrepancySeen():
                self._print_suspect("suspect", "yellow", event.hit.discrepancy)
            case DiscrepancySettled():
                state = ("found", "red") if event.finding.reproducible else ("not reproduced", "yellow")
                self._print_suspect(*state, event.finding.discrepancy)
            case FuzzProgress() if self._started is not None:
                self._show(self._line(event, self._started))
            case FuzzFinished() if not event.depends_on_time:  # otherwise the report contains the speed
                self._print(speed_of(event))

    def _print_suspect(self, state: str, style: str, found: Discrepancy) -> None:
        """Print a discrepancy and its current state."""
        what = found.finding.headline_with_move if found.finding is not None else found.message
        self._print_line(Text.assemble((f"{state}: ", style), f"{what}: {found.game}", overflow="fold"))

    def _line(self, progress: FuzzProgress, started: FuzzStarted) -> str:
        total = f" of {started.examples:,}" if started.examples else ""
        rate = f"{short(progress.examples / progress.seconds)}/s" if progress.seconds else ""
        kinds = count(progress.signatures, "kind of fault", "kinds of faults") if progress.signatures else ""
        positions = f"{progress.doing}: {progress.examples:,}{total} positions"
        possible = count(len(started.possible_events), "rare event")
        events = f"{progress.events} of {possible} occurred" if progress.events else ""
        return ", ".join(filter(None, [positions, rate, kinds, events]))


class ScoreLive(StatusLine):
    """Shows the hunts of a score on a console, usually stderr.

    Without a terminal, only undetected faults are printed.
    """

    def __init__(self, console: Console, done: int, planned: int) -> None:
        """Create a display for a score of which `done` of `planned` hunts are complete."""
        super().__init__(console)
        self._done, self._planned = done, planned
        self._running: list[Hunt] = []

    def __enter__(self) -> Self:
        if self._done < self._planned:
            self._show("starting")
        return self

    def handle(self, event: Hunt | Outcome) -> None:
        """Show that a hunt has started or ended."""
        if isinstance(event, Hunt):
            self._running.append(event)
        else:
            self._done += 1
            self._running = [task for task in self._running if task != event.hunt]
            if not event.detected:
                self._print(f"{self._done} of {self._planned}: {_name(event.hunt)} not detected")
        self._show(f"{self._done} of {self._planned} done, hunting {'; '.join(map(_name, self._running))}")


def _name(task: Hunt) -> str:
    return f"{task.fault} by {task.strategy}, seed {task.seed}"
