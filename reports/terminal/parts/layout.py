"""Where parts stand: indented, side by side, fact below fact; tables that fit any width; what was not tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ....harness.model.capabilities import Untried, sentence_of

LEAST_SENTENCES = 30
"""Columns of the terminal that sentences beside a board get at least; else they stand below it."""


class Indented:
    """Parts that begin some columns to the right. Lines that are to stay whole are not broken here either."""

    def __init__(self, *parts: RenderableType, by: int = 2) -> None:
        self._parts, self._by = parts, by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        narrower = options.update(width=max(1, options.max_width - self._by))
        for line in Segment.split_lines(console.render(Group(*self._parts), narrower)):
            yield Segment(" " * self._by)
            yield from line
            yield Segment.line()


class Beside:
    """A board with text or a table at its right, or below it where that would be too narrow."""

    def __init__(self, board: RenderableType, other: RenderableType) -> None:
        self._board, self._other = board, other

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left = Measurement.get(console, options, self._board).maximum + 3
        needed = min(LEAST_SENTENCES, Measurement.get(console, options, self._other).maximum)
        if options.max_width - left < needed:
            yield Group(self._board, self._other)
            return
        grid = Table.grid(padding=(0, 3, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column()
        grid.add_row(self._board, self._other)
        yield grid


class Trimmed:
    """Something to print, without the spaces that fill its lines up."""

    def __init__(self, shown: RenderableType) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paints = console.color_system is not None and not console.no_color
        for line in Segment.split_lines(console.render(self._shown, options)):
            yield from _trim(line, paints)
            yield Segment.line()


def _trim(line: Iterable[Segment], paints: bool) -> list[Segment]:
    segments = list(line)
    while segments and not (paints and _has_ground(segments[-1])):
        text, style, control = segments.pop()
        if control or text.rstrip(" "):
            return [*segments, Segment(text.rstrip(" "), style, control)]
    return segments


def _has_ground(segment: Segment) -> bool:
    """Tell whether spaces of a segment are seen where there are colors."""
    return segment.style is not None and segment.style.bgcolor is not None


class Facts:
    """A line for each fact, broken between words where the terminal is narrow, unless it is to stay whole."""

    def __init__(self, facts: Iterable[tuple[str, str | Text]], style: str = "bold", gap: int = 2) -> None:
        """`style` is that of the names, `gap` the spaces after the longest one."""
        self._style, self._gap = style, gap
        self._facts = [(name, Text(value) if isinstance(value, str) else value) for name, value in facts]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        margin = max((len(name) for name, _ in self._facts), default=0) + self._gap
        for name, value in self._facts:
            lines = value.wrap(console, max(1, options.max_width - margin), no_wrap=value.no_wrap, overflow="fold")
            for number, line in enumerate([value] if value.no_wrap else lines):
                title = (f"{name:{margin}}", self._style) if number == 0 else " " * margin
                yield Text.assemble(title, line, no_wrap=True, overflow="ignore")


def not_tried(untried: Sequence[Untried], engine: str = "", quiet: bool = False) -> list[Text]:
    """Return the line, or none where all was tried; it stands out where a part of every generator was left out.

    `quiet` leaves it out where no such part was.
    """
    stands_out = any(one.capability.is_essential for one in untried)
    if not untried or (quiet and not stands_out):
        return []
    name = (f"{engine}: ", "bold") if engine else ""
    line = (f"not tried: {sentence_of(untried)}", "yellow" if stands_out else "dim")
    return [Text.assemble(name, line, overflow="fold")]


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

    def add_columns(self, *titles: str, justify: Justify = "left", prose: bool = False) -> None:
        """Add columns of one kind."""
        self.columns += [Column(title, justify, prose) for title in titles]

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
