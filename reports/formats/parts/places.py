"""Where a suite file stands for CI: its path below the folder of the project, or nowhere."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ....suites.bundled import EVERY

_BUNDLED_FILES = frozenset(f"{name}.epd" for name in EVERY)
"""How results name the files of bundled suites, which belong to nobody's project."""

LONGEST_PATH = 4_096


@dataclass(frozen=True)
class Root:
    """The folder of the project, without links on the way to it."""

    path: str

    @classmethod
    def here(cls) -> Root:
        """Return the workspace of GitHub Actions where that has the working folder in it, else the working folder."""
        here, workspace = os.path.realpath("."), os.environ.get("GITHUB_WORKSPACE", "")
        root = cls(os.path.realpath(workspace)) if workspace and "\0" not in workspace else cls(here)
        return root if root._relative(here) is not None else cls(here)

    def inside(self, file: str) -> str | None:
        """Return the path of a user's own file from the root on, with slashes; None for any other file."""
        if file in _BUNDLED_FILES or not _can_be(file):
            return None
        folder, name = os.path.split(os.path.abspath(file))
        return self._relative(os.path.join(os.path.realpath(folder), name))

    @property
    def uri(self) -> str:
        """The folder as a URI, which ends in a slash."""
        return Path(self.path).as_uri().rstrip("/") + "/"

    def _relative(self, path: str) -> str | None:
        relative = Path(path)
        return relative.relative_to(self.path).as_posix() if relative.is_relative_to(self.path) else None


def _can_be(file: str) -> bool:
    """Tell whether the system can have a file of this name at all."""
    try:
        return b"\0" not in os.fsencode(file) and 0 < len(file) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False
