"""Engines do not outlive us, even when we are killed: a small process waits for our end and kills them then.

Every process that starts engines has one, before the first of them. It reads from a pipe: "?NAME=VALUE" for the
environment variable of an engine that is about to start, "+N" for the number of its session once that is known, and
"-N" for a session that has ended. Once the pipe ends, we are gone. An engine that was about to start then, and what
engines have started in sessions of its own, is looked for by that variable (Linux).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading

MARK = "PERFT_CHECK_PROCESS"
"""Environment variable by which we find again whatever an engine has left behind."""
_SOURCE = """
import os, signal, time
os.setsid()
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)

def marked(variables):
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and not variables.isdisjoint(open(f"/proc/{name}/environ", "rb").read().split(b"\\0")):
                yield int(name)
        except OSError:
            pass

def kill(number, by):
    try:
        by(number, signal.SIGKILL)
    except OSError:
        pass

sessions, starting, rest = {}, b"", b""
while data := os.read(0, 4096):
    *lines, rest = (rest + data).split(b"\\n")
    for line in lines:
        kind, told = line[:1], line[1:]
        if kind == b"?":
            starting = told
        elif kind == b"+":
            sessions[int(told)], starting = starting, b""
        else:
            sessions.pop(int(told), None)
for _ in range(40 if starting else 0):
    if [*marked({starting})]:
        break
    time.sleep(0.05)  # it may have been forked, and have our variables still
for session in sessions:
    kill(session, os.killpg)
for _ in range(8):  # what they have started in sessions of its own
    if not (left := [*marked({starting, *sessions.values()} - {b""})]):
        break
    for number in left:
        kill(number, os.kill)
"""

_lock = threading.Lock()
_watchdogs: dict[int, subprocess.Popen[bytes]] = {}
"""Our watchdog, by the number of our process: a copy of this process would need its own."""


def starting(variable: str) -> None:
    """Have an engine killed that is about to start with this environment variable, `NAME=VALUE`, if we end before
    `note_begun` is called. "" says that it could not be started. One engine starts at a time.
    """
    _tell(f"?{variable}\n")


def note_begun(session: int) -> None:
    """Have the engine of this session killed when this process ends, however that happens."""
    _tell(f"+{session}\n")


def note_ended(session: int) -> None:
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
            env={name: value for name, value in os.environ.items() if name != MARK},  # where we are an engine ourselves
        )
    pipe = _watchdogs[pid].stdin
    assert pipe is not None, "a pipe"
    return pipe.fileno()
