"""The two consoles of the program: results to stdout, progress and notices to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from rich.console import Console
from rich.status import Status

from ..reports.text import short, speed
from .asking import Worker
from .engines.base import Engine
from .interrupt import Interrupt
from .task import Task

T = TypeVar("T")


def out() -> Console:
    """Return the console of stdout. Text goes there as it is: never cut, never read as markup."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console of stderr."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    console = Console(file=stream, highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = max(console.width, 100)  # a file or pipe has no width of its own
    return console


def start_engine(engine: Engine, worker: Worker, interrupt: Interrupt) -> None:
    """Get an engine ready, with a line on stderr when that takes long. Raises EngineError, Interrupted."""
    if (line := engine.notice()) is not None:
        err().print(line, style="dim")
    worker.ask_quietly(engine.start, interrupt)


def ask_with_status(call: Callable[[Task], T], worker: Worker, interrupt: Interrupt, what: str) -> T:
    """Ask, showing nodes and speed on a terminal meanwhile. Raises EngineError, Interrupted."""
    console = err()
    asking = worker.ask(call, interrupt)
    with Status(what, console=console) as status:
        seconds = 0.0
        while True:
            try:
                task = next(asking)
            except StopIteration as stop:
                answer: T = stop.value
                return answer
            seconds += 0.1
            status.update(f"{what}: {short(task.nodes)} nodes  {speed(task.nodes, seconds)}")
