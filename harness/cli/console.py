"""The two consoles of the program: results to stdout, progress and notices to stderr."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.measure import Measurement
from rich.status import Status
from rich.table import Table
from rich.text import Text

from ...reports.live.run import Live
from ...reports.text import short, speed
from ..checking.plan import Plan
from ..checking.runner import run
from ..engines.asker import Asker, ForegroundCaller
from ..engines.task import Task
from ..model.events import RunFinished
from ..model.shutdown import Interrupt

REPORT_WIDTH = 84
"""Columns that the tables of a report need. A narrower terminal wraps their lines, so that no figure is cut."""
PIPE_WIDTH = 100
"""For files and pipes, which have no width of their own."""


def out() -> Console:
    """Return the console of stdout. Text goes there as it is: never cut, never read as markup."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console of stderr."""
    return _console(stderr=True)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the program end as it does without a reader; rich would exit with 1, which means a mismatch."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    console = _Console(file=stream, highlight=False, emoji=False, markup=False)
    least = REPORT_WIDTH if console.is_terminal else PIPE_WIDTH
    console.width = max(console.width, least)
    return console


def out_for(table: Table) -> Console:
    """Return the console of stdout, wide enough for every figure of a table, wider than the terminal if need be."""
    console = out()
    console.width = max(console.width, Measurement.get(console, console.options.update(max_width=1000), table).maximum)
    return console


def print_table(table: Table) -> None:
    """Print a table to stdout with every figure whole."""
    out_for(table).print(table, crop=False)


def follow(plan: Plan, interrupt: Interrupt, quiet: bool = False) -> RunFinished:
    """Run a plan with its live display on stderr; return how it ended. Raises EngineError."""
    with Live(err(), quiet) as live:
        for event in run(plan, interrupt):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event


def foreground(interrupt: Interrupt) -> ForegroundCaller:
    """Return a caller that shows nodes and speed on a terminal while it waits."""
    return ForegroundCaller(interrupt, _status)


@contextmanager
def _status(what: str) -> Iterator[Callable[[Task], None]]:
    with Status(Text(what), console=err()) as status:
        yield lambda task: status.update(
            Text(f"{what}: {short(task.nodes)} nodes  {speed(task.nodes, task.seconds_spent)}")
        )


def start_engine(asker: Asker) -> None:
    """Get an engine ready, with a line on stderr when that takes long. Raises EngineError, Interrupted."""
    if (line := asker.engine.notice()) is not None:
        err().print(line, style="dim")
    asker.start()
