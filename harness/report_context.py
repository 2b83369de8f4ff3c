"""The origin of a report: time, machine, versions, and the project whose files it may refer to."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from .. import __version__
from ..suites.bundled import ALL_BUNDLED
from .machine import machine, now

_BUNDLED_FILES = frozenset(f"{name}.epd" for name in ALL_BUNDLED)
"""Names of bundled suite files in results. They do not belong to the project."""
LONGEST_PATH = 4_096


@dataclass(frozen=True)
class Project:
    """The project in whose folder a report is created."""

    root: str
    """The folder, with all symbolic links resolved."""
    default_file: str | None = None
    """The file to which failures without a file are attributed, relative to the root."""

    @classmethod
    def here(cls, configuration: str = "") -> Project:
        """Return the workspace of GitHub Actions if the working folder is inside it, otherwise the working folder.

        Failures without a file are attributed to `configuration` (perft-check's configuration file) or, if there is
        none, to the workflow that runs perft-check.
        """
        here, workspace = os.path.realpath("."), os.environ.get("GITHUB_WORKSPACE", "")
        project = cls(os.path.realpath(workspace)) if workspace and "\0" not in workspace else cls(here)
        if project._relative(here) is None:
            project = cls(here)
        return cls(project.root, project.inside(configuration) or project._workflow())

    def inside(self, file: str) -> str | None:
        """Return the path of a file from the root, with slashes, or None if it is bundled or outside the project."""
        if file in _BUNDLED_FILES or not _is_possible_path(file):
            return None
        folder, name = os.path.split(os.path.abspath(file))
        return self._relative(os.path.join(os.path.realpath(folder), name))

    @property
    def uri(self) -> str:
        """The folder as a URI that ends with a slash."""
        return Path(self.root).as_uri().rstrip("/") + "/"

    def _relative(self, path: str) -> str | None:
        relative = Path(path)
        return relative.relative_to(self.root).as_posix() if relative.is_relative_to(self.root) else None

    def _workflow(self) -> str | None:
        """Return the workflow file, which GitHub gives as `owner/repository/path@ref`, or None if there is none."""
        _, _, path = os.environ.get("GITHUB_WORKFLOW_REF", "").partition("@")[0].partition("/")
        file = path.partition("/")[2]
        return file if _is_possible_path(file) and os.path.isfile(os.path.join(self.root, file)) else None


def _is_possible_path(file: str) -> bool:
    """Return True if the operating system allows this path."""
    try:
        return b"\0" not in os.fsencode(file) and 0 < len(file) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


@dataclass(frozen=True)
class ReportContext:
    """The time, machine and versions of a report."""

    moment: str
    """The time, as returned by `now`."""
    machine: str
    versions: tuple[tuple[str, str], ...]
    """Pairs of program name and version."""
    builds: tuple[tuple[str, str], ...] = ()
    """Pairs of engine name and SHA-256 of the engine's files, if known."""
    project: Project = field(default_factory=lambda: Project(os.sep))


def report_context(builds: Iterable[tuple[str, str]] = (), configuration: str = "") -> ReportContext:
    """Return the context of a report created now; `configuration` is perft-check's configuration file."""
    versions = (("perft-check", __version__), ("Python", platform.python_version()), ("Numba", version("numba")))
    return ReportContext(now(), machine(), versions, tuple(builds), Project.here(configuration))
