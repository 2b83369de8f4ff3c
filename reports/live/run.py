"""The live display of a run: a bar with nodes per second and time left, and notices."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from ...harness.model.results import events
from ..text import duration, label, short, speed
from .bar import WithBar


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

    def __enter__(self) -> Live:
        return self

    def handle(self, event: events.Event) -> None:
        """Show one event."""
        match event:
            case events.RunStarted():
                self._start(event.nodes)
            case events.Notice() if event.text not in self._told:  # each lane may say it
                self._told.add(event.text)
                self._notice(event.text)
            case events.CaseStarted():
                self._case = label(event.suite, event.name)
                self._name(self._case)
            case events.Progress():
                self._name(f"{self._case}  waiting for {event.asked}")
                self._advance(event.nodes, event.seconds)
            case events.CaseFinished():
                if event.result.verdict.is_failure:
                    self._failed += 1
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
