"""What the value of an option or an argument is: how it is read, what help calls it, and which of its words are paths.

Paths in a configuration start from the folder of the file, so each type that has some can place a value elsewhere.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from ..model import values

COMMANDS = ("uci", "cmd", "script")
"""Prefixes of a SPEC before a command."""
LIBRARY = "lib"
"""The prefix of a SPEC before a path; what other prefixes take is none."""
_HERE = ("./", "../")
ON, OFF = ("1", "true", "t", "yes", "y", "on"), ("", "0", "false", "f", "no", "n", "off")
"""How a variable says what a switch is."""


class ValueType:
    """A text. typer takes a type as the parser of an option or an argument."""

    def __init__(self, metavar: str) -> None:
        self.__name__ = metavar
        """What help calls it."""

    def __call__(self, value: Any) -> Any:
        """Return what a value means. Raises typer.BadParameter, which quotes it and says what is allowed."""
        return value

    def place(self, text: str, folder: Folder) -> str:
        """Return a value with its paths as they are from the working folder."""
        return text


class Measured(ValueType):
    """A number that users write with a unit, or within limits: see `harness/model/values.py`."""

    def __init__(self, metavar: str, read: Callable[[Any], Any]) -> None:
        super().__init__(metavar)
        self._read = read

    def __call__(self, value: Any) -> Any:
        """Return the number. Raises typer.BadParameter, which quotes the value and says what is allowed."""
        try:
            return self._read(value)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None


def whole(least: int, most: int | None = None, metavar: str = "N") -> Measured:
    """Return the type of a whole number within limits."""
    return Measured(metavar, values.whole(least, most))


def count(least: int, metavar: str = "N") -> Measured:
    """Return the type of a count of nodes or positions: 250000, 250k, 1.5M or 2G."""
    return Measured(metavar, values.count(least))


def memory(least: int) -> Measured:
    """Return the type of a size of memory in bytes: 512M, 1.5G, 2T."""
    return Measured("SIZE", values.memory(least))


def factor(least: float, most: float, metavar: str = "FACTOR") -> Measured:
    """Return the type of a number within limits: 0.95, 1.25."""
    return Measured(metavar, values.factor(least, most))


def seconds(least: float, endless: bool = True) -> Measured:
    """Return the type of a time span: 60, 60s, 2m, 1.5h, or inf where it may be endless."""
    return Measured("TIME", values.seconds(least, endless))


def share() -> Measured:
    """Return the type of a part of a whole: 5%, 0.05."""
    return Measured("SHARE", values.share())


class Switch(ValueType):
    """On or off."""

    def __call__(self, value: Any) -> bool:
        """Return whether it is on. Raises typer.BadParameter."""
        word = str(value).strip().lower()
        if word not in ON + OFF:
            raise typer.BadParameter(f"{value!r} is neither true nor false")
        return word in ON


class KernelName(ValueType):
    """One of our own kernels that count."""

    def __call__(self, value: Any) -> str:
        """Return its name. Raises typer.BadParameter."""
        from ..engines.kinds.own import KERNELS

        if value not in KERNELS:
            raise typer.BadParameter(f"{value!r} is no kernel of ours: {', '.join(KERNELS)}")
        return str(value)


class Folder:
    """A folder from which paths start that are needed from the working folder."""

    def __init__(self, path: Path) -> None:
        """`path` is real and absolute."""
        self._path = path
        self.is_here = os.path.realpath(os.curdir) == str(path)

    def place(self, path: str) -> str:
        """Return a path as it is from the working folder."""
        if self.is_here or not path or os.path.isabs(path):
            return path
        found = os.path.relpath(self._path / path)
        return found if os.sep in found else os.path.join(os.curdir, found)


class File(ValueType):
    """The path of a file."""

    def place(self, text: str, folder: Folder) -> str:
        """Return the path as it is from the working folder."""
        return folder.place(text)


class Spec(File):
    """What names an engine: the program, and each word of its command that begins with ./ or ../, is a path."""

    def place(self, text: str, folder: Folder) -> str:
        """Return the SPEC with its paths as they are from the working folder."""
        prefix, colon, rest = text.partition(":")
        if folder.is_here:
            return text
        if colon and prefix in COMMANDS:
            return f"{prefix}:{_place_command(rest, folder)}"
        if prefix == LIBRARY:
            return f"{prefix}:{folder.place(rest)}"
        if prefix.startswith("python["):
            python, bracket, rest = text.removeprefix("python[").partition("]")
            return f"python[{folder.place(python) if '/' in python else python}{bracket}{rest}"
        if colon and "/" not in prefix:
            return text
        return folder.place(text) if "/" in text or text.endswith(".json") else text


def _place_command(command: str, folder: Folder) -> str:
    try:
        words = shlex.split(command)
    except ValueError:  # whoever starts it says what is wrong
        return command
    placed = [
        folder.place(word) if word.startswith(_HERE) or (number == 0 and "/" in word) else word
        for number, word in enumerate(words)
    ]
    return command if placed == words else shlex.join(placed)


class SuiteName(File):
    """A suite: a bundled one by its name, or a file."""

    def place(self, text: str, folder: Folder) -> str:
        """Return a file as it is from the working folder; bundled suites stay names."""
        from ...suites.bundled import EVERY

        return text if text in EVERY else folder.place(text)


class ReportPlace(File):
    """A report, KIND, FILE or KIND=PATH; neither "-" nor a kind alone is a path."""

    def place(self, text: str, folder: Folder) -> str:
        """Return the report with its path as it is from the working folder."""
        kind, equals, path = text.partition("=")
        if equals:
            return f"{kind}={path if path == '-' else folder.place(path)}"
        return folder.place(text) if "/" in text or Path(text).suffix else text


FILE = File("FILE")
SPEC = Spec("SPEC")
SUITE = SuiteName("NAME|FILE")
REPORT = ReportPlace("KIND|FILE|KIND=PATH")
SWITCH = Switch("BOOLEAN")
