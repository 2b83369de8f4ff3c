"""Processes and signals, with the functions of POSIX or, on other systems, with psutil.

On POSIX an engine runs in its own session, so that one call kills it and its descendants. Windows has no sessions, so
an engine runs in its own process group, which does not receive Ctrl-C (`CREATE_NEW_PROCESS_GROUP` in the documentation
of `subprocess`), and its processes are killed one by one.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import glob
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psutil import Process

PORTABLE = "PERFT_CHECK_PORTABLE"
"""Environment variable with which tests select the portable code on POSIX systems."""
IS_WINDOWS = sys.platform.startswith("win")
IS_POSIX = os.name == "posix" and not os.environ.get(PORTABLE)
"""Whether POSIX functions are used."""
HANGUP: signal.Signals | None = getattr(signal, "SIGHUP", None)
"""The signal sent when the terminal is closed, or None on Windows."""
_STOP_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
STOP_SIGNALS: list[signal.Signals] = [getattr(signal, name) for name in _STOP_NAMES if hasattr(signal, name)]
"""Signals that ask the program to exit. SIGBREAK is Ctrl-Break on Windows."""
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that kills a process. On Windows, `os.kill` calls TerminateProcess for any signal but console events."""
_CREATE_NEW_PROCESS_GROUP, _CREATE_NO_WINDOW = 0x200, 0x0800_0000
_BATCH = (".bat", ".cmd")
_STATUSES = {
    0xC000_0005: "an access violation",
    0xC000_001D: "an illegal instruction",
    0xC000_0094: "a division by zero",
    0xC000_00FD: "a stack overflow",
    0xC000_0135: "a library that is not found",
    0xC000_0374: "a damaged heap",
    0xC000_0409: "an overrun buffer or a failed check",
}
"""Reasons why Windows terminates a process, by exit status ("NTSTATUS Values", [MS-ERREF] 2.3.1)."""
LOOK_SECONDS = 1.0
"""Interval between searches for the members of a family, which scan all processes of the machine."""
LARGEST_FAMILY = 256
"""Maximum number of processes in a family. Others are ignored."""


def start_options(inherited: Sequence[int] = ()) -> dict[str, Any]:
    """Return `Popen` arguments for a process that does not receive Ctrl-C.

    On POSIX the process inherits the given descriptors.
    """
    if IS_POSIX:
        return {"start_new_session": True, "pass_fds": inherited}
    if IS_WINDOWS:
        return {"creationflags": _CREATE_NEW_PROCESS_GROUP | _CREATE_NO_WINDOW}
    return {"process_group": 0}


def command_to_start(command: Sequence[str], is_windows: bool = IS_WINDOWS) -> list[str] | str:
    """Return the first argument of `Popen` for a command. On Windows, batch files are run by the shell.

    "To run a batch file, you must start the command interpreter" (CreateProcessW). Each word is quoted, so that only
    quotes and %, which cannot be escaped, remain special. `/s` strips the outermost quotes, and `/d` disables AutoRun
    commands (`cmd /?`).

    Raises OSError if a word for a batch file contains quotes or %.
    """
    if not is_windows or not command[0].lower().endswith(_BATCH):
        return list(command)
    if any(not letter.isprintable() or letter in '"%' for word in command for letter in word):
        raise OSError("a batch file takes no words with quotes or %")
    shell = os.path.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "cmd.exe")
    words = " ".join(f'"{word}"' for word in command)
    return f'"{shell}" /d /s /c "{words}"'


def end_of(status: int) -> str:
    """Return a phrase that describes how a process ended, given its exit status."""
    if status < 0:
        return f"was killed by {_signal_name(-status)}"
    what = _STATUSES.get(status)
    return f"exited with status {status}" if what is None else f"was ended by {what} (status {status:#x})"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def kill(pid: int) -> None:
    """Kill a process if it exists and the system permits it."""
    with suppress(OSError):
        os.kill(pid, _KILL)


def kill_family(pid: int) -> None:
    """Kill a process and its descendants (on POSIX, its process group) without waiting for them."""
    if IS_POSIX:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        return
    for process in ProcessFamily(pid).members():
        kill(process.pid)


def find_marked(name: str, values: Collection[str]) -> list[int]:
    """Return the IDs of processes whose environment variable `name` has one of these values."""
    import psutil  # imported late, because the import takes longer than most commands

    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(name) in values:
                found.append(process.pid)
    return found


def can_fork() -> bool:
    """Return True if this process can be forked, which saves the second that a new process needs for its imports.

    There must be only one thread, because locks held by other threads are never released in a forked process. On macOS,
    the system libraries do not support forking.
    """
    return IS_POSIX and sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Block termination signals in this thread, and in processes started within the `with` block."""
    if not IS_POSIX:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_signals() -> None:
    """Unblock the termination signals that were blocked when this process was started."""
    if IS_POSIX:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


class ProcessFamily:
    """A process and its descendants, with their memory usage as reported by psutil."""

    def __init__(self, pid: int) -> None:
        self._pid, self._looked_at = pid, 0.0
        self._members: list[Process] = []

    def resident_bytes(self) -> float:
        """Return the resident memory of the processes. Shared pages are counted once per process."""
        return self._sum(lambda process: float(process.memory_info().rss))

    def proportional_bytes(self) -> float:
        """Return the memory of the processes with shared pages counted once. This takes longer."""
        return self._sum(_proportional_bytes)

    def limit_memory(self, size: int) -> bool:
        """Limit the address space of the process to `size` bytes. Return False if the system does not support this."""
        import psutil

        if not IS_POSIX or not hasattr(psutil.Process, "rlimit"):
            return False
        with suppress(psutil.Error, OSError):
            psutil.Process(self._pid).rlimit(psutil.RLIMIT_AS, (size, size))
        return True

    def is_running(self) -> bool:
        """Return True if a thread of the processes is running or waiting for a CPU, or False if this is not reported.

        Linux reports state R in /proc/[pid]/task/[tid]/stat (proc(5)); psutil has only the state of the first thread.
        """
        return any(_is_thread_running(file) for one in self.members() for file in glob(f"/proc/{one.pid}/task/*/stat"))

    def members(self) -> list[Process]:
        """Return the processes of the family, from a list that is at most `LOOK_SECONDS` old."""
        import psutil

        if not self._members or time.monotonic() - self._looked_at > LOOK_SECONDS:
            with suppress(psutil.Error):
                process = psutil.Process(self._pid)
                self._members = [process, *process.children(recursive=True)][:LARGEST_FAMILY]
            self._looked_at = time.monotonic()
        return self._members

    def _sum(self, figure: Callable[[Process], float]) -> float:
        import psutil

        total = 0.0
        for process in self.members():
            with suppress(psutil.Error):  # it has exited
                total += figure(process)
        return total


def _is_thread_running(stat: str) -> bool:
    try:
        with open(stat, "rb") as file:
            return file.read().rpartition(b") ")[2].startswith(b"R")  # behind the name, which may contain anything
    except OSError:  # it has ended
        return False


def _proportional_bytes(process: Process) -> float:
    used = process.memory_full_info()
    return float(used.pss if hasattr(used, "pss") else used.uss)  # not all systems report `pss`
