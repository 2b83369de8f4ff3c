"""Drawings of characters: bars, and the curve of a score in Braille dots."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...charts import Axes, spread
from .table import LEAST_TEXT, ReportTable

COLUMNS = LEAST_TEXT
"""Columns of the longest bar, which is never folded."""
EIGHTHS = " ▏▎▍▌▋▊▉█"


@dataclass(frozen=True)
class Bar:
    """One bar: its name, its length in any unit, and what is said of it."""

    name: str
    length: float
    figures: tuple[str, ...]


class Bars:
    """Bars one below the other, each in a row of a table; where the terminal knows no blocks, of number signs."""

    def __init__(self, titles: Sequence[str], bars: Sequence[Bar], longest: float | None = None) -> None:
        """`titles` are those of the names, of the bars and of the figures; `longest` is the length of a full bar."""
        self._titles, self._bars = titles, bars
        self._longest = longest or max((bar.length for bar in bars), default=1.0)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = ReportTable(ruled=True)
        table.add_columns(*self._titles[:2])
        table.add_columns(*self._titles[2:], justify="right", turn=1)
        for bar in self._bars:
            table.add_row(bar.name, Text(self._draw(bar.length, options.ascii_only), style="cyan"), *bar.figures)
        yield table

    def _draw(self, length: float, ascii_only: bool) -> str:
        eighths = round(8 * COLUMNS * min(1.0, length / self._longest))
        if ascii_only:
            return "#" * max(1, round(eighths / 8))
        whole, rest = divmod(max(1, eighths), 8)
        return EIGHTHS[-1] * whole + EIGHTHS[rest].strip()


MOST_COLUMNS, ROWS = 60, 14
DOTS_UP = 4 * ROWS
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots of a Braille character, by row and column."""
STYLES = ("cyan", "yellow", "magenta", "green", "red", "blue")
MARGIN = 6
Points = tuple[tuple[float, int], ...]
Curves = Mapping[str, Points]


UNIT = " seconds a fault"


class CurveText:
    """A drawing of the curves of strategies; their names and last figures stand at the ends."""

    def __init__(self, curves: Curves, axes: Axes) -> None:
        self._curves, self._axes = curves, axes
        ends = [points[-1][1] if points else 0 for points in curves.values()]
        rows = [round((1 - axes.up(end)) * (ROWS - 1)) for end in ends]
        places = spread(rows, 1, 0, max(ROWS, len(rows)) - 1)
        self._labels = {
            int(place): Text(f" {name} {end}", style=_style(number))
            for number, (name, end, place) in enumerate(zip(curves, ends, places, strict=True))
        }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        beside = max([len(UNIT) + 2, *(label.cell_len for label in self._labels.values())])
        columns = max(1, min(MOST_COLUMNS, options.max_width - MARGIN - beside))
        drawing = _Drawing(columns, self._axes, options.ascii_only)
        for number, points in enumerate(self._curves.values()):
            drawing.add(points, _style(number))
        axis = "|" if options.ascii_only else "│"
        ticks = {round((1 - self._axes.up(tick)) * (ROWS - 1)): str(tick) for tick in self._axes.family_ticks}
        yield Text(f"families detected, of {self._axes.families}", style="bold")
        for row in range(max(ROWS, *(place + 1 for place in self._labels))):
            line = Text(f"{ticks.get(row, ''):>{MARGIN - 2}} {axis if row < ROWS else ' '}", no_wrap=True)
            yield line.append_text(drawing.row(row)).append_text(self._labels.get(row, Text()))
        yield Text(self._second_axis(columns), no_wrap=True)

    def _second_axis(self, columns: int) -> str:
        """The last line: ticks where there is room for them."""
        line = " " * (MARGIN - 1)
        for tick in self._axes.second_ticks:
            place, text = MARGIN + round(self._axes.across(tick) * (columns - 1)), f"{tick:g}"
            if not line.strip() or place > len(line):
                line = line.ljust(place) + text
        return f"{line}{UNIT}"


def _style(number: int) -> str:
    return STYLES[number % len(STYLES)]


class _Drawing:
    """Braille dots in rows and columns of characters."""

    def __init__(self, columns: int, axes: Axes, ascii_only: bool) -> None:
        self._columns, self._axes, self._ascii_only = columns, axes, ascii_only
        self._dots: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], str] = {}

    def add(self, points: Points, style: str) -> None:
        """Draw the curve of one strategy."""
        dots_across = 2 * self._columns
        steps = [round(self._axes.across(seconds) * (dots_across - 1)) for seconds, _ in points]
        before = None
        for x in range(dots_across):
            passed = bisect_right(steps, x)
            y = round(self._axes.up(points[passed - 1][1]) * (DOTS_UP - 1)) if passed else 0
            for dot in range(y if before is None else min(before + 1, y), y + 1):
                self._set(x, DOTS_UP - 1 - dot, style)
            before = y

    def row(self, row: int) -> Text:
        """Return one row of the drawing."""
        text = Text()
        for column in range(self._columns):
            text.append(self._cell((row, column)), self._styles.get((row, column)))
        return text

    def _set(self, x: int, y: int, style: str) -> None:
        cell = (y // 4, x // 2)
        self._dots[cell] = self._dots.get(cell, 0) | DOTS[y % 4][x % 2]
        self._styles[cell] = style

    def _cell(self, cell: tuple[int, int]) -> str:
        if cell not in self._dots:
            return " "
        return "*" if self._ascii_only else chr(BRAILLE + self._dots[cell])
