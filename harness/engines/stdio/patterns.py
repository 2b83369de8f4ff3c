"""Regular expressions from descriptors. They are somebody else's, so each line has a time limit."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from ..base import UnparseableOutput
from .grammar import number
from .last_words import printable
from .lines import read_part

LINE_SECONDS = 0.2
"""Time for one pattern and one line; a good pattern needs microseconds."""


class LinePattern:
    """A regular expression for lines of an engine."""

    def __init__(self, key: str, text: str) -> None:
        """Compile the pattern of a descriptor's key. Raises ValueError where it is no regular expression."""
        self.key, self.text = key, text
        try:
            self._compiled = regex.compile(text)
        except (regex.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{key!r} is no regular expression: {error}") from None

    def is_in(self, line: str) -> bool:
        """Tell whether the pattern matches somewhere in a line. Raises UnparseableOutput where that takes too long."""
        return self._search(line) is not None

    def groups(self, line: str) -> dict[str, str] | None:
        """Return the named groups of a line that matches, else None. Raises UnparseableOutput."""
        match = self._search(line)
        return None if match is None else {name: text or "" for name, text in match.groupdict().items()}

    @property
    def group_names(self) -> set[str]:
        """The names of the pattern's groups."""
        return set(self._compiled.groupindex)

    def _search(self, line: str) -> regex.Match[str] | None:
        part = read_part(line)
        try:
            return self._compiled.search(part, timeout=LINE_SECONDS)
        except TimeoutError:
            raise UnparseableOutput(
                f"{self.key!r} of the descriptor takes longer than {LINE_SECONDS} seconds on {printable(part)[:60]!r}: "
                "write it without repetitions inside repetitions"
            ) from None


@dataclass(frozen=True)
class AnswerPatterns:
    """How an engine writes root moves and totals, where a descriptor says so itself."""

    move: LinePattern | None = None
    """Has the groups `move` and `count`."""
    total: LinePattern | None = None
    """Has the group `nodes`."""

    def root_move(self, line: str) -> tuple[str, int] | None:
        """Return move and count of a line, or None. Raises UnparseableOutput."""
        found = None if self.move is None else self.move.groups(line)
        return None if found is None else (found["move"], _count(found["count"], line))

    def nodes(self, line: str) -> int | None:
        """Return the total of a line, or None. Raises UnparseableOutput."""
        found = None if self.total is None else self.total.groups(line)
        return None if found is None else _count(found["nodes"], line)


def _count(text: str, line: str) -> int:
    try:
        return number(text)
    except ValueError:
        raise UnparseableOutput(f"a pattern of the descriptor finds no number in {printable(line)!r}") from None
