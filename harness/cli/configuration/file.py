"""Find and read a configuration file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import UsageError

FILE_NAME = "perft-check.toml"
PYPROJECT = "pyproject.toml"
TOOL = ("tool", "perft-check")
"""The table of a `pyproject.toml` that configures perft-check."""
MOST_BYTES = 1 << 20
_Table = Mapping[str, Any]
_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class ConfigFile:
    """The content of a configuration file."""

    path: Path
    """The path as shown in messages."""
    table: _Table
    """The table of keys and values that configure perft-check."""
    text: str

    @property
    def folder(self) -> Path:
        """The folder that paths in the file are relative to."""
        return Path(os.path.realpath(self.path.parent))

    def at(self, key: str) -> str:
        """Return the file and line of a key, such as `perft-check.toml:7`.

        `tomllib` has no line numbers, so this is the first line of the table that begins with the key.
        """
        start = max(0, self.text.find(f"[{'.'.join(TOOL)}]")) if self.path.name == PYPROJECT else 0
        named = re.compile(rf"""^[\s\[]*["']?{re.escape(key)}["']?\s*[.=\]]""", re.MULTILINE)
        found = named.search(self.text, start)
        return f"{display_path(self.path)}:{self.text.count(chr(10), 0, found.end() if found else start) + 1}"


def display_path(path: Path) -> str:
    """Return a path relative to the working folder, as printable text."""
    text = os.path.relpath(path) if path.is_absolute() else str(path)
    return printable(text)


def printable(text: str) -> str:
    """Return a name, quoted if it is empty or contains unprintable characters."""
    return text if text.isprintable() and text else repr(text)


def find() -> ConfigFile | None:
    """Return the configuration file in the nearest folder, or None. Raises UsageError if it cannot be used.

    Parent folders are searched up to the first one that has `.git`, the home folder, or the root.
    """
    for folder in _folders():
        for name in (FILE_NAME, PYPROJECT):
            path = folder / name
            if name == FILE_NAME and os.path.lexists(path) and not os.path.isfile(path):
                raise UsageError(f"{display_path(path)} is not a file: remove it, or ignore it with --no-config")
            if os.path.isfile(path) and (found := read(path)) is not None:
                _check_owner(path)
                return found
    return None


def _folders() -> Iterator[Path]:
    try:
        here = Path.cwd()
    except OSError:  # the working folder was deleted
        return
    home = os.path.realpath(os.path.expanduser("~"))
    for folder in (here, *here.parents):
        yield folder
        if str(folder) == home or os.path.lexists(folder / ".git"):
            return


def _check_owner(path: Path) -> None:
    """Raise UsageError if an automatically found file is owned by neither the user nor root.

    The file names programs that will be started, and another user with write access to a parent folder could have
    created it.
    """
    if not hasattr(os, "geteuid"):
        return
    owners = {os.lstat(path).st_uid, os.stat(path).st_uid}
    if not owners <= {0, os.geteuid()}:
        name = display_path(path)
        raise UsageError(
            f"{name} belongs to another user: use it anyway with --config {name}, or ignore it with --no-config"
        )


def read(path: Path) -> ConfigFile | None:
    """Return the configuration in a file, or None for a `pyproject.toml` without table `TOOL`. Raises UsageError."""
    is_pyproject = path.name == PYPROJECT
    text = _decode(path, _bytes(path))
    try:
        document = _parse(path, text)
    except UsageError:
        if is_pyproject and TOOL[-1] not in text:
            return None  # invalid, but not meant for perft-check
        raise
    if not is_pyproject:
        return ConfigFile(path, document, text)
    tool = document.get(TOOL[0])
    table = tool.get(TOOL[1]) if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise UsageError(f"{display_path(path)}: [{'.'.join(TOOL)}] must be a table")
    return ConfigFile(path, table, text)


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: the name contains a NUL character
        raise UsageError(f"cannot read {display_path(path)}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MOST_BYTES:
        raise UsageError(f"{display_path(path)} is larger than {MOST_BYTES >> 20} MiB: is it a configuration file?")
    return data


def _decode(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{display_path(path)}:{line}: not valid UTF-8: save the file as UTF-8") from None


def _parse(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UsageError(f"{display_path(path)}: values are nested too deeply") from None
    except ValueError as error:
        found = _POSITION.search(str(error))
        message = str(error)[: found.start()] if found else str(error)
        line = found[1] if found and found[1] else text.count("\n") + 1
        column = f" at column {found[2]}" if found and found[2] else ""
        raise UsageError(f"{display_path(path)}:{line}: invalid TOML{column}: {message}") from None
