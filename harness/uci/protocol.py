"""What a session reads and writes: lines of whatever bytes, bounded in length, and the options of the engine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import UsageError, did_you_mean, shorten
from ...platforms.streams import ClosedPipe

LONGEST_LINE = 1_000_000
"""Bytes of a line: a hundred times what the longest possible game needs."""
CHUNK = 65_536


def lines_of(descriptor: int) -> Iterator[str | None]:
    """Yield the lines of a file descriptor, without their ends, and None for one that is too long. Raises OSError.

    The last line may have no end.
    """
    kept = b""
    while chunk := os.read(descriptor, CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield _text(kept + part)
            kept = b""
        if len(kept) <= LONGEST_LINE:
            kept += rest
    if kept:
        yield _text(kept)


def _text(line: bytes) -> str | None:
    return line.decode(errors="replace") if len(line) <= LONGEST_LINE else None


LONGEST_INFO = 400
"""Characters of an `info string`: what it is about may be longer."""


def info(text: str) -> str:
    """Return the line that tells the reader something which is no answer."""
    return f"info string {shorten(text, LONGEST_INFO)}\n"


class Output:
    """A file descriptor to write to. Nothing stays in a buffer, whose lock would keep Ctrl-C from ending us."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_closed = ClosedPipe(descriptor)

    def write(self, text: str) -> None:
        """Write a text. Raises OSError."""
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._descriptor, data) :]

    @property
    def is_closed(self) -> bool:
        """Whether the reader is known to have gone."""
        return bool(self._is_closed)


@dataclass(frozen=True)
class Options:
    """The values of the options."""

    chess960: bool = False
    """Whether all positions are Chess960: castling is king takes rook."""
    hash_mib: int | None = None
    """Memory for a table, in MiB; None, without a table, until a tool sets it."""
    threads: int = 1
    """How many threads share a large count."""


@dataclass(frozen=True)
class CheckOption:
    """An option that is true or false."""

    name: str
    field: str

    @property
    def declaration(self) -> str:
        """The line that tells a GUI about it."""
        return f"option name {self.name} type check default false\n"

    def read(self, text: str) -> bool:
        """Return a value. Raises UsageError."""
        if text.lower() not in ("true", "false"):
            raise UsageError(f"option {self.name} is true or false, not {text!r}")
        return text.lower() == "true"


@dataclass(frozen=True)
class Spin:
    """An option that is a whole number."""

    name: str
    field: str
    least: int
    most: int
    default: int

    @property
    def declaration(self) -> str:
        """The line that tells a GUI about it."""
        return f"option name {self.name} type spin default {self.default} min {self.least} max {self.most}\n"

    def read(self, text: str) -> int:
        """Return a value. Raises UsageError."""
        return whole(text, self.least, self.most, f"option {self.name}")


OPTIONS = (
    Spin("Threads", "threads", 1, 1024, 1),
    Spin("Hash", "hash_mib", 1, 2**25, 16),
    CheckOption("UCI_Chess960", "chess960"),
)
"""The options, with the bounds and defaults of Stockfish."""
DECLARATIONS = "".join(option.declaration for option in OPTIONS)


def with_option(options: Options, words: Sequence[str]) -> Options:
    """Return the options after `setoption`, by the words that follow it. Raises UsageError."""
    name, _, value = " ".join(words).partition(" value ")
    keyword, _, name = name.partition(" ")
    if keyword != "name" or not value:
        raise UsageError("setoption takes: setoption name NAME value VALUE")
    for option in OPTIONS:
        if option.name.lower() == name.lower():
            changed: dict[str, Any] = {option.field: option.read(value)}
            return replace(options, **changed)
    raise UsageError(f"no option {name!r}: {did_you_mean(name, [option.name for option in OPTIONS])}")


def whole(text: str, least: int, most: int, what: str) -> int:
    """Return a whole number within bounds. Raises UsageError, which says what it is."""
    is_short = len(text) <= len(str(most))  # Python refuses to read very long numbers
    number = int(text) if is_short and text.isascii() and text.isdigit() else least - 1
    if not least <= number <= most:
        raise UsageError(f"{what} is a whole number from {least} to {most}, not {text!r}")
    return number
