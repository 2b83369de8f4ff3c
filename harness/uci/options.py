"""The options of the engine: how they are declared, read and kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import UsageError, did_you_mean


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
