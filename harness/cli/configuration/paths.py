"""Paths in a configuration: they start from the folder of the file, and are needed from the working folder.

`PLACES` says which keys have paths.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ...engines.spec import EngineSpec, place_option


class Folder:
    """A folder from which paths start that are needed from the working folder."""

    def __init__(self, path: Path) -> None:
        """`path` is real and absolute."""
        self._path = path
        self.is_here = os.path.realpath(os.curdir) == str(path)

    def has(self, path: str) -> bool:
        """Return True if there is a file of this path."""
        return os.path.lexists(self._path / path)

    def place(self, path: str) -> str:
        """Return a path as it is from the working folder."""
        if self.is_here or not path or os.path.isabs(path):
            return path
        found = os.path.relpath(self._path / path)
        return found if os.sep in found else os.path.join(os.curdir, found)


def place_file(text: str, folder: Folder) -> str:
    """Return the path of a file."""
    return folder.place(text)


def place_spec(text: str, folder: Folder) -> str:
    """Return a SPEC: its program, and each word of its command that begins with ./ or ../, is a path."""
    return text if folder.is_here else EngineSpec(text).placed(folder.place, folder.has)


def place_uci_option(text: str, folder: Folder) -> str:
    """Return an option of a UCI engine: a value that begins with ./ or ../ is a path."""
    return place_option(text, folder.place)


def place_suite(text: str, folder: Folder) -> str:
    """Return a suite: a file is a path, and bundled suites stay names."""
    from ....suites.bundled import ALL_BUNDLED

    return text if text in ALL_BUNDLED else folder.place(text)


def place_report(text: str, folder: Folder) -> str:
    """Return a report, KIND, FILE or KIND=PATH: neither "-" nor a kind alone is a path."""
    kind, equals, path = text.partition("=")
    if equals:
        return f"{kind}={path if path == '-' else folder.place(path)}"
    return folder.place(text) if "/" in text or Path(text).suffix else text


PLACES: Mapping[str, Callable[[str, Folder], str]] = {
    "against": place_spec,
    "compare": place_spec,
    "corpus": place_file,
    "engine": place_spec,
    "keep-cover": place_file,
    "ledger": place_file,
    "option": place_uci_option,
    "report": place_report,
    "results": place_file,
    "save": place_file,
    "suite": place_suite,
}
"""How a value is placed, by its key."""
