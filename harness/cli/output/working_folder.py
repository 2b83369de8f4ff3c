"""The working folder: an engine may delete it during a run, and what the run has found is written all the same."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

_STARTED_IN = [os.curdir]


def remember_folder() -> None:
    """Note the working folder at the start of a command."""
    with suppress(OSError):  # it is gone already, and the first file that is looked for says so
        _STARTED_IN[:] = [os.getcwd()]


def restore_folder() -> None:
    """If the working folder was deleted, make it again, or else a temporary one, work there, and print where it is.

    Raises OSError if neither can be made.
    """
    if _is_there():
        return
    folder = _STARTED_IN[0]
    try:
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
    except OSError:
        folder = tempfile.mkdtemp(prefix="perft-check-")
        os.chdir(folder)
    from . import console  # which takes time to load, and each command remembers its folder

    console.err().print(
        f"perft-check: the working folder was deleted during the run, perhaps by an engine: files go to {folder}",
        soft_wrap=True,
    )


def _is_there() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True
