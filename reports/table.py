"""Tables of reports: columns and rows, which HTML and Markdown read, and which `rich` draws in a terminal."""

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

LEAST_TEXT = 20
"""A column of text is not made narrower than this, nor is a word of a title shortened further."""
GAP = 2
EMPTY = ("", "-")
"""Cells that carry no information."""

Cell = str | Text
Justify = Literal["left", "right"]


@dataclass(frozen=True)
class Column:
    """One column: its title, the alignment of its cells, and when it is left out."""

    title: str
    justify: Justify
    drop_order: int | None
    """If the table does not fit, columns of turn 1 are left out first, those without a turn last; of equal turns, the
    rightmost first."""


@dataclass(frozen=True)
class TableRow:
    """One row: its cells, its rich style, and whether it ends a section of the table."""

    cells: tuple[Cell, ...]
    style: str
    ends_section: bool = False


class ReportTable:
    """A table with text on the left and numbers on the right of their columns.

    Columns that carry no information are not shown. If the rest does not fit, rich folds text down to `LEAST_TEXT`
    columns of the terminal. If that is not enough, columns are left out by their turns, and a line below names them.
    Numbers are never folded.
    """

    def __init__(self, *, ruled: bool = False, title: str | None = None) -> None:
        """`ruled` draws a line below the titles of the columns."""
        self._ruled, self.title = ruled, title
        self.columns: list[Column] = []
        self.rows: list[TableRow] = []

    def add_columns(self, *titles: str, justify: Justify = "left", drop_order: int | None = None) -> None:
        """Add columns of the same alignment and turn."""
        self.columns += [Column(title, justify, drop_order) for title in titles]

    def add_row(self, *cells: Cell, style: str = "", ends_section: bool = False) -> None:
        """Add a row with a cell for each column; a section ends with a blank line."""
        self.rows.append(TableRow(cells, style, ends_section))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        numbers = self._informative()
        whole = Measurement.get(console, options, self._drawn(numbers)).maximum
        return Measurement(min(whole, self._least_width(numbers)), whole)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        informative = self._informative()
        shown = list(informative)
        for number in sorted(informative[1:], key=lambda one: (self.columns[one].drop_order or inf, -one)):
            if self._least_width(shown) <= options.max_width:
                break
            shown.remove(number)
        yield self._drawn(shown)
        if left_out := [self.columns[number].title for number in informative if number not in shown]:
            yield Text(f"columns left out: {', '.join(left_out)}", style="dim", overflow="fold")

    def _informative(self) -> list[int]:
        """Return the numbers of the columns that carry information; the first column always does."""
        return [
            number
            for number in range(len(self.columns))
            if number == 0 or not self.rows or any(str(row.cells[number]) not in EMPTY for row in self.rows)
        ]

    def _drawn(self, numbers: list[int]) -> Table:
        """Return the columns with these numbers as a table of rich."""
        table = Table(
            title=self.title,
            title_justify="left",
            box=box.SIMPLE_HEAD if self._ruled else None,
            show_edge=False,
            pad_edge=False,
            padding=(0, GAP - 1 if self._ruled else GAP, 0, 0),  # rich adds a divider to a table with a box
            header_style="bold",
        )
        for number in numbers:
            column = self.columns[number]
            table.add_column(
                Text(column.title),
                justify=column.justify,
                vertical="top",
                overflow="fold",
                min_width=self._least(number),
            )
        for row in self.rows:
            cells = (row.cells[number] for number in numbers)
            shown = (Text(cell) if isinstance(cell, str) else cell for cell in cells)
            table.add_row(*shown, style=row.style, end_section=row.ends_section and self._ruled)
        return table

    def _least(self, number: int) -> int:
        """Return the least width of a column: numbers stay whole, and so do words of its title."""
        column = self.columns[number]
        word = min(LEAST_TEXT, max(map(cell_len, column.title.split()), default=0))
        longest = max((cell_len(str(row.cells[number])) for row in self.rows), default=0)
        return max(word, longest if column.justify == "right" else min(LEAST_TEXT, longest))

    def _least_width(self, numbers: list[int]) -> int:
        return sum(map(self._least, numbers)) + GAP * (len(numbers) - 1)
