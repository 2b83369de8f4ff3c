"""The consoles of stdout (results) and stderr (progress and notices), and interruptible waiting."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from math import inf
from threading import Thread
from typing import Any, TypeVar

from rich.console import Console, ConsoleRenderable, RenderHook
from rich.control import Control
from rich.status import Status
from rich.text import Text

from ....reports.layout import Trimmed
from ....reports.text import short, speed, unwrapped
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.call import EngineCall
from ...shutdown import POLL_SECONDS, Interrupt, Interrupted
from .github_actions import EscapeCommands, is_read_by_runner
from .streams import ENDLESS, width_of

T = TypeVar("T")


def out() -> Console:
    """Return the console of stdout, which neither crops text nor interprets markup."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console of stderr."""
    return _console(stderr=True)


def say(text: str) -> None:
    """Print a notice on stderr."""
    err().print(text, style="dim", soft_wrap=True)


def warn(text: str) -> None:
    """Print a warning on stderr."""
    err().print(f"perft-check: {text}", soft_wrap=True)


def report_self_test(*command: str) -> None:
    """Print that perft-check tested its own generator because no engine was given, and how to test an engine."""
    line = "no engine given, so this tested perft-check itself; to test yours: "
    err().print(unwrapped((line, "bold"), " ".join(("perft-check", *command, "-e", "./my-engine"))))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError. Rich would exit with status 1, which means a mismatch."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def print(self, *objects: Any, **options: Any) -> None:
        """Print without cropping long lines."""
        super().print(*objects, **{"crop": False, **options})


class _Trimming(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Remove trailing spaces."""
        return [one if isinstance(one, Control) else Trimmed(one) for one in renderables]


def _console(stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    console = _Console(file=stream, width=width_of(stream), highlight=False, emoji=False, markup=False)
    if console.width == ENDLESS:
        console.push_render_hook(_Trimming())
    if is_read_by_runner():
        console.push_render_hook(EscapeCommands())
    return console


def foreground(interrupt: Interrupt) -> ForegroundCallRunner:
    """Return a call runner that displays nodes and speed on a terminal while it waits."""
    return ForegroundCallRunner(interrupt, _status)


@contextmanager
def _status(what: str) -> Iterator[Callable[[EngineCall], None]]:
    with Status(Text(what), console=err()) as status:
        yield lambda call: status.update(
            Text(f"{what}: {short(call.nodes)} nodes  {speed(call.nodes, call.seconds_spent)}")
        )


def print_json(result: object) -> None:
    """Print a result as one JSON document."""
    from ....reports.formats.json import JSON

    sys.stdout.write(JSON.render(result))


def wait_for(
    work: Callable[[], T], interrupt: Interrupt, stop: Callable[[], None] | None = None, seconds: float = inf
) -> T:
    """Run `work` in another thread and return its result. Raises TimeoutError after `seconds`.

    Exceptions of `work` propagate. An interrupt calls `stop`; without `stop`, it abandons the thread and raises
    Interrupted.
    """
    end = time.monotonic() + seconds
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=run, daemon=True, name="work").start()
    while not wait([outcome], POLL_SECONDS).done:
        if interrupt.requested:
            if stop is None:
                raise Interrupted
            stop()
        if time.monotonic() > end:
            raise TimeoutError
    return outcome.result()
