"""The memory of an engine: it may have half of the machine's, so that a faulty one does not stop everything (Linux)."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from ..cpu_time import PROCESSES, family_of

SHARE = 0.5
"""Of the memory that this machine, or this container, has; a right engine with a large table has less."""
LOOK_SECONDS = 0.25
"""How often it is looked: an engine that takes a gigabyte a second is noticed in time."""
_CONTAINER = Path("/sys/fs/cgroup/memory.max")


@cache
def most_bytes() -> int | None:
    """Return how many bytes the processes of an engine may have together, None where nobody knows."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
    with suppress(OSError, ValueError):  # "max" where there is no limit
        whole = min(whole, int(_CONTAINER.read_text(encoding="ascii")))
    return int(SHARE * whole)


class MemoryGuard:
    """Looks now and then how much memory a process has, with those below it."""

    def __init__(self, pid: int) -> None:
        self._pid, self._due = pid, time.monotonic() + LOOK_SECONDS

    def excess(self) -> int | None:
        """Return the bytes that may be had, where the processes have more; None where they have not, or none is due."""
        if time.monotonic() < self._due or (most := most_bytes()) is None:
            return None
        self._due = time.monotonic() + LOOK_SECONDS
        # Pages that processes share count once; to find that out takes long.
        return most if self._sum(_resident) > most and self._sum(_proportional) > most else None

    def _sum(self, bytes_of: Callable[[Path], int]) -> int:
        used = 0
        for pid in family_of(self._pid):
            with suppress(OSError, ValueError, IndexError):  # it has ended
                used += bytes_of(PROCESSES / str(pid))
        return used


def _resident(process: Path) -> int:
    return int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _proportional(process: Path) -> int:
    found = re.search(r"^Pss:\s+(\d+) kB$", (process / "smaps_rollup").read_text(), re.MULTILINE)
    return 0 if found is None else int(found[1]) << 10
