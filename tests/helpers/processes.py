"""Inspect processes, and wait for conditions."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 120.0
"""Seconds until a test stops waiting, far more than needed on a busy machine."""


def restore_signals() -> None:
    """Restore the default handling of SIGINT and SIGHUP in a new process (`preexec_fn`).

    A shell starts background jobs with SIGINT ignored, and children inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def until(holds: Callable[[], object], what: str = "what the test waits for") -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"timeout while waiting for {what}"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Return True if a process is running and no zombie."""
    return _stat(pid)[:1] not in ([], ["Z"])


def processor_seconds(pid: int) -> float:
    """Return the CPU time of a process in seconds."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def handles(pid: int, number: signal.Signals) -> bool:
    """Return True if a process has installed a handler for a signal."""
    return bool(_signals(pid, "SigCgt") >> number - 1 & 1)


def is_pending(pid: int, number: signal.Signals) -> bool:
    """Return True if a signal is pending for a running process."""
    return is_running(pid) and bool(_signals(pid, "ShdPnd") >> number - 1 & 1)


def has_loaded(pid: int, library: str) -> bool:
    """Return True if a process has loaded a library whose path contains this text."""
    return library in _text(f"/proc/{pid}/maps")


def processes_with(mark: str) -> list[int]:
    """Return the running processes that have `mark` in their environment."""
    return [pid for pid in _pids() if mark in _text(f"/proc/{pid}/environ") and is_running(pid)]


def processes_called_with(word: str) -> list[int]:
    """Return the running processes that have `word` in their command line."""
    return [pid for pid in _pids() if word in _text(f"/proc/{pid}/cmdline") and is_running(pid)]


def children_of(parent: int) -> list[int]:
    """Return the running children of a process."""
    return [pid for pid in _pids() if _stat(pid)[1:2] == [str(parent)] and is_running(pid)]


def spawned_by(parent: int) -> list[int]:
    """Return the spawned Python children of a process, without its resource tracker."""
    return [pid for pid in children_of(parent) if "spawn_main" in _text(f"/proc/{pid}/cmdline")]


def _pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def _signals(pid: int, field: str) -> int:
    lines = [line.split() for line in _text(f"/proc/{pid}/status").splitlines()]
    return next((int(words[1], 16) for words in lines if words[0] == f"{field}:"), 0)


def _stat(pid: int) -> list[str]:
    return _text(f"/proc/{pid}/stat").rpartition(")")[2].split()


def _text(path: str) -> str:
    try:
        return Path(path).read_bytes().decode(errors="replace")
    except OSError:  # it has ended
        return ""
