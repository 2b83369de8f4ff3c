"""Processes of our own: which signals reach them, that they end with their parent, and work done side by side."""

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
from ...platforms.processes import IS_POSIX, STOP_SIGNALS, let_signals_through, signals_held_back
from ..garbage_collection import collect_seldom
from ..shutdown import exit_at_once
from . import our_environment

GRACE_SECONDS = 2.0
"""How long what is under way may take to end once the parent is gone."""


def python_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this package in a new Python, which imports nothing from the folder."""
    return [sys.executable, "-P", "-m", module, *words]


def become_ours(grace_seconds: float = 0.0) -> None:
    """Let the parent alone decide in this new process when it ends: so long after itself at the latest."""
    leave_signals_to_the_parent()
    orphans.adopt()
    our_environment.load_numpy()
    our_environment.forget()
    collect_seldom()
    threading.Thread(target=_end_with_the_parent, args=(grace_seconds,), daemon=True, name="guard").start()


def leave_signals_to_the_parent() -> None:
    """Ctrl-C reaches the whole group, but the parent alone decides. A handler, unlike SIG_IGN, is not inherited."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda _number, _frame: None)
    let_signals_through()


def _end_with_the_parent(grace_seconds: float) -> None:
    """End this process some time after its parent: even in a call that does not react, such as the compiler's."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(grace_seconds)
        exit_at_once(1)


@contextmanager
def starting() -> Iterator[None]:
    """Let processes of ours be started in this block."""
    with our_environment.ours():
        # Else the first start starts the tracker, too, which lets the signals through.
        if IS_POSIX:
            resource_tracker.ensure_running()
        # No Ctrl-C is to reach a process that is being started, before it can handle it; here it comes a little later.
        with signals_held_back():
            yield
