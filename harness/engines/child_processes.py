"""Start Python processes of perft-check, leave signals to their parent, and end them when the parent ends."""

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
"""Time that a child has to finish its work after its parent has ended."""


def python_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this package in a new Python, without the current folder on its path."""
    return [sys.executable, "-P", "-m", module, *words]


@contextmanager
def starting_children() -> Iterator[None]:
    """Prepare this process for starting children in the block."""
    with child_environment.variables_set():
        # The first start would otherwise also start the tracker, which unblocks the signals.
        if IS_POSIX:
            resource_tracker.ensure_running()
        # A child cannot handle Ctrl-C before `become_child`: until then signals wait.
        with signals_blocked():
            yield


def become_child(grace_seconds: float = 0.0) -> None:
    """Set up this new process as a child, which ends at most `grace_seconds` after its parent."""
    leave_signals_to_the_parent()
    orphans.adopt()
    child_environment.load_numpy()
    child_environment.remove_variables()
    collect_seldom()
    threading.Thread(target=_end_with_the_parent, args=(grace_seconds,), daemon=True, name="guard").start()


def leave_signals_to_the_parent() -> None:
    """Ignore signals that stop a process: Ctrl-C reaches the whole group, but the parent decides what happens.

    An empty handler is used because engines would inherit SIG_IGN.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, lambda _number, _frame: None)
    unblock_signals()


def _end_with_the_parent(grace_seconds: float) -> None:
    """Wait for the parent and end this process, even in a call that cannot be interrupted, such as the compiler's."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(grace_seconds)
        exit_at_once(1)
