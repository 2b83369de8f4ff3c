"""Restore the working folder if an engine deletes it during a run, so that reports can be written."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

_STARTED_IN = [os.curdir]


def remember_folder() -> None:
    """Remember the working folder at the start of a command."""
    with suppress(OSError):  # it no longer exists; opening the first file will report that
        _STARTED_IN[:] = [os.getcwd()]


def restore_folder() -> None:
    """If the working folder was deleted, recreate it or create a temporary one, change to it, and print its path.

    Raises OSError if neither can be created.
    """
    if _exists():
        return
    folder = _STARTED_IN[0]
    try:
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
    except OSError:
        folder = tempfile.mkdtemp(prefix="perft-check-")
        os.chdir(folder)
    from . import console  # slow to import, and every command imports this module

    console.err().print(
        f"perft-check: the working folder was deleted, perhaps by an engine: files are written to {folder}",
        soft_wrap=True,
    )


def _exists() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True
