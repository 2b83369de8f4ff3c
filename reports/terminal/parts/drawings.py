"""Bars drawn with characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...table import LEAST_TEXT, ReportTable

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
