"""The live display of a fuzzing run: one line that moves, and a line for each new kind of fault."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

from rich.console import Console
from rich.status import Status
from rich.text import Text

from ...harness.fuzzing.course.model import Course
from ...harness.fuzzing.model import DiscrepancySeen, FuzzEvent, FuzzFinished, FuzzProgress, FuzzStarted
from ...harness.model.results.events import Notice
from ..course import facts_of_course, positions_a_second
from ..text import count, duration, short


class FuzzLive:
    """Consumes the events of a run and draws them on a console, usually that of stderr.

    On anything but a terminal only notices and new kinds of faults are written.
    """

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console, self._quiet = console, quiet
        self._status: Status | None = None
        self._examples: int | None = None
        self._possible = 0
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
                self._examples, self._possible = event.examples, len(event.possible_events)
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
                self._finish(event)

    def _line(self, progress: FuzzProgress) -> str:
        total = f" of {self._examples:,}" if self._examples else ""
        rate = f"{short(progress.examples / progress.seconds)}/s" if progress.seconds else ""
        kinds = count(progress.kinds, "kind of fault", "kinds of faults") if progress.kinds else ""
        positions = f"{progress.doing}: {progress.examples:,}{total} positions"
        parts = [positions, rate, kinds, *self._course(progress.course)]
        return ", ".join(filter(None, parts))

    def _course(self, course: Course | None) -> Iterator[str]:
        """Yield the events met, how long ago the last new one was met, and the share of the engine."""
        if course is None:
            return
        last = course.last_new_event
        if last is not None:
            ago = course.seconds - last
            yield f"{len(course.events)} of {count(self._possible, 'event')}"
            yield f"a new one {duration(ago) if ago >= 59.95 else f'{ago:.0f} s'} ago"
        if course.engine_share is not None:
            yield f"{100 * course.engine_share:.0f} % inside the engine"

    def _finish(self, finished: FuzzFinished) -> None:
        """Print the speed; on a terminal also the course, where the report tells nothing of it."""
        lines = [f"{duration(finished.seconds)}, {positions_a_second(finished)}"]
        if self._console.is_terminal and finished.course is not None and finished.told_course is None:
            lines += [f"{name}: {value}" for name, value in facts_of_course(finished.course)]
        for line in lines:
            self._console.print(Text(line, style="dim"))
