"""What pages of all kinds of results show: the verdict, facts with names, tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ....harness.model.results.verdict import ExitCode
from ...terminal.parts.tables import WideTable

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
