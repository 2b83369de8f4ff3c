"""Bars of plain characters, with a figure behind each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from .tables import WideTable

COLUMNS = 30
"""Columns of the longest bar."""
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
        table = WideTable(ruled=not options.ascii_only)
        for number, title in enumerate(self._titles):
            table.add_column(title, justify="right" if number > 1 else "left")
        for bar in self._bars:
            table.add_row(bar.name, Text(self._drawn(bar.length, options.ascii_only), style="cyan"), *bar.figures)
        yield table

    def _drawn(self, length: float, ascii_only: bool) -> str:
        eighths = round(8 * COLUMNS * min(1.0, length / self._longest))
        if ascii_only:
            return "#" * max(1, round(eighths / 8))
        whole, rest = divmod(max(1, eighths), 8)
        return EIGHTHS[-1] * whole + EIGHTHS[rest].strip()
