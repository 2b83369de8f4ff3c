"""Write files atomically, and lock files shared between processes."""

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
"""Seconds to wait between attempts to replace a file."""


def write_atomically(path: Path, data: bytes | Iterable[bytes], mode: int = 0o666) -> None:
    """Replace the content of a file atomically, once the new content has been written to disk.

    Symbolic links are followed. An existing file keeps its permissions; a new file has those of `mode`, restricted by
    the umask. Terminals and pipes are written to directly.

    Args:
        path: The file.
        data: The new content, as bytes or an iterable of chunks.
        mode: Permissions of a new file.

    Raises:
        OSError: If the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    pieces = (data,) if isinstance(data, bytes) else data
    if target.exists() and not target.is_file():
        with open(target, "wb", opener=open_for_readers) as file:
            file.writelines(pieces)
        return
    # `tempfile` would create a file that only the user can read.
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
    """Rename a file, replacing the target. Raises OSError.

    On Windows this is retried for a second, because it fails while another program, such as a virus scanner, has the
    target open (MoveFileEx fails with ERROR_ACCESS_DENIED or ERROR_SHARING_VIOLATION, and Python raises PermissionError
    for both).
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
    """Flush a rename to disk, if the system supports it, so that it survives a power failure."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold the lock file `path` within the `with` block, and remove it afterwards.

    If a process is killed, the system releases its lock, and the next holder removes the file. A process that waits for
    a removed file starts over with a new one (filelock 3.24 or later), so that two processes never hold locks on
    different files of the same name.

    Raises
    ------
    filelock.Timeout
        If another process holds the lock for `seconds`.
    OSError
        If the file cannot be created, for example because its folder does not exist.
    """
    from filelock import FileLock

    path.parent.stat()  # otherwise filelock would create the folder
    with FileLock(path, timeout=seconds):
        try:
            yield
        finally:
            with suppress(OSError):  # Windows cannot remove an open file; filelock removes it after the release
                path.unlink()
