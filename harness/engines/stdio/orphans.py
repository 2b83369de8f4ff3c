"""Daemons that engines leave behind (Linux).

A daemon leaves its session, and may empty its environment, so that nothing of its own says whose it is.
But its parent is gone, and a process without a parent falls to the nearest ancestor that adopts such
processes (`prctl(2)`, PR_SET_CHILD_SUBREAPER). Our program is one: what it has adopted was an engine's.
Once we are killed ourselves, nobody can tell any more.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import suppress

from ...model.shutdown import any_session

_PR_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 8
"""A killed process may leave processes of its own, which come to us in the next round."""

_adopting: set[int] = set()
"""Our process, by its number, if it adopts: a copy of it does not."""
starting = threading.Lock()
"""Held while an engine is started: until its session is remembered, it looks like an adopted process."""


def adopt() -> None:
    """Adopt from now on what the engines of this process leave behind. Only a program of ours may do so."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
                _adopting.add(os.getpid())


def end_adopted(ours: Collection[int]) -> None:
    """Kill all adopted processes, unless an engine runs that may still need its daemon.

    `ours` are the processes, besides engines, that we have started in sessions of their own.
    """
    if os.getpid() not in _adopting:
        return
    with starting:
        for _ in range(_MOST_ROUNDS):
            adopted = [] if any_session() else list(_find_adopted(ours))
            for pid in adopted:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
            if not adopted:
                return


def _find_adopted(ours: Collection[int]) -> Iterator[int]:
    """Yield our children in other sessions than ours that we have not started."""
    import psutil  # here: it takes longer to load than most commands need

    session = os.getsid(0)
    for child in psutil.Process().children():
        with suppress(OSError):
            if os.getsid(child.pid) != session and child.pid not in ours:
                yield child.pid
