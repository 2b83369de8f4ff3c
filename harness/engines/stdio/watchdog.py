"""Engines do not outlive us, even when we are killed: a small process waits for our end and kills them then.

Every process that starts engines has one. It reads the numbers of their sessions from a pipe, "+N" for
one that has begun and "-N" for one that has ended. Once the pipe ends, we are gone.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

_SOURCE = """
import os, signal
os.setsid()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
sessions, rest = set(), b""
while data := os.read(0, 4096):
    *lines, rest = (rest + data).split(b"\\n")
    for line in lines:
        (sessions.add if line[:1] == b"+" else sessions.discard)(int(line[1:]))
for session in sessions:
    try:
        os.killpg(session, signal.SIGKILL)
    except OSError:
        pass
"""

_lock = threading.Lock()
_watchdogs: dict[int, subprocess.Popen[bytes]] = {}
"""Our watchdog, by the number of our process: a copy of this process would need its own."""


def begun(session: int) -> None:
    """Have the engine of this session killed when this process ends, however that happens."""
    _tell(f"+{session}\n")


def ended(session: int) -> None:
    """Forget a session that has ended: its number may come again."""
    _tell(f"-{session}\n")


def pids() -> list[int]:
    """Return the number of this process's watchdog, if it has one."""
    watchdog = _watchdogs.get(os.getpid())
    return [] if watchdog is None else [watchdog.pid]


def _tell(line: str) -> None:
    if os.name != "posix":
        return
    with _lock, contextlib.suppress(OSError):  # without a watchdog we end engines only where we end in order
        os.write(_pipe(), line.encode())


def _pipe() -> int:
    """Return the pipe of this process's watchdog, which is started at the first call."""
    pid = os.getpid()
    if pid not in _watchdogs:
        _watchdogs[pid] = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SOURCE],
            stdin=subprocess.PIPE,  # no engine inherits our end, so none can keep it open
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
        )
    pipe = _watchdogs[pid].stdin
    assert pipe is not None, "a pipe"
    return pipe.fileno()
