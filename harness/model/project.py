"""The project in which a report is made: its folder, and the files in it that a report may refer to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ...suites.bundled import ALL_BUNDLED

_BUNDLED_FILES = frozenset(f"{name}.epd" for name in ALL_BUNDLED)
"""How results name the files of bundled suites, which are in no project."""
LONGEST_PATH = 4_096


@dataclass(frozen=True)
class Project:
    """The folder of the project, with all symbolic links resolved."""

    root: str
    default_file: str | None = None
    """The file, as a path from the root, that stands for failures without a file of their own."""

    @classmethod
    def here(cls, configuration: str = "") -> Project:
        """Return the workspace of GitHub Actions if the working folder is in it, else the working folder.

        Failures without a file are shown in the `configuration` of perft-check, or else in the workflow that runs it.
        """
        here, workspace = os.path.realpath("."), os.environ.get("GITHUB_WORKSPACE", "")
        project = cls(os.path.realpath(workspace)) if workspace and "\0" not in workspace else cls(here)
        if project._relative(here) is None:
            project = cls(here)
        return cls(project.root, project.inside(configuration) or project._workflow())

    def inside(self, file: str) -> str | None:
        """Return the path of a user's own file relative to the root, with slashes; None for any other file."""
        if file in _BUNDLED_FILES or not _is_possible_path(file):
            return None
        folder, name = os.path.split(os.path.abspath(file))
        return self._relative(os.path.join(os.path.realpath(folder), name))

    @property
    def uri(self) -> str:
        """The folder as a URI that ends in a slash."""
        return Path(self.root).as_uri().rstrip("/") + "/"

    def _relative(self, path: str) -> str | None:
        relative = Path(path)
        return relative.relative_to(self.root).as_posix() if relative.is_relative_to(self.root) else None

    def _workflow(self) -> str | None:
        """Return the file of the workflow, which GitHub names as `owner/repository/path@ref`."""
        _, _, path = os.environ.get("GITHUB_WORKFLOW_REF", "").partition("@")[0].partition("/")
        file = path.partition("/")[2]
        return file if _is_possible_path(file) and os.path.isfile(os.path.join(self.root, file)) else None


def _is_possible_path(file: str) -> bool:
    """Return True if the system can have a file of this name."""
    try:
        return b"\0" not in os.fsencode(file) and 0 < len(file) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False
