"""A lock between processes: a file that is removed when it is released."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file `path` for this block, and remove it in the end.

    Raises filelock.Timeout if another process holds it for so many seconds, OSError if it cannot be made; the folder is
    not made.
    """
    path.parent.stat()  # else the library would make the folder
    lock = FileLock(path, timeout=seconds)
    lock.acquire()
    while not path.exists():  # its last holder has removed it while this process waited for it
        lock.release()
        lock.acquire()
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file; the library does so after the release
            path.unlink()
        lock.release()
