"""Files that several processes use: written whole or not at all, and locked."""

from __future__ import annotations

import os
import secrets
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from .platforms.processes import IS_WINDOWS
from .platforms.streams import open_for_readers

REPLACE_PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Seconds between two tries to replace a file."""


def write_atomically(path: Path, data: bytes | Iterable[bytes], mode: int = 0o666) -> None:
    """Replace a file at once and as a whole; what it said before is kept until the new version is on the disk.

    Data that is large may come in pieces.

    A link stays a link, to the new version; an existing file keeps its permissions, and a new one has
    those of `mode`, less the umask. What is no regular file (a terminal, a pipe) is written to as it
    is. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    pieces = (data,) if isinstance(data, bytes) else data
    if target.exists() and not target.is_file():
        with open(target, "wb", opener=open_for_readers) as file:
            file.writelines(pieces)
        return
    # Not from `tempfile`, whose files nobody else may read.
    temporary = target.with_name(f".perft-check-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb", opener=partial(os.open, mode=mode)) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        replace_file(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def replace_file(source: Path, target: Path) -> None:
    """Let a file take the place of another one. Raises OSError.

    Windows refuses that as long as somebody has the other one open, as who looks for viruses has for a moment
    (ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION of MoveFileEx; Python raises PermissionError for both).
    """
    for pause in REPLACE_PAUSES:
        try:
            source.replace(target)
            return
        except PermissionError:
            if not IS_WINDOWS:
                raise
            time.sleep(pause)
    source.replace(target)


def _sync_folder(folder: Path) -> None:
    """Make a renaming last through a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file `path` for this block, and remove it at the end.

    The system releases the lock of a process that was killed; its file is left, and the next holder removes it. A
    process that was waiting for a removed file notices that and starts over with a new one (filelock does so since
    version 3.24), so that two processes never hold locks on two files of the same name.

    Raises
    ------
    filelock.Timeout
        If another process holds the lock for `seconds`.
    OSError
        If the file cannot be created. Its folder is not created.
    """
    from filelock import FileLock

    path.parent.stat()  # otherwise filelock would create the folder
    with FileLock(path, timeout=seconds):
        try:
            yield
        finally:
            with suppress(OSError):  # Windows cannot remove an open file; filelock does so after the release
                path.unlink()
