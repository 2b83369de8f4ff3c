"""Status lines of a fuzzing run and of scores, with a line for each finding or missed fault."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.status import Status
from rich.text import Text

from ...harness.fuzzing.model import (
    Discrepancy,
    DiscrepancySeen,
    DiscrepancySettled,
    FuzzEvent,
    FuzzFinished,
    FuzzProgress,
    FuzzStarted,
)
from ...harness.model.results.events import Notice
from ...harness.zoo.results import Hunt, Outcome
from ..content.fuzz import share_of_engine, speed_of
from ..text import count, short
from .bars import LiveDisplay


class StatusLine(LiveDisplay):
    """A status line, shown only on a terminal."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._status: Status | None = None

    def close(self) -> None:
        """Remove the line."""
        if self._status is not None:
            self._status.stop()

    def _start(self) -> None:
        if self._console.is_terminal and self._status is None:
            self._status = self._console.status(Text("starting"))
            self._status.start()

    def _update(self, text: str) -> None:
        if self._status is not None:
            self._status.update(Text(text))

    def _print(self, text: str) -> None:
        """Print a line above the status line."""
        self._console.print(Text(text, style="dim", overflow="fold"))


class FuzzLive(StatusLine):
    """Shows the events of a fuzzing run on a console, usually stderr.

    Without a terminal, only notices and new kinds of faults are printed.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        super().__init__(console)
        self._quiet = quiet
        self._started: FuzzStarted | None = None
        self._printed: set[str] = set()

    def handle(self, event: FuzzEvent) -> None:
        """Show one event of the run."""
        if self._quiet:
            return
        match event:
            case FuzzStarted():
                self._started = event
                self._start()
            case Notice() if event.text not in self._printed:  # several processes may report it
                self._printed.add(event.text)
                self._print(event.text)
            case DiscrepancySeen():
                self._print_suspect("suspect", "yellow", event.hit.discrepancy)
            case DiscrepancySettled():
                state = ("found", "red") if event.finding.reproducible else ("not reproduced", "yellow")
                self._print_suspect(*state, event.finding.discrepancy)
            case FuzzProgress() if self._started is not None:
                self._update(self._line(event, self._started))
            case FuzzFinished() if not event.depends_on_time:  # otherwise the report contains the speed
                self._console.print(Text(speed_of(event), style="dim"))

    def _print_suspect(self, state: str, style: str, found: Discrepancy) -> None:
        """Print a discrepancy and its current state, but only once."""
        what = found.finding.headline_with_move if found.finding is not None else found.message
        line = Text.assemble((f"{state}: ", style), f"{what}: {found.game}", overflow="fold")
        if line.plain not in self._printed:  # two checks may find the same discrepancy
            self._printed.add(line.plain)
            self._console.print(line)

    def _line(self, progress: FuzzProgress, started: FuzzStarted) -> str:
        total = f" of {started.examples:,}" if started.examples else ""
        rate = f"{short(progress.examples / progress.seconds)}/s" if progress.seconds else ""
        kinds = count(progress.signatures, "kind of fault", "kinds of faults") if progress.signatures else ""
        positions = f"{progress.doing}: {progress.examples:,}{total} positions"
        possible = count(len(started.possible_events), "rare event")
        events = f"{progress.events} of {possible} occurred" if progress.events else ""
        share = "" if progress.engine_share is None else share_of_engine(progress.engine_share)
        return ", ".join(filter(None, [positions, rate, kinds, events, share]))


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
            self._start()
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
        self._update(f"{self._done} of {self._planned} done, hunting {'; '.join(map(_name, self._running))}")


def _name(task: Hunt) -> str:
    return f"{task.fault} by {task.strategy}, seed {task.seed}"
