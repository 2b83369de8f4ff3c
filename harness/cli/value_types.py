"""What the value of an option or an argument is: how it is read, what help calls it, and which of its words are paths.

Paths in a configuration start from the folder of the file, so each type that has some can place a value elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from ...errors import did_you_mean
from ..engines.command_lines import quote
from ..engines.spec import KERNELS, EngineSpec, check_name, check_option, place_option
from ..model import values
from . import completion
from .completion import Names

ON, OFF = ("1", "true", "t", "yes", "y", "on"), ("", "0", "false", "f", "no", "n", "off")
"""How a variable says what a switch is."""


class ValueType:
    """A text. typer takes a type as the parser of an option or an argument."""

    def __init__(self, metavar: str, names: Names | None = None) -> None:
        """`names` are what a shell may complete."""
        self.__name__ = metavar
        """What help calls it."""
        self._names = names

    def complete(self, incomplete: str) -> list[str]:
        """Return the names that the beginning of a word may become."""
        found = [] if self._names is None else self._names(incomplete)
        return [name for name in found if name.startswith(incomplete) and " " not in name]

    def __call__(self, value: Any) -> Any:
        """Return what a value means. Raises typer.BadParameter, which quotes it and says what is allowed."""
        return value

    def place(self, text: str, folder: Folder) -> str:
        """Return a value with its paths as they are from the working folder."""
        return text


class Measured(ValueType):
    """A value that is read and checked, mostly a number with a unit or within limits: see `harness/model/values.py`."""

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


class Amount(ValueType):
    """How much, by a word; a switch as well, which is one of the words when it is on, and another when it is off."""

    def __init__(self, words: Mapping[str, int], alone: str, opposite: str) -> None:
        super().__init__("|".join(words), lambda _begun: words)
        self._words = words
        self.alone, self.opposite = alone, opposite
        """What the option means where it is given without a word, and `--no-NAME`."""

    def __call__(self, value: Any) -> int:
        """Return the number that a word stands for. Raises typer.BadParameter."""
        if isinstance(value, int):
            return value
        word = str(value).strip().lower()
        if word not in self._words and word in ON + OFF:
            word = self.alone if word in ON else self.opposite
        if word not in self._words:
            raise typer.BadParameter(f"{value!r}: write one of {', '.join(self._words)}")
        return self._words[word]

    def takes(self, word: str) -> bool:
        """Tell whether a word that follows the option is its value."""
        return word in self._words


class OneOf(ValueType):
    """One of several words."""

    def __init__(self, *words: str) -> None:
        super().__init__("|".join(words), lambda _begun: words)
        self._words = words

    def __call__(self, value: Any) -> str:
        """Return the word. Raises typer.BadParameter."""
        if value not in self._words:
            raise typer.BadParameter(f"{value!r}: {did_you_mean(str(value), self._words)}")
        return str(value)


class KernelName(ValueType):
    """One of our own kernels that count."""

    def __call__(self, value: Any) -> str:
        """Return its name. Raises typer.BadParameter."""
        if value not in KERNELS:
            raise typer.BadParameter(f"{value!r} is no kernel of ours: {', '.join(KERNELS)}")
        return str(value)


class Folder:
    """A folder from which paths start that are needed from the working folder."""

    def __init__(self, path: Path) -> None:
        """`path` is real and absolute."""
        self._path = path
        self.is_here = os.path.realpath(os.curdir) == str(path)

    def has(self, path: str) -> bool:
        """Tell whether there is a file of this path."""
        return os.path.lexists(self._path / path)

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
        return text if folder.is_here else EngineSpec(text).placed(folder.place, folder.has)


class UciOptionText(Measured):
    """An option of a UCI engine, NAME=VALUE or NAME; a value that begins with ./ or ../ is a path."""

    def place(self, text: str, folder: Folder) -> str:
        """Return the option with its path as it is from the working folder."""
        return place_option(text, folder.place)


class SuiteName(File):
    """A suite: a bundled one by its name, or a file."""

    def __call__(self, value: Any) -> str:
        """Return the name. Raises typer.BadParameter where it is that of a program."""
        if _is_program(str(value)):
            raise typer.BadParameter(f"{value!r} is a program: an engine is named with -e {quote(value)}")
        return str(value)

    def place(self, text: str, folder: Folder) -> str:
        """Return a file as it is from the working folder; bundled suites stay names."""
        from ...suites.bundled import EVERY

        return text if text in EVERY else folder.place(text)


def _is_program(path: str) -> bool:
    """Tell whether a file begins as programs do."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:  # what reads it reports what is wrong
        return False


class ReportPlace(File):
    """A report, KIND, FILE or KIND=PATH; neither "-" nor a kind alone is a path."""

    def place(self, text: str, folder: Folder) -> str:
        """Return the report with its path as it is from the working folder."""
        kind, equals, path = text.partition("=")
        if equals:
            return f"{kind}={path if path == '-' else folder.place(path)}"
        return folder.place(text) if "/" in text or Path(text).suffix else text


FILE = File("FILE")
NAME = Measured("NAME", check_name)
SPEC = Spec("SPEC", completion.engines)
UCI_OPTION = UciOptionText("NAME=VALUE", check_option)
SUITE = SuiteName("NAME|FILE", completion.suites)
REPORT = ReportPlace("KIND|FILE|KIND=PATH")
SWITCH = Switch("BOOLEAN")
