"""A configuration file: where it is found, how it is read, and on which line each of its keys stands."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ....errors import UsageError

OURS = "perft-check.toml"
PYPROJECT = "pyproject.toml"
TOOL = ("tool", "perft-check")
"""The table of a `pyproject.toml` that is ours."""
MOST_BYTES = 1 << 20
MOST_PARTS = 8
"""Parts of a key that are looked at; ours have no more."""

_Table = Mapping[str, Any]
_Path = tuple[str, ...]
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_ENDS = ("]", "}", '"""', "'''")
"""With one of these ends a value that goes on over lines."""


@dataclass(frozen=True)
class ConfigFile:
    """A configuration file that was read."""

    path: Path
    """As messages show it."""
    table: _Table
    """The keys, whatever table of the file they are in."""
    prefix: _Path
    """That table: `TOOL`, or the whole document."""
    text: str

    @property
    def folder(self) -> Path:
        """The folder from which the file's own paths start."""
        return Path(os.path.realpath(self.path.parent))

    def at(self, *key: str) -> str:
        """Return where a key is, or without one the table, as `perft-check.toml:7`."""
        path = (*self.prefix, *key)
        while path not in self._lines and len(path) > 1:
            path = path[:-1]
        return f"{display_path(self.path)}:{self._lines.get(path, 1)}"

    @cached_property
    def _lines(self) -> Mapping[_Path, int]:
        return lines_of_keys(self.text)


def lines_of_keys(text: str) -> dict[_Path, int]:
    """Return the line, from 1, of each table and key of a document that `tomllib` takes.

    `tomllib` does not tell it. So it is given one statement after the other, as many lines as it takes.
    """
    lines: dict[_Path, int] = {}
    table: _Path = ()
    statement, first = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        statement, goes_on = f"{statement}{line}\n", bool(statement)
        if goes_on and not any(end in line for end in _ENDS):
            continue
        try:
            document = tomllib.loads(statement)
        except ValueError:
            continue
        is_header = statement.lstrip().startswith("[")
        for path in _paths(document):
            whole = path if is_header else (*table, *path)
            table = path if is_header else table
            for length in range(1, len(whole) + 1):
                lines.setdefault(whole[:length], first)
        statement, first = "", number + 1
    return lines


def _paths(table: _Table, above: _Path = ()) -> Iterator[_Path]:
    """Yield the path of each key that has a value, or an empty table."""
    for key, value in table.items():
        path = (*above, key)
        inner = value[-1] if isinstance(value, list) and value and isinstance(value[-1], dict) else value
        if isinstance(inner, dict) and inner and len(path) < MOST_PARTS:
            yield from _paths(inner, path)
        else:
            yield path


def display_path(path: Path) -> str:
    """Return a path from the working folder, on one line whatever it contains."""
    text = os.path.relpath(path) if path.is_absolute() else str(path)
    return printable(text)


def printable(text: str) -> str:
    """Return a name as it is, or quoted where it would not be one line."""
    return text if text.isprintable() and text else repr(text)


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
    tool = document.get(TOOL[0])
    table = tool.get(TOOL[1]) if isinstance(tool, dict) else None
    if table is None:
        return None
    found = ConfigFile(path, table if isinstance(table, dict) else {}, TOOL, text)
    if not isinstance(table, dict):
        raise UsageError(f"{found.at()}: [{'.'.join(TOOL)}] has to be a table")
    return found


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
