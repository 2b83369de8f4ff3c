"""What pages of all kinds of results show: the verdict, facts with names, tables, and text of others made fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ....errors import shorten
from ....harness.model.results.verdict import ExitCode
from ...terminal.parts.tables import WideTable

LONGEST = 10_000
"""Characters of a text that are shown."""
_UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Controls, lone surrogates, and what breaks lines or turns the direction of writing."""
_IN_SCRIPT = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


def fit(text: str) -> str:
    """Return a text as a page may show it: a NUL spelled as in Python, and the middle left out where it is long."""
    return spell_unseen(shorten(text, LONGEST))


def spell_unseen(text: str) -> str:
    """Return a text with its unseen characters spelled as in Python."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def fit_or_other(value: object) -> object:
    """Return a text made fit, and anything else as it is, our own markup too. Jinja2 calls it."""
    return fit(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def data(value: object) -> Markup:
    """Return a value as JSON that nothing in it can end early where it stands in a script element."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_IN_SCRIPT))


def rows(values: Iterable[Sequence[object]]) -> Markup:
    """Return rows, their texts made fit, as the inner part of a list in JSON."""
    return data([[fit(one) if isinstance(one, str) else one for one in row] for row in values])[1:-1]


def _escape(unseen: re.Match[str]) -> str:
    number = ord(unseen[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


Fact = tuple[str, str]
"""A name and what it says; an empty one is not shown."""


@dataclass(frozen=True)
class Status:
    """The verdict of a page in one line."""

    tone: str
    """"good", "bad" or "open": the color and the sign."""
    word: str
    sentence: str

    @property
    def sign(self) -> str:
        """The tone as a sign, for those who see no colors."""
        return {"good": "✓", "bad": "✗", "open": "!"}[self.tone]


WORDS = {
    ExitCode.AGREE: "No fault",
    ExitCode.MISMATCH: "Mismatch",
    ExitCode.ENGINE_FAILED: "Engine failed",
    ExitCode.NOTHING_TO_RUN: "Nothing compared",
    ExitCode.INTERNAL_ERROR: "Internal error",
    ExitCode.INTERRUPTED: "Interrupted",
}
"""What an exit status means."""


def status(code: ExitCode, sentence: str, style: str) -> Status:
    """Return the verdict of a result: its exit status, and the sentence with its rich style of the terminal."""
    tone = next((tone for color, tone in {"green": "good", "red": "bad"}.items() if color in style), "open")
    return Status(tone, WORDS[code], sentence)


@dataclass(frozen=True)
class TableColumn:
    """The head of a column."""

    title: str
    is_number: bool


@dataclass(frozen=True)
class FactTable:
    """A table of a report for terminals, as a page shows it."""

    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int]
    """The numbers of the rows that sum others up."""
    marked: frozenset[int] = frozenset()
    """The numbers of the rows in which something is wrong."""


def table_of(wide: WideTable, caption: str) -> FactTable:
    """Return a table of a report for terminals."""
    return FactTable(
        caption,
        tuple(TableColumn(column.title, column.justify == "right") for column in wide.columns),
        tuple(tuple(map(str, row.cells)) for row in wide.rows),
        frozenset(number for number, row in enumerate(wide.rows) if "bold" in row.style),
    )


def known_facts(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts that say anything."""
    return tuple(fact for fact in facts if fact[1])
