"""A configuration file: its table, and the line of each key."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ....errors import UsageError
from .lines import lines_of_keys

OURS = "perft-check.toml"
PYPROJECT = "pyproject.toml"
TOOL = ("tool", "perft-check")
"""The table of a `pyproject.toml` that is ours."""
MOST_BYTES = 1 << 20

_Table = Mapping[str, Any]
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class ConfigFile:
    """A configuration file that was read."""

    path: Path
    """As messages show it."""
    table: _Table
    """The keys, whatever table of the file they are in."""
    prefix: tuple[str, ...]
    """That table: `TOOL`, or the whole document."""
    text: str

    @property
    def folder(self) -> Path:
        """The folder from which the file's own paths start."""
        return Path(os.path.realpath(self.path.parent))

    def at(self, path: tuple[str, ...]) -> str:
        """Return where a key is, as `perft-check.toml:7`."""
        return f"{display_path(self.path)}:{self._line((*self.prefix, *path))}"

    def _line(self, path: tuple[str, ...]) -> int:
        """Return the line of a key, or of the inline table that has it."""
        while path not in self._lines and len(path) > 1:
            path = path[:-1]
        return self._lines.get(path, 1)

    @cached_property
    def _lines(self) -> Mapping[tuple[str, ...], int]:
        return lines_of_keys(self.text)


def display_path(path: Path) -> str:
    """Return a path from the working folder, on one line whatever it contains."""
    text = os.path.relpath(path) if path.is_absolute() else str(path)
    return printable(text)


def printable(text: str) -> str:
    """Return a name as it is, or quoted where it would not be one line."""
    return text if text.isprintable() and text else repr(text)


def read(path: Path) -> ConfigFile | None:
    """Return the configuration in a file; None where it is a `pyproject.toml` without our table. Raises UsageError."""
    is_pyproject = path.name == PYPROJECT
    text = _decode(path, _bytes(path))
    try:
        document = _parse(path, text)
    except UsageError:
        if is_pyproject and TOOL[-1] not in text:
            return None  # it is broken, but nothing to us
        raise
    if not is_pyproject:
        return ConfigFile(path, document, (), text)
    table = _ours(document)
    if table is None:
        return None
    found = ConfigFile(path, table if isinstance(table, dict) else {}, TOOL, text)
    if not isinstance(table, dict):
        raise UsageError(f"{found.at(())}: [{'.'.join(TOOL)}] has to be a table")
    return found


def _ours(document: _Table) -> Any:
    tool = document.get(TOOL[0])
    return tool.get(TOOL[1]) if isinstance(tool, dict) else None


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a ValueError of a NUL in the name
        raise UsageError(f"cannot read {display_path(path)}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"{display_path(path)} has more than {MOST_BYTES >> 20} MiB: it is no configuration")
    return data


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{display_path(path)}:{line}: this is not UTF-8") from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UsageError(f"{display_path(path)}: values are nested too deeply") from None
    except ValueError as error:
        place = _PLACE.search(str(error))
        message = str(error)[: place.start()] if place else str(error)
        line = place[1] if place and place[1] else text.count("\n") + 1
        column = f" in column {place[2]}" if place and place[2] else ""
        raise UsageError(f"{display_path(path)}:{line}: no TOML{column}: {message}") from None
