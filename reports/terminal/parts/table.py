"""Tables that fit the terminal: text is folded, then the least important columns are left out; numbers stay whole.

In a pipe, and on a terminal that is wide enough, a row is a line, and one long cell pads no column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

LEAST_TEXT = 20
"""Columns of the terminal that a column of text keeps at least, and words of a title."""
LONGEST_TITLE = 24
"""Columns of the terminal after which a title goes on below."""
LONGEST_PADDED = 60
"""Columns of the terminal: a longer cell has those at its right moved instead of the column made wider."""
GAP = 2
NOTHING = ("", "-")
"""What cells say that say nothing."""
_PIECE = re.compile(r".+?(?:(?<=\w-)(?=[^\W\d])|(?<!\d)\s+|\s+(?!(?:s|min|%|times|[kMG]?n/s)(?!\w))|$)", re.DOTALL)
"""A word with the spaces after it, or its part up to a hyphen; a number and its unit are one word."""

Cell = str | Text
Justify = Literal["left", "right"]


@dataclass(frozen=True)
class Column:
    """One column: its title, on which side its cells stand, and its turn to be left out."""

    title: str
    justify: Justify
    turn: int | None
    """Where the table does not fit, columns of turn 1 go first, those of no turn last; of one turn, from the right."""


@dataclass(frozen=True)
class TableRow:
    """One row: its cells, its rich style, and whether a section of the table ends with it."""

    cells: tuple[Cell, ...]
    style: str
    ends_section: bool = False


class ReportTable:
    """A table of text at the left and numbers at the right of their columns.

    A column in which no cell says anything is not shown. Where the rest does not fit, titles are broken between words,
    and text is folded, down to `LEAST_TEXT` columns of the terminal. Where that is not enough, columns are left out in
    their turns, and a line below names them.
    """

    def __init__(self, *, ruled: bool = False, title: str | None = None) -> None:
        """`ruled` draws a line below the titles of the columns."""
        self._ruled, self.title = ruled, title
        self.columns: list[Column] = []
        self.rows: list[TableRow] = []

    def add_columns(self, *titles: str, justify: Justify = "left", turn: int | None = None) -> None:
        """Add columns of one kind. Those of one turn are left out from the right."""
        self.columns += [Column(title, justify, turn) for title in titles]

    def add_row(self, *cells: Cell, style: str = "", ends_section: bool = False) -> None:
        """Add a row with a cell for each column; a section ends with a blank line."""
        self.rows.append(TableRow(cells, style, ends_section))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        telling = self._telling_columns()
        return Measurement(_sum(map(self._least, telling)), _sum(map(self._whole, telling)))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = self._fit(options.max_width)
        if self.title is not None:
            yield Text(self.title, style="table.title", overflow="fold")
        yield from self._lines(TableRow(tuple(one.title for one in self.columns), "bold"), widths)
        if self._ruled:
            rule = "-" if options.ascii_only else "─"
            yield Text(rule * _sum(one.column for one in widths.values()), no_wrap=True, overflow="ignore")
        for number, row in enumerate(self.rows, 1):
            yield from self._lines(row, widths)
            if row.ends_section and number < len(self.rows):
                yield Text()
        if left_out := [self.columns[number].title for number in self._telling_columns() if number not in widths]:
            yield Text(f"columns left out: {', '.join(left_out)}", style="dim", overflow="fold")

    def _telling_columns(self) -> list[int]:
        """Return the numbers of the columns that say anything; the first one is always among them."""
        return [
            number
            for number in range(len(self.columns))
            if number == 0 or not self.rows or any(str(row.cells[number]) not in NOTHING for row in self.rows)
        ]

    def _fit(self, room: int) -> dict[int, _Width]:
        """Return the columns that are shown, by their numbers, with their widths."""
        telling = self._telling_columns()
        whole = {number: self._whole(number) for number in telling}
        if _sum(whole.values()) <= room:
            return {number: _Width(self._usual(number), whole[number]) for number in telling}
        least = {number: self._least(number) for number in telling}
        for number in sorted(telling[1:], key=lambda one: (self.columns[one].turn or inf, -one)):
            if _sum(least.values()) <= room:
                break
            del least[number]
        spare = max(0, room - _sum(least.values()))
        wanting = sorted(least, key=lambda one: whole[one] - least[one])
        for place, number in enumerate(wanting):  # what one column needs no more of its share is for the others
            more = min(spare // (len(wanting) - place), whole[number] - least[number])
            least[number] += more
            spare -= more
        return {number: _Width(min(width, room), min(width, room)) for number, width in least.items()}

    def _lengths(self, column: int) -> list[int]:
        return [_length(row.cells[column]) for row in self.rows]

    def _whole(self, column: int) -> int:
        """Return the width at which nothing in a column is broken but a long title."""
        return max([min(LONGEST_TITLE, _length(self.columns[column].title)), *self._lengths(column)])

    def _usual(self, column: int) -> int:
        """Return the width that a column has where there is room for all."""
        usual = [one for one in self._lengths(column) if one <= LONGEST_PADDED]
        return max([min(LONGEST_TITLE, _length(self.columns[column].title)), *usual])

    def _least(self, column: int) -> int:
        """Return the width below which a column is not made: numbers are whole there, and words of the title."""
        word = min(LEAST_TEXT, max(map(_length, self.columns[column].title.split()), default=0))
        longest = max(self._lengths(column), default=0)
        return max(word, longest if self.columns[column].justify == "right" else min(LEAST_TEXT, longest))

    def _lines(self, row: TableRow, widths: Mapping[int, _Width]) -> Iterator[Text]:
        """Yield the lines of a row, without spaces at their ends."""
        cells = [(number, width, _break(row.cells[number], width.lines)) for number, width in widths.items()]
        for height in range(max(len(lines) for _, _, lines in cells)):
            line, start = Text(style=row.style, no_wrap=True, overflow="ignore"), 0
            for number, width, lines in cells:
                if height < len(lines) and lines[height]:
                    free = width.column - lines[height].cell_len if self.columns[number].justify == "right" else 0
                    line.pad_right(max(start + free - line.cell_len, GAP if line else 0))
                    line.append_text(lines[height])
                start += width.column + GAP
            yield line


@dataclass(frozen=True)
class _Width:
    column: int
    """How far the columns at the right are moved."""
    lines: int
    """Where lines in the column are broken."""


def _length(cell: Cell) -> int:
    return cell_len(str(cell))


def _sum(widths: Iterable[int]) -> int:
    """Return the width of columns side by side."""
    each = list(widths)
    return sum(each) + GAP * (len(each) - 1)


def _break(cell: Cell, width: int) -> list[Text]:
    """Return the lines of a cell: broken between words, after hyphens, and inside a word that is wider than a line."""
    text = Text(cell) if isinstance(cell, str) else cell
    if text.cell_len <= width and "\n" not in text.plain:
        return [text]
    starts: list[int] = []
    free = width
    for piece in _PIECE.finditer(text.plain):
        start, word = piece.start(), piece[0].rstrip()
        if free < width and cell_len(word) > free:
            starts.append(start)
            free = width
        while cell_len(word) > width:
            start += len(chop_cells(word, width)[0])
            starts.append(start)
            word = text.plain[start : piece.end()].rstrip()
        free -= cell_len(text.plain[start : piece.end()])
        if "\n" in piece[0]:
            starts.append(piece.end())
            free = width
    lines = list(text.divide(starts))
    for line in lines:
        line.rstrip()
    return lines
