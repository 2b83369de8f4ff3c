"""Tables that fit any width without cutting a name or a figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

Cell = str | Text
Justify = Literal["left", "right"]
LEAST_PROSE = 24
"""Columns of the terminal that a column of sentences gets at least."""


@dataclass(frozen=True)
class Column:
    """One column: its title, on which side its cells stand, and whether they are sentences."""

    title: str
    justify: Justify
    prose: bool


@dataclass(frozen=True)
class TableRow:
    """One row: its cells, its rich style, and whether a section of the table ends with it."""

    cells: tuple[Cell, ...]
    style: str
    ends_section: bool = field(default=False)


class WideTable:
    """A table whose columns go below each other in groups, each with the first column, where they do not fit.

    Only columns of `prose` are broken into lines. `ruled` draws a line below the titles.
    """

    def __init__(self, *, ruled: bool = False, title: str | None = None) -> None:
        self._ruled, self.title = ruled, title
        self.columns: list[Column] = []
        self.rows: list[TableRow] = []

    def add_column(self, title: str, justify: Justify = "left", prose: bool = False) -> None:
        """Add a column."""
        self.columns.append(Column(title, justify, prose))

    def add_row(self, *cells: Cell, style: str = "", ends_section: bool = False) -> None:
        """Add a row with a cell for each column; a line is drawn below the last one of a section."""
        self.rows.append(TableRow(cells, style, ends_section))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._table(range(len(self.columns))))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for group in self._groups(console, options):
            yield self._table(group)

    def _groups(self, console: Console, options: ConsoleOptions) -> Iterator[list[int]]:
        """Yield the columns that stand side by side, by number: as many as fit, at least one beside the first."""
        group = [0]
        for column in range(1, len(self.columns)):
            if len(group) > 1 and self._least_width(console, [*group, column]) > options.max_width:
                yield group
                group = [0]
            group.append(column)
        yield group

    def _least_width(self, console: Console, group: list[int]) -> int:
        """Return the width at which nothing but prose is broken."""
        unlimited = console.options.update(max_width=1_000_000)
        width = Measurement.get(console, unlimited, self._table(group)).maximum
        for prose in (number for number in group if self.columns[number].prose):
            longest = max(Text(str(row.cells[prose])).cell_len for row in self.rows) if self.rows else 0
            width -= max(0, longest - LEAST_PROSE)
        return width

    def _table(self, group: list[int] | range) -> Table:
        table = Table(
            box=box.SIMPLE_HEAD if self._ruled else None,
            pad_edge=not self._ruled,
            padding=(0, 1) if self._ruled else (0, 2, 0, 0),
            header_style="table.header" if self._ruled else "bold",
            title=self.title,
            title_justify="left",
        )
        for column in (self.columns[number] for number in group):
            # Folding is for names that are wider than the terminal.
            table.add_column(column.title, justify=column.justify, no_wrap=not column.prose, overflow="fold")
        for row in self.rows:
            table.add_row(*(row.cells[number] for number in group), style=row.style, end_section=row.ends_section)
        return table
