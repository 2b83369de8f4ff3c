"""Facts one below the other, each with its name."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text


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
