"""Start perft-check's Python child processes, which leave signals to their parent and exit when it exits."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from ...platforms import orphans
from ...platforms.processes import IS_POSIX, STOP_SIGNALS, signals_blocked, unblock_signals
from ..garbage_collection import collect_seldom
from ..shutdown import exit_at_once
from . import child_environment

GRACE_SECONDS = 2.0
"""Time in seconds for a child to finish its work after its parent has exited."""


def python_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this package in a new Python, with a safe `sys.path`."""
    return [sys.executable, "-P", "-m", module, *words]


@contextmanager
def starting_children() -> Iterator[None]:
    """Prepare this process for starting children within the `with` block."""
    with child_environment.variables_set():
        # The first start would otherwise also start the tracker, which unblocks the signals.
        if IS_POSIX:
            resource_tracker.ensure_running()
        # Signals stay blocked until `become_child`, because a child cannot handle Ctrl-C before.
        with signals_blocked():
            yield


def become_child(grace_seconds: float = 0.0) -> None:
    """Set up this new process as a child, which exits at most `grace_seconds` after its parent."""
    leave_signals_to_the_parent()
    orphans.adopt()
    child_environment.load_numpy()
    child_environment.remove_variables()
    collect_seldom()
    threading.Thread(target=_end_with_the_parent, args=(grace_seconds,), daemon=True, name="guard").start()


def leave_signals_to_the_parent() -> None:
    """Ignore termination signals. Ctrl-C reaches the whole process group, but only the parent reacts to it.

    An empty handler is installed, because engines would inherit SIG_IGN.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, lambda _number, _frame: None)
    unblock_signals()


def _end_with_the_parent(grace_seconds: float) -> None:
    """Wait until the parent exits, then exit, even during a call that cannot be interrupted, such as a compilation."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(grace_seconds)
        exit_at_once(1)
