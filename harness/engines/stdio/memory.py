"""The memory of an engine: it may have half of the machine's, so that a faulty one does not stop everything."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from ..process_family import ProcessFamily

SHARE = 0.5
"""Of the memory that this machine, or this container, has; a right engine with a large table has less."""
LOOK_SECONDS = 0.25
"""How often it is looked: an engine that takes a gigabyte a second is noticed in time."""
_CONTAINER = Path("/sys/fs/cgroup/memory.max")


@cache
def most_bytes() -> int:
    """Return how many bytes the processes of an engine may have together."""
    import psutil  # here: it takes longer to load than most commands need

    whole = int(psutil.virtual_memory().total)
    with suppress(OSError, ValueError):  # "max" where there is no limit
        whole = min(whole, int(_CONTAINER.read_text(encoding="ascii")))
    return int(SHARE * whole)


class MemoryGuard:
    """Looks now and then how much memory the processes of an engine have."""

    def __init__(self, family: ProcessFamily) -> None:
        self._family, self._due = family, time.monotonic() + LOOK_SECONDS

    def excess(self) -> int | None:
        """Return the bytes that may be had, where the processes have more; None where they have not, or none is due."""
        if time.monotonic() < self._due:
            return None
        self._due = time.monotonic() + LOOK_SECONDS
        most = most_bytes()
        is_too_much = self._family.resident_bytes() > most and self._family.proportional_bytes() > most
        return most if is_too_much else None
