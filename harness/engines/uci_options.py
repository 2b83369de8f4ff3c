"""Options of UCI engines as users write them: `Hash=16` and `Clear Hash`, or after a SPEC: `./engine [Hash=16]`.

The SPEC, including options, identifies the engine in reports, in histories and on cluster workers.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from ...errors import UsageError
from .command_words import split_words

CHESS960 = "UCI_Chess960"
"""The option that perft-check sets according to the position."""
EMPTY = "<empty>"
"""The notation for the empty string in UCI."""
_QUOTED = r"""(?:[^\]'"]|'[^']*'|"[^"]*")+"""
_WITH_OPTIONS = re.compile(rf"(?P<spec>.*\S)\s+\[(?P<options>{_QUOTED})\]", re.DOTALL)
_LINE = re.compile(r"setoption\s+name\s+(?P<name>\S.*?)(?:\s+value\s+(?P<value>.*\S))?\s*", re.IGNORECASE)


class NoOptions(UsageError):
    """Options were given for an engine whose type has none."""


@dataclass(frozen=True)
class UciOption:
    """A UCI option with its new value, or a button to press."""

    name: str
    value: str | None = None
    """The value, or None for a button."""

    @classmethod
    def read(cls, text: str) -> UciOption:
        """Parse NAME=VALUE, or the NAME of a button. Raises UsageError."""
        name, equals, value = (part.strip() for part in text.partition("="))
        if not name or not text.isprintable():
            raise UsageError(f"{text!r} is not an option: write NAME=VALUE, or the NAME of a button, on one line", text)
        if name.casefold() == CHESS960.casefold():
            raise UsageError(
                f"{text!r}: perft-check sets {CHESS960} itself, as each position needs it: leave it out", text
            )
        return cls(name, value if equals else None)

    @classmethod
    def of_line(cls, line: str) -> UciOption | None:
        """Parse a UCI `setoption` command, or return None for any other line."""
        found = _LINE.fullmatch(line.strip())
        if found is None:
            return None
        return cls(found["name"], "" if found["value"] == EMPTY else found["value"])

    @property
    def line(self) -> str:
        """The UCI command that sets the option."""
        return f"setoption name {self.name}" + ("" if self.value is None else f" value {self.value or EMPTY}")

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}={self.value}"


def add_options(spec: str, texts: Iterable[str]) -> str:
    """Return a SPEC with additional options, written as on the command line."""
    words = " ".join(map(shlex.quote, texts))
    if not words:
        return spec
    bare, before = _divide(spec)
    return f"{bare} [{f'{before} ' if before else ''}{words}]"


def split_options(spec: str) -> tuple[str, tuple[str, ...]]:
    """Split a SPEC into the part before its options, and the options as written on the command line."""
    bare, options = _divide(spec)
    return bare, tuple(split_words(options))


def parse_options(texts: Iterable[str]) -> tuple[UciOption, ...]:
    """Parse options. Raises UsageError if an option is invalid or set twice."""
    options: dict[str, UciOption] = {}
    for text in texts:
        option = UciOption.read(text)
        if option.name.casefold() in options:
            raise UsageError(f"option {option.name} is set twice: leave one out", text)
        options[option.name.casefold()] = option
    return tuple(options.values())


def is_path(text: str) -> bool:
    """Return True if a text is the path of an existing file and contains a folder."""
    return "/" in text and os.path.lexists(text)


def _divide(spec: str) -> tuple[str, str]:
    if is_path(spec.removeprefix("uci:")):
        return spec, ""
    found = _WITH_OPTIONS.fullmatch(spec)
    return (spec, "") if found is None else (found["spec"], found["options"].strip())
