"""The live display of a fuzzing run: one line that moves, and a line for each new kind of fault."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.status import Status
from rich.text import Text

from ...harness.fuzzing.model import DiscrepancySeen, FuzzEvent, FuzzFinished, FuzzProgress, FuzzStarted
from ...harness.model.results.events import Notice
from ..text import count, duration, short


class FuzzLive:
    """Consumes the events of a run and draws them on a console, usually that of stderr.

    On anything but a terminal only notices and new kinds of faults are written.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._status: Status | None = None
        self._examples: int | None = None
        self._told: set[str] = set()

    def __enter__(self) -> FuzzLive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def handle(self, event: FuzzEvent) -> None:
        """Show one event."""
        if self._quiet:
            return
        match event:
            case FuzzStarted():
                self._examples = event.examples
                if self._console.is_terminal:
                    self._status = self._console.status(Text("starting"))
                    self._status.start()
            case Notice() if event.text not in self._told:  # each process may say it
                self._told.add(event.text)
                self._console.print(Text(event.text, style="dim", overflow="fold"))
            case DiscrepancySeen():
                found = event.hit.discrepancy
                what = found.finding.headline if found.finding is not None else found.message
                self._console.print(Text.assemble(("found ", "red"), f"{what}: {found.line}", overflow="fold"))
            case FuzzProgress():
                if self._status is not None:
                    self._status.update(Text(self._line(event)))
            case FuzzFinished():
                rate = short(event.examples / event.seconds) if event.seconds else "0"
                unit = "position" if rate == "1" else "positions"
                self._console.print(Text(f"{duration(event.seconds)}, {rate} {unit} a second", style="dim"))

    def _line(self, progress: FuzzProgress) -> str:
        total = f" of {self._examples:,}" if self._examples else ""
        rate = f"{short(progress.examples / progress.seconds)}/s" if progress.seconds else ""
        kinds = f", {count(progress.kinds, 'kind of fault', 'kinds of faults')}" if progress.kinds else ""
        return f"{progress.doing}: {progress.examples:,}{total} positions, {rate}{kinds}"
