"""Tables of reports, which Rich renders in a terminal, and which are converted to HTML and Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

MIN_TEXT_WIDTH = 20
"""Minimum width of a column of text, and of a long word in a title."""
GAP = 2
EMPTY = ("", "-")
"""Cells without information."""

Cell = str | Text
Justify = Literal["left", "right"]


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    title: str
    justify: Justify
    drop_order: int | None
    """If the table does not fit, columns with the lowest number are omitted first, and those with None last. Among
    equal numbers, the rightmost column is omitted first."""


@dataclass(frozen=True)
class TableRow:
    """One row of a table, with its Rich style."""

    cells: tuple[Cell, ...]
    style: str
    ends_section: bool = False


class ReportTable:
    """A table that adapts to the width of the terminal.

    Columns without any information are not shown. If the others do not fit, text is wrapped to a width of at least
    `MIN_TEXT_WIDTH` cells. If that is not enough, columns are omitted in their `drop_order`, and a line below the table
    names them. Numbers are never wrapped.
    """

    def __init__(self, *, ruled: bool = False, title: str | None = None) -> None:
        """Create an empty table; `ruled` draws a line below the column titles."""
        self._ruled, self.title = ruled, title
        self.columns: list[Column] = []
        self.rows: list[TableRow] = []

    def add_columns(self, *titles: str, justify: Justify = "left", drop_order: int | None = None) -> None:
        """Add columns with the same alignment and drop order."""
        self.columns += [Column(title, justify, drop_order) for title in titles]

    def add_row(self, *cells: Cell, style: str = "", ends_section: bool = False) -> None:
        """Add a row with a cell for each column; `ends_section` adds a blank line below it."""
        self.rows.append(TableRow(cells, style, ends_section))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        numbers = self._informative()
        whole = Measurement.get(console, options, self._rich_table(numbers)).maximum
        return Measurement(min(whole, self._total_min_width(numbers)), whole)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        informative = self._informative()
        shown = list(informative)
        for number in sorted(informative[1:], key=lambda one: (self.columns[one].drop_order or inf, -one)):
            if self._total_min_width(shown) <= options.max_width:
                break
            shown.remove(number)
        yield self._rich_table(shown)
        if left_out := [self.columns[number].title for number in informative if number not in shown]:
            yield Text(f"columns left out: {', '.join(left_out)}", style="dim", overflow="fold")

    def _informative(self) -> list[int]:
        """Return the indices of the first column and of all columns with information."""
        return [
            number
            for number in range(len(self.columns))
            if number == 0 or not self.rows or any(str(row.cells[number]) not in EMPTY for row in self.rows)
        ]

    def _rich_table(self, numbers: list[int]) -> Table:
        """Return the columns with these indices as a Rich table."""
        table = Table(
            title=self.title,
            title_justify="left",
            box=box.SIMPLE_HEAD if self._ruled else None,
            show_edge=False,
            pad_edge=False,
            padding=(0, GAP - 1 if self._ruled else GAP, 0, 0),  # Rich adds a divider to a table with a box
            header_style="bold",
        )
        for number in numbers:
            column = self.columns[number]
            table.add_column(
                Text(column.title),
                justify=column.justify,
                vertical="top",
                overflow="fold",
                min_width=self._min_width(number),
            )
        for row in self.rows:
            cells = (row.cells[number] for number in numbers)
            shown = (Text(cell) if isinstance(cell, str) else cell for cell in cells)
            table.add_row(*shown, style=row.style, end_section=row.ends_section and self._ruled)
        return table

    def _min_width(self, number: int) -> int:
        """Return the minimum width of a column at which neither numbers nor words of its title are broken."""
        column = self.columns[number]
        word = min(MIN_TEXT_WIDTH, max(map(cell_len, column.title.split()), default=0))
        longest = max((cell_len(str(row.cells[number])) for row in self.rows), default=0)
        return max(word, longest if column.justify == "right" else min(MIN_TEXT_WIDTH, longest))

    def _total_min_width(self, numbers: list[int]) -> int:
        return sum(map(self._min_width, numbers)) + GAP * (len(numbers) - 1)
