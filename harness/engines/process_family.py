"""A process and those below it, as psutil sees them: the time and the memory that they use."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psutil import Process

LOOK_SECONDS = 1.0
"""How often it is looked who belongs to a family: all processes of the machine are looked at then."""
LARGEST_FAMILY = 256
"""The most processes of an engine that are looked at."""


class ProcessFamily:
    """A process and those below it."""

    def __init__(self, pid: int) -> None:
        self._pid, self._looked_at = pid, 0.0
        self._members: list[Process] = []

    def cpu_seconds(self) -> float:
        """Return the seconds of CPU that they have used, and the children that they have waited for; 0 once gone."""
        return self._sum(_cpu_seconds)

    def resident_bytes(self) -> float:
        """Return the memory that they have. Pages that several of them share count several times."""
        return self._sum(lambda process: float(process.memory_info().rss))

    def proportional_bytes(self) -> float:
        """Return the memory that they have; to find out which pages they share takes long."""
        return self._sum(_proportional_bytes)

    def _sum(self, figure: Callable[[Process], float]) -> float:
        import psutil  # here and below: it takes longer to load than most commands need

        total = 0.0
        for process in self._look():
            with suppress(psutil.Error):  # it has ended
                total += figure(process)
        return total

    def _look(self) -> list[Process]:
        import psutil

        if not self._members or time.monotonic() - self._looked_at > LOOK_SECONDS:
            with suppress(psutil.Error):
                process = psutil.Process(self._pid)
                self._members = [process, *process.children(recursive=True)][:LARGEST_FAMILY]
            self._looked_at = time.monotonic()
        return self._members


def _cpu_seconds(process: Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system + used.children_user + used.children_system)


def _proportional_bytes(process: Process) -> float:
    used = process.memory_full_info()
    return float(used.pss if hasattr(used, "pss") else used.uss)  # the latter where the system does not tell it
