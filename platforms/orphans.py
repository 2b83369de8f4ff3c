"""Engines do not outlive us, nor does what they leave behind.

Against our own sudden end there is a watchdog, a small process that waits for it. Every process that starts engines
has one, before the first of them. It reads from a pipe: "?MARK" for an engine that is about to start, "+N" for the
number of its process once that is known, and "-N" for one that has ended. Once the pipe ends, we are gone. An engine
that was about to start then, and what engines have started in sessions of its own, is looked for by its mark, which is
in an environment variable.

A daemon leaves its session, and may empty its environment, so that nothing of its own says whose it is. But its parent
is gone, and on Linux a process without a parent falls to the nearest ancestor that adopts such processes (`prctl(2)`,
PR_SET_CHILD_SUBREAPER). Our program is one: what it has adopted was an engine's. Once we are killed ourselves, nobody
can tell any more.
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
"""Environment variable by which we find again whatever an engine has left behind."""
_PR_SET_CHILD_SUBREAPER = 36
_MOST_ROUNDS = 8
"""A killed process may leave processes of its own, which come to us in the next round."""
_START_SECONDS = 2.0
"""How long an engine that was about to start is looked for: it may have been copied from us, and have our variables."""
_LOOK_SECONDS = 0.05
_WATCH = "import sys; sys.path += sys.argv[1:]; from platforms.orphans import watch; watch()"
"""What the watchdog runs, without anything of where it is started: it gets the folders of ours and of psutil."""

_lock = threading.Lock()
_watchdogs: dict[int, subprocess.Popen[bytes]] = {}
"""Our watchdog, by the number of our process: a copy of this process would need its own."""
_adopting: set[int] = set()
"""Our process, by its number, if it adopts: a copy of it does not."""
starting = threading.Lock()
"""Held while an engine is started: until it is remembered, it looks like an adopted process."""


def note_start(mark: str) -> None:
    """Have an engine killed that is about to start with this mark, if we end before `note_begun` is called.

    "" says that it could not be started. One engine starts at a time.
    """
    _tell(f"?{mark}\n")


def note_begun(pid: int) -> None:
    """Have this engine killed when this process ends, however that happens."""
    _tell(f"+{pid}\n")


def note_ended(pid: int) -> None:
    """Forget an engine that has ended: its number may be used again."""
    _tell(f"-{pid}\n")


def _tell(line: str) -> None:
    with _lock, suppress(OSError):  # without a watchdog we end engines only where we end in order
        os.write(_pipe(), line.encode())


def _pipe() -> int:
    """Return the pipe of this process's watchdog, which is started at the first call."""
    pid = os.getpid()
    if pid not in _watchdogs:
        psutil = find_spec("psutil")
        packages = [Path(__file__).parent, *((psutil and psutil.submodule_search_locations) or ())]
        _watchdogs[pid] = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WATCH, *(str(Path(one).parent) for one in packages)],
            stdin=subprocess.PIPE,  # no engine inherits our end, so none can keep it open
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=os.path.abspath(os.sep),
            env={name: value for name, value in os.environ.items() if name != MARK},  # where we are an engine ourselves
            **start_options(),
        )
    pipe = _watchdogs[pid].stdin
    assert pipe is not None, "a pipe"
    return pipe.fileno()


def watch() -> None:
    """Be the watchdog: kill the engines that the pipe has told of, and what they have left behind, once it ends."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    engines: dict[int, str] = {}
    mark = ""
    for line in sys.stdin:
        kind, told = line[0], line[1:-1]
        if kind == "?":
            mark = told
        elif kind == "+":
            engines[int(told)], mark = mark, ""
        else:
            engines.pop(int(told), None)
    end = time.monotonic() + _START_SECONDS
    while mark and not find_marked(MARK, {mark}) and time.monotonic() < end:
        time.sleep(_LOOK_SECONDS)
    for pid in engines:
        kill_family(pid)
    kill_marked({mark, *engines.values()} - {""})


def kill_marked(marks: Collection[str]) -> None:
    """Kill what engines with these marks have started in sessions of its own."""
    for _ in range(_MOST_ROUNDS):
        left = find_marked(MARK, marks) if marks else []
        for pid in left:
            kill(pid)
        if not left:
            return


def adopt() -> None:
    """Adopt from now on what the engines of this process leave behind. Only a program of ours may do so."""
    if IS_POSIX and sys.platform == "linux":
        with suppress(OSError, AttributeError):
            if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0:
                _adopting.add(os.getpid())


def end_adopted(is_needed: Callable[[], bool]) -> None:
    """Kill all adopted processes, unless `is_needed` says that an engine runs that may still need its daemon."""
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


def _find_adopted(ours: Collection[int]) -> Iterator[int]:
    """Yield our children in other sessions than ours that we have not started."""
    import psutil  # here: it takes longer to load than most commands need

    session = os.getsid(0)
    for child in psutil.Process().children():
        with suppress(OSError):
            if os.getsid(child.pid) != session and child.pid not in ours:
                yield child.pid
