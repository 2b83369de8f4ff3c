"""A table of any number of rows, to be searched, filtered and sorted: the page has its rows as data, not elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from .untrusted import data, fit, rows

Row = list[str | float | None]
"""A text or number for each column, or None."""
IN_A_PIECE = 1_000
"""Rows that are written at once."""


@dataclass(frozen=True)
class ExplorerColumn:
    """What stands in a column of the data."""

    title: str
    kind: str
    """"name", "fen" (shown below the name), "text", "number", "share" (from 0 to 1), or "choice": the number of one of
    `choices`."""
    choices: tuple[str, ...] = ()
    tones: tuple[str, ...] = ()
    """For choices that are verdicts: "good", "bad" or "open"."""
    filters: bool = False
    """Whether rows can be filtered by it."""


@dataclass(frozen=True)
class TableExplorer:
    """The table, its columns and its rows."""

    title: str
    noun: str
    """What a row is, such as "position"."""
    columns: tuple[ExplorerColumn, ...]
    total: int
    rows: Callable[[], Iterable[Row]]

    @property
    def pieces(self) -> Iterator[Markup]:
        """The data as JSON, in pieces."""
        heads = [_head(one) for one in self.columns]
        yield Markup('{"noun":') + data(self.noun) + Markup(',"columns":') + data(heads) + Markup(',"rows":[')
        for number, some in enumerate(_batches(self.rows())):
            yield Markup("," if number else "") + rows(some)
        yield Markup("]}")


def _head(one: ExplorerColumn) -> dict[str, object]:
    return {"title": one.title, "kind": one.kind, "choices": [*map(fit, one.choices)], "tones": one.tones or None}


def _batches(all_rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(all_rows)
    while some := list(islice(left, IN_A_PIECE)):
        yield some
