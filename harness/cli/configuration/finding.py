"""Where the configuration file is: in the working folder or one of its parents, and nobody else's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ....errors import UsageError
from .file import OURS, PYPROJECT, ConfigFile, display_path, read


def find() -> ConfigFile | None:
    """Return the nearest configuration, or None. Raises UsageError where it cannot be used.

    The search ends with the first folder that has `.git`, with the home folder, and with the root.
    """
    for folder in _folders():
        for name in (OURS, PYPROJECT):
            path = folder / name
            if name == OURS and os.path.lexists(path) and not os.path.isfile(path):
                raise UsageError(f"{display_path(path)} is no file that can be read: --no-config leaves it out")
            if os.path.isfile(path) and (found := read(path)) is not None:
                _check_owner(path)
                return found
    return None


def _folders() -> Iterator[Path]:
    try:
        here = Path.cwd()
    except OSError:  # somebody has removed it
        return
    home = os.path.realpath(os.path.expanduser("~"))
    for folder in (here, *here.parents):
        yield folder
        if str(folder) == home or os.path.lexists(folder / ".git"):
            return


def _check_owner(path: Path) -> None:
    """Raise UsageError where a file that was found, not named, is neither the user's nor root's.

    It names programs that are started. Who else may write into a parent folder could have put it there.
    """
    if not hasattr(os, "geteuid"):
        return
    owners = {os.lstat(path).st_uid, os.stat(path).st_uid}
    if not owners <= {0, os.geteuid()}:
        place = display_path(path)
        raise UsageError(f"{place} belongs to another user: --config {place} takes it, --no-config leaves it out")
