"""Terminate engines and their children, even if perft-check is killed.

Every process that starts engines first starts a watchdog, a small process that reads from a pipe: "?MARK" for an engine
that is about to start, "+PID" when its process ID is known, and "-PID" when it has exited. When the pipe closes,
perft-check has exited, and the watchdog kills the remaining engines. A mark in their environment identifies engines
that were about to start, and processes that engines have started in other sessions.

A daemon leaves its session and may clear its environment. On Linux, however, orphans are adopted by the nearest
ancestor that is a subreaper (`prctl(2)`, PR_SET_CHILD_SUBREAPER). perft-check is a subreaper, so every process that it
adopts was started by an engine. If perft-check itself is killed, daemons without a mark are not found.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from .processes import IS_POSIX, STOP_SIGNALS, find_marked, kill, kill_family, start_options

MARK = "PERFT_CHECK_PROCESS"
"""Environment variable that marks an engine and its descendants."""
_PR_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 8
"""Maximum number of passes. Children of a killed process are found in the next pass."""
_START_SECONDS = 2.0
"""Time limit for finding an engine that was about to start. Until `exec`, it has perft-check's environment."""
_LOOK_SECONDS = 0.05
_WATCH = "import sys; sys.path += sys.argv[1:]; from platforms.orphans import watch; watch()"
"""The code of the watchdog. Its arguments are the folders of this package and of psutil."""

_lock = threading.Lock()
_watchdogs: dict[int, subprocess.Popen[bytes]] = {}
"""The watchdog, by the ID of this process, because a forked process needs its own."""
_adopting: set[int] = set()
"""The ID of this process if it adopts orphans. Forked processes do not."""
starting = threading.Lock()
"""Held while an engine starts, because it looks like an adopted process until it is registered."""


def note_start(mark: str) -> None:
    """Register an engine that is about to start. It is killed if this process exits before `note_begun`.

    An empty mark means that starting failed. Only one engine starts at a time.
    """
    _send(f"?{mark}\n")


def note_begun(pid: int) -> None:
    """Register a started engine, so that it is killed when this process exits for any reason."""
    _send(f"+{pid}\n")


def note_ended(pid: int) -> None:
    """Unregister an engine that has exited, because its process ID may be reused."""
    _send(f"-{pid}\n")


def _send(line: str) -> None:
    with _lock, suppress(OSError):  # without a watchdog, engines are only killed if perft-check exits normally
        os.write(_pipe(), line.encode())


def _pipe() -> int:
    """Return the pipe to the watchdog, which is started by the first call."""
    pid = os.getpid()
    if pid not in _watchdogs:
        psutil = find_spec("psutil")
        packages = [Path(__file__).parent, *((psutil and psutil.submodule_search_locations) or ())]
        _watchdogs[pid] = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH, *(str(Path(one).parent) for one in packages)],
            stdin=subprocess.PIPE,  # engines do not inherit it, so none can keep it open
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=os.path.abspath(os.sep),
            env={name: value for name, value in os.environ.items() if name != MARK},  # perft-check may be an engine
            **start_options(),
        )
    pipe = _watchdogs[pid].stdin
    assert pipe is not None, "a pipe"
    return pipe.fileno()


def watch() -> None:
    """Run the watchdog: at the end of stdin, kill the registered engines and their descendants."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    engines: dict[int, str] = {}
    mark = ""
    for line in sys.stdin:
        operation, value = line[0], line[1:-1]
        if operation == "?":
            mark = value
        elif operation == "+":
            engines[int(value)], mark = mark, ""
        else:
            engines.pop(int(value), None)
    end = time.monotonic() + _START_SECONDS
    while mark and not find_marked(MARK, {mark}) and time.monotonic() < end:
        time.sleep(_LOOK_SECONDS)
    for pid in engines:
        kill_family(pid)
    kill_marked({mark, *engines.values()} - {""})


def kill_marked(marks: Collection[str]) -> None:
    """Kill processes with these marks, which engines have started in other sessions."""
    for _ in range(_MOST_ROUNDS):
        left = find_marked(MARK, marks) if marks else []
        for pid in left:
            kill(pid)
        if not left:
            return


def adopt() -> None:
    """Make this process adopt orphans of its engines (Linux). Call it only in perft-check's own programs."""
    if IS_POSIX and sys.platform == "linux":
        with suppress(OSError, AttributeError):
            if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
                _adopting.add(os.getpid())


def end_adopted(is_needed: Callable[[], bool]) -> None:
    """Kill all adopted processes unless `is_needed()`, because a running engine may need its daemon."""
    if os.getpid() not in _adopting:
        return
    watchdog = _watchdogs.get(os.getpid())
    with starting:
        for _ in range(_MOST_ROUNDS):
            adopted = [] if is_needed() else list(_find_adopted([] if watchdog is None else [watchdog.pid]))
            for pid in adopted:
                kill(pid)
                with suppress(OSError):
                    os.waitpid(pid, 0)
            if not adopted:
                return


def _find_adopted(started: Collection[int]) -> Iterator[int]:
    """Yield child processes in other sessions, except those in `started`."""
    import psutil  # imported late, because the import takes longer than most commands

    session = os.getsid(0)
    for child in psutil.Process().children():
        with suppress(OSError):
            if os.getsid(child.pid) != session and child.pid not in started:
                yield child.pid
