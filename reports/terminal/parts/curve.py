"""The curve of a score in a terminal: families detected against seconds, drawn with Braille dots."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...curve.axes import Axes, spread

COLUMNS, ROWS = 60, 14
DOTS_ACROSS, DOTS_UP = 2 * COLUMNS, 4 * ROWS
BRAILLE = 0x2800
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots of a Braille character, by row and column."""
STYLES = ("cyan", "yellow", "magenta", "green", "red", "blue")
MARGIN = 6
Curves = Mapping[str, tuple[tuple[float, int], ...]]


class CurveText:
    """A drawing of the curves of strategies; their names and last figures stand at the ends."""

    def __init__(self, curves: Curves, axes: Axes) -> None:
        self._axes = axes
        self._dots: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], str] = {}
        self._labels: dict[int, Text] = {}
        ends = [points[-1][1] if points else 0 for points in curves.values()]
        rows = [round((1 - axes.up(end)) * (ROWS - 1)) for end in ends]
        places = spread(rows, 1, 0, max(ROWS, len(rows)) - 1)
        for number, (name, points) in enumerate(curves.items()):
            style = STYLES[number % len(STYLES)]
            self._draw(points, style)
            self._labels[int(places[number])] = Text(f" {name} {ends[number]}", style=style)

    def _draw(self, points: tuple[tuple[float, int], ...], style: str) -> None:
        steps = [round(self._axes.across(seconds) * (DOTS_ACROSS - 1)) for seconds, _ in points]
        before = None
        for x in range(DOTS_ACROSS):
            passed = bisect_right(steps, x)
            y = round(self._axes.up(points[passed - 1][1]) * (DOTS_UP - 1)) if passed else 0
            for dot in range(y if before is None else min(before + 1, y), y + 1):
                self._set(x, DOTS_UP - 1 - dot, style)
            before = y

    def _set(self, x: int, y: int, style: str) -> None:
        cell = (y // 4, x // 2)
        self._dots[cell] = self._dots.get(cell, 0) | DOTS[y % 4][x % 2]
        self._styles[cell] = style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        axis = "|" if options.ascii_only else "│"
        ticks = {round((1 - self._axes.up(tick)) * (ROWS - 1)): str(tick) for tick in self._axes.family_ticks}
        yield Text(f"families detected, of {self._axes.families}", style="bold")
        for row in range(max(ROWS, *(place + 1 for place in self._labels))):
            line = Text(f"{ticks.get(row, ''):>{MARGIN - 2}} {axis if row < ROWS else ' '}", no_wrap=True)
            for column in range(COLUMNS):
                line.append(self._cell((row, column), options.ascii_only), self._styles.get((row, column)))
            yield line.append_text(self._labels.get(row, Text()))
        yield Text(self._second_axis(), no_wrap=True)

    def _cell(self, cell: tuple[int, int], ascii_only: bool) -> str:
        if cell not in self._dots:
            return " "
        return "*" if ascii_only else chr(BRAILLE + self._dots[cell])

    def _second_axis(self) -> str:
        """The last line: ticks where there is room for them."""
        line = " " * (MARGIN - 1)
        for tick in self._axes.second_ticks:
            place, text = MARGIN + round(self._axes.across(tick) * (COLUMNS - 1)), f"{tick:g}"
            if not line.strip() or place > len(line):
                line = line.ljust(place) + text
        return f"{line} seconds a fault"
