"""Engines run in sessions of their own, where no Ctrl-C reaches them: whoever leaves in a hurry ends them first."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

_sessions: set[int] = set()


def add(session: int) -> None:
    """Remember the session of an engine that has been started."""
    _sessions.add(session)


def remove(session: int) -> None:
    """Forget a session that has ended."""
    _sessions.discard(session)


def exit_at_once(status: int) -> None:
    """Kill the engines and end this process, without any clearing up."""
    for session in list(_sessions):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(session, signal.SIGKILL)
    os._exit(status)
