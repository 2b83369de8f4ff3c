"""Memory: how much there is, how much an engine may have, and a file that two processes map.

An engine may have half of the machine's memory, so that a faulty one does not stop everything.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from functools import cache

from .processes import IS_POSIX, ProcessFamily

SHARE = 0.5
"""Of the memory that this machine, or this container, has; a right engine with a large table has less."""
CONTROL_GROUP = "/sys/fs/cgroup"
"""Of the container that we are in, on Linux."""
LOOK_SECONDS = 0.25
"""How often it is looked: an engine that takes a gigabyte a second is noticed in time."""


@cache
def most_bytes() -> int:
    """Return how many bytes the processes of an engine may have together."""
    import psutil  # here and below: it takes longer to load than most commands need

    limit, _ = _of_container()
    whole = int(psutil.virtual_memory().total)
    return int(SHARE * (whole if limit is None else min(whole, limit)))


def available_bytes() -> int:
    """Return the bytes that may be taken without other programs losing theirs, as far as the system tells."""
    import psutil

    known = [int(psutil.virtual_memory().available)]
    limit, used = _of_container()
    if limit is not None and used is not None:
        known.append(max(0, limit - used))
    process = psutil.Process()
    if hasattr(process, "rlimit"):  # its own limit (`ulimit -v`)
        most, _ = process.rlimit(psutil.RLIMIT_AS)
        if most != psutil.RLIM_INFINITY:
            known.append(max(0, most - process.memory_info().vms))
    return min(known)


def _of_container() -> tuple[int | None, int | None]:
    """Return the limit of the container that we are in, and what is taken of it, by its control group (Linux).

    Not counted as taken are files that were read and may be dropped: they fill a container that is otherwise empty.
    """
    limit, used = _number_in("memory.max"), _number_in("memory.current")
    return limit, None if used is None else used - (_number_in("memory.stat", "inactive_file ") or 0)


def _number_in(name: str, start: str = "") -> int | None:
    """Return the number of the line of a control file that starts so; None if there is none, or only a word."""
    with suppress(OSError, ValueError), open(f"{CONTROL_GROUP}/{name}", encoding="ascii") as file:  # "max": no limit
        return next((int(line.removeprefix(start)) for line in file if line.startswith(start)), None)
    return None


class MemoryGuard:
    """Looks now and then how much memory the processes of an engine have."""

    def __init__(self, family: ProcessFamily, most: int | None = None) -> None:
        """Take the processes, and how many bytes they may have; by default the share of the machine's memory."""
        self._family, self._most, self._due = family, most, time.monotonic() + LOOK_SECONDS

    def excess(self) -> int | None:
        """Return the bytes that may be had, where the processes have more; None if they have not, or none is due."""
        if time.monotonic() < self._due:
            return None
        self._due = time.monotonic() + LOOK_SECONDS
        most = most_bytes() if self._most is None else self._most
        is_too_much = self._family.resident_bytes() > most and self._family.proportional_bytes() > most
        return most if is_too_much else None


class SharedFile:
    """A file that another process of ours maps as well: without a name on POSIX, where that process inherits it.

    Elsewhere a process inherits nothing but its three pipes. It opens the file by its path, and `close` removes it.
    """

    def __init__(self) -> None:
        """Make the file. Raises OSError."""
        self._path = ""
        if IS_POSIX and hasattr(os, "memfd_create"):  # Linux
            self.descriptor = os.memfd_create("perft-check")
        elif IS_POSIX:
            with tempfile.TemporaryFile() as file:
                self.descriptor = os.dup(file.fileno())
        else:
            self.descriptor, self._path = tempfile.mkstemp(prefix="perft-check-")
        self.word = self._path or str(self.descriptor)
        """What `open_shared` of the other process takes."""
        self.inherited = () if self._path else (self.descriptor,)
        """The descriptors that the other process needs."""

    def close(self) -> None:
        """Give the memory back: once no process has it any more."""
        os.close(self.descriptor)
        if self._path:
            with suppress(OSError):  # Windows removes no file that a process still maps; its folder is a temporary one
                os.unlink(self._path)


class NamedSharedFile:
    """A file that other processes open by its path: on Linux one that nobody has to remove, else a temporary one."""

    def __init__(self, size: int = 0) -> None:
        """Make the file, of so many bytes, all zero. Raises OSError."""
        self._is_temporary = not (IS_POSIX and hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"))
        if self._is_temporary:
            self.descriptor, self.path = tempfile.mkstemp(prefix="perft-check-")
        else:
            self.descriptor = os.memfd_create("perft-check")
            self.path = f"/proc/{os.getpid()}/fd/{self.descriptor}"
        os.truncate(self.descriptor, size)

    def read(self, size: int, start: int) -> bytes:
        """Return up to so many bytes from a place on; fewer, or none, where the file ends or cannot be read."""
        try:
            os.lseek(self.descriptor, start, os.SEEK_SET)
            return os.read(self.descriptor, size)
        except OSError:
            return b""

    def write(self, data: bytes, start: int) -> None:
        """Write bytes to a place, as far as that can be done."""
        with suppress(OSError):
            os.lseek(self.descriptor, start, os.SEEK_SET)
            os.write(self.descriptor, data)

    def clear(self) -> None:
        """Leave no byte in it."""
        with suppress(OSError):
            os.truncate(self.descriptor, 0)

    def close(self) -> None:
        """Close it for this process, and remove a temporary one."""
        with suppress(OSError):
            os.close(self.descriptor)
        if self._is_temporary:
            with suppress(OSError):
                os.unlink(self.path)


def open_shared(word: str) -> int:
    """Return the descriptor of a file of another process. Raises OSError."""
    return int(word) if word.isdigit() else os.open(word, os.O_RDWR | getattr(os, "O_BINARY", 0))


def extend(descriptor: int, size: int) -> None:
    """Let a file have so many bytes. Raises OSError.

    It is written to: Windows lets no `ftruncate` at a file that is mapped ("SetEndOfFile", remarks).
    """
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    os.write(descriptor, b"\0")
