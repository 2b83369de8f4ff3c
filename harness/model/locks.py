"""A lock between processes: a file that is removed when the lock is released.

The system releases the lock of a process that was killed. Its file is left, and the next holder removes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file `path` for this block, and remove it at the end.

    A process that was waiting for the removed file notices that and begins again with a new one (filelock does so
    since version 3.24), so that two processes never hold locks on two files of the same name.

    Raises
    ------
    filelock.Timeout
        If another process holds the lock for so many seconds.
    OSError
        If the file cannot be made. Its folder is not made.
    """
    path.parent.stat()  # else the library would make the folder
    with FileLock(path, timeout=seconds):
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes no open file; the library does so after the release
                path.unlink()
