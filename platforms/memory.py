"""Memory limits for engines, and memory-mapped files shared between processes.

An engine may use half of the machine's memory, so that a faulty engine cannot bring the machine to a halt.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from functools import cache

from .processes import IS_POSIX, ProcessFamily

SHARE = 0.5
"""Fraction of the machine's or container's memory. Correct engines need less, even with a large hash table."""
CONTROL_GROUP = "/sys/fs/cgroup"
"""Control group of this process's container on Linux."""
LOOK_SECONDS = 0.25
"""Interval between checks in seconds, short enough for an engine that allocates a gigabyte per second."""


@cache
def most_bytes() -> int:
    """Return the number of bytes that all processes of an engine may use together."""
    import psutil  # imported late, because the import takes longer than most commands

    limit, _ = _of_container()
    total = int(psutil.virtual_memory().total)
    return int(SHARE * (total if limit is None else min(total, limit)))


def available_bytes() -> int:
    """Return the number of bytes that can be allocated without swapping, as reported by the system."""
    import psutil

    known = [int(psutil.virtual_memory().available)]
    limit, used = _of_container()
    if limit is not None and used is not None:
        known.append(max(0, limit - used))
    process = psutil.Process()
    if hasattr(process, "rlimit"):  # `ulimit -v`
        most, _ = process.rlimit(psutil.RLIMIT_AS)
        if most != psutil.RLIM_INFINITY:
            known.append(max(0, most - process.memory_info().vms))
    return min(known)


def _of_container() -> tuple[int | None, int | None]:
    """Return the memory limit and memory usage of this container's control group (Linux).

    Reclaimable file cache does not count as used, because it may fill an otherwise empty container.
    """
    limit, used = _number_in("memory.max"), _number_in("memory.current")
    return limit, None if used is None else used - (_number_in("memory.stat", "inactive_file ") or 0)


def _number_in(name: str, start: str = "") -> int | None:
    """Return the number in the line of a control file that starts with `start`, or None if there is none."""
    with suppress(OSError, ValueError), open(f"{CONTROL_GROUP}/{name}", encoding="ascii") as file:  # "max": no limit
        return next((int(line.removeprefix(start)) for line in file if line.startswith(start)), None)
    return None


class MemoryGuard:
    """Checks the memory usage of an engine's processes at intervals."""

    def __init__(self, family: ProcessFamily, most: int | None = None) -> None:
        """Watch processes that may use up to `most` bytes, by default `most_bytes()`."""
        self._family, self._most, self._due = family, most, time.monotonic() + LOOK_SECONDS

    def excess(self) -> int | None:
        """Return the limit if the processes exceed it, or None if they do not or the next check is not due."""
        if time.monotonic() < self._due:
            return None
        self._due = time.monotonic() + LOOK_SECONDS
        most = most_bytes() if self._most is None else self._most
        is_too_much = self._family.resident_bytes() > most and self._family.proportional_bytes() > most
        return most if is_too_much else None


class SharedFile:
    """A file that this process and a child process map into memory.

    On POSIX the file has no name, and the child inherits its descriptor. On other systems the child opens the file by
    its path, and `close` removes the file.
    """

    def __init__(self) -> None:
        self._path = ""
        if IS_POSIX and hasattr(os, "memfd_create"):  # Linux
            self.descriptor = os.memfd_create("perft-check")
        elif IS_POSIX:
            with tempfile.TemporaryFile() as file:
                self.descriptor = os.dup(file.fileno())
        else:
            self.descriptor, self._path = tempfile.mkstemp(prefix="perft-check-")
        self.word = self._path or str(self.descriptor)
        """The argument of `open_shared` in the child."""
        self.inherited = () if self._path else (self.descriptor,)
        """The descriptors that the child inherits."""

    def close(self) -> None:
        """Close the file. Its memory is released once no process maps it."""
        os.close(self.descriptor)
        if self._path:
            with suppress(OSError):  # Windows cannot remove a mapped file, which then stays in the temporary folder
                os.unlink(self._path)


class NamedSharedFile:
    """A file that other processes open by path: in memory on Linux, a temporary file on other systems."""

    def __init__(self, size: int = 0) -> None:
        """Create a file of `size` zero bytes. Raises OSError."""
        self._is_temporary = not (IS_POSIX and hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"))
        if self._is_temporary:
            self.descriptor, self.path = tempfile.mkstemp(prefix="perft-check-")
        else:
            self.descriptor = os.memfd_create("perft-check")
            self.path = f"/proc/{os.getpid()}/fd/{self.descriptor}"
        os.truncate(self.descriptor, size)

    def read(self, size: int, start: int) -> bytes:
        """Return up to `size` bytes from the offset `start`, or b"" if the file cannot be read."""
        try:
            os.lseek(self.descriptor, start, os.SEEK_SET)
            return os.read(self.descriptor, size)
        except OSError:
            return b""

    def write(self, data: bytes, start: int) -> None:
        """Write bytes at the offset `start`. Errors are ignored."""
        with suppress(OSError):
            os.lseek(self.descriptor, start, os.SEEK_SET)
            os.write(self.descriptor, data)

    def clear(self) -> None:
        """Truncate the file to zero bytes."""
        with suppress(OSError):
            os.truncate(self.descriptor, 0)

    def close(self) -> None:
        """Close the file, and delete it if it is a temporary file."""
        with suppress(OSError):
            os.close(self.descriptor)
        if self._is_temporary:
            with suppress(OSError):
                os.unlink(self.path)


def open_shared(word: str) -> int:
    """Return the descriptor of a file shared by the parent, given its `SharedFile.word`. Raises OSError."""
    return int(word) if word.isdigit() else os.open(word, os.O_RDWR | getattr(os, "O_BINARY", 0))


def extend(descriptor: int, size: int) -> None:
    """Extend a file to `size` bytes by writing the last byte. Raises OSError.

    Windows does not support `ftruncate` for mapped files ("SetEndOfFile", remarks).
    """
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    os.write(descriptor, b"\0")
