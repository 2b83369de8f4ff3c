"""The CPU time of the processes of engines, by the name of the engine.

A process that runs is looked up in `/proc` together with those below it (Linux), in hundredths of a second. One that
has ended was waited for, and the system then tells exactly how long it has worked, if no other thread waits then.
"""

from __future__ import annotations

import os
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PROCESSES = Path("/proc")
IS_KNOWN = (PROCESSES / "self" / "stat").exists()
"""Whether this system tells the CPU time of processes that run."""
USED, BELOW = slice(11, 15), "task/*/children"
"""Where the `stat` of a process has its own time and that of children it has waited for; who its children are."""
LARGEST_FAMILY = 256
"""The most processes of an engine that are looked at."""

_ended: defaultdict[str, float] = defaultdict(float)
_running: defaultdict[str, set[Child]] = defaultdict(set)


class Child(subprocess.Popen[bytes]):
    """A process of an engine, which counts for the engine from `count_for` on."""

    _engine: str | None = None
    _seconds = 0.0

    def count_for(self, engine: str) -> None:
        """Let the CPU time of this process be a part of what the engine has used."""
        self._engine = engine
        _running[engine].add(self)

    def look(self) -> float:
        """Return the seconds of CPU of this process and those below it."""
        if self._engine is not None:  # else it was waited for, and its number may be that of another one
            self._seconds = max(self._seconds, _of_family(self.pid))
        return self._seconds

    def poll(self) -> int | None:
        """Return the exit status, None while the process runs."""
        return self._wait_by(super().poll)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status once the process has ended. Raises TimeoutExpired."""
        wait = super().wait
        return self._wait_by(lambda: wait(timeout))

    def _wait_by(self, wait: Callable[[], T]) -> T:
        """Wait; if the process has ended now, note what the system tells of it."""
        if self._engine is None:
            return wait()
        before = _of_those_waited_for()
        try:
            return wait()
        finally:
            if self.returncode is not None:
                # What it has left behind is not waited for with it, but was looked at before it was killed.
                _ended[self._engine] += max(self._seconds, _of_those_waited_for() - before)
                _running[self._engine].discard(self)
                self._engine = None


def used_by(engine: str) -> float | None:
    """Return the seconds of CPU that the processes of an engine have used; None where it has none, or nobody knows.

    Only processes that this process has started count.
    """
    is_process = engine in _ended or engine in _running
    return _ended[engine] + sum(child.look() for child in _running[engine]) if IS_KNOWN and is_process else None


def used_by_all() -> float:
    """Return the seconds of CPU that the processes of all engines have used, as far as this is known."""
    return sum(used_by(engine) or 0.0 for engine in {*_ended, *_running})


def _of_those_waited_for() -> float:
    """Return the seconds of CPU of all children that we have waited for."""
    if not IS_KNOWN:
        return 0.0
    import resource  # Windows has none

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family_of(pid: int) -> list[int]:
    """Return a process and those below it, at most `LARGEST_FAMILY` or so."""
    family = [pid]
    for member in family:
        if len(family) < LARGEST_FAMILY:
            family += _children(member)
    return family


def _of_family(pid: int) -> float:
    """Return the seconds of CPU of a process and those below it; 0 where it has gone."""
    return sum(map(_of_process, family_of(pid)))


def _of_process(pid: int) -> float:
    try:
        fields = (PROCESSES / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[USED])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for file in (PROCESSES / str(pid)).glob(BELOW) for one in file.read_text().split()]
    except OSError:
        return []


def _forget() -> None:
    """Forget the processes of the parent of this process."""
    _ended.clear()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
