"""Layout of terminal reports: indentation, side by side, labeled values, trimmed lines."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ..harness.model.capabilities import LONGEST_LINE, UntriedCapability, clauses_of, line_of

MIN_TEXT_WIDTH = 30
"""Minimum width of text next to a board; if there is less space, the text is placed below the board."""


class Indented:
    """Indented renderables. Unwrapped lines are not indented."""

    def __init__(self, *parts: RenderableType, by: int = 2) -> None:
        self._parts, self._by = parts, by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        narrower = options.update(width=max(1, options.max_width - self._by))
        for line in Segment.split_lines(console.render(Group(*self._parts), narrower)):
            yield Segment(" " * self._by)
            yield from line
            yield Segment.line()


class SideBySide:
    """A board with text or a table to its right, or below it if there is too little space."""

    def __init__(self, board: RenderableType, other: RenderableType) -> None:
        self._board, self._other = board, other

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left = Measurement.get(console, options, self._board).maximum + 3
        other = Measurement.get(console, options, self._other)
        if options.max_width - left < max(other.minimum, min(MIN_TEXT_WIDTH, other.maximum)):
            yield Group(self._board, self._other)
            return
        grid = Table.grid(padding=(0, 3, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column()
        grid.add_row(self._board, self._other)
        yield grid


class Trimmed:
    """A renderable without trailing spaces."""

    def __init__(self, shown: RenderableType) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        paints = console.color_system is not None and not console.no_color
        for line in Segment.split_lines(console.render(self._shown, options)):
            yield from _trim(line, paints)
            yield Segment.line()


def _trim(line: Iterable[Segment], paints: bool) -> list[Segment]:
    segments = list(line)
    while segments and not (paints and has_background(segments[-1])):
        text, style, control = segments.pop()
        if control or text.rstrip(" "):
            return [*segments, Segment(text.rstrip(" "), style, control)]
    return segments


def has_background(segment: Segment) -> bool:
    """Return True if the spaces of a segment have a visible color."""
    return segment.style is not None and segment.style.bgcolor is not None


class LabeledValues:
    """A line for each label and value, wrapped between words unless the value is text that must not be wrapped."""

    def __init__(self, facts: Iterable[tuple[str, str | Text]], style: str = "bold", gap: int = 2) -> None:
        """Create the lines for pairs of label and value.

        `style` is the style of the labels, and `gap` the number of spaces after the longest label.
        """
        self._style, self._gap = style, gap
        self._facts = [(name, Text(value) if isinstance(value, str) else value) for name, value in facts]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        margin = max((len(name) for name, _ in self._facts), default=0) + self._gap
        for name, value in self._facts:
            lines = value.wrap(console, max(1, options.max_width - margin), no_wrap=value.no_wrap, overflow="fold")
            for number, line in enumerate([value] if value.no_wrap else lines):
                title = (f"{name:{margin}}", self._style) if number == 0 else " " * margin
                yield Text.assemble(title, line, no_wrap=True, overflow="ignore")


def not_tried(untried: Sequence[UntriedCapability], *, verbose: bool = False, quiet: bool = False) -> list[Text]:
    """Return a line that lists untested capabilities, or nothing if all were tested.

    The line is highlighted if one of the capabilities is essential. Otherwise, `quiet` omits the line.
    """
    stands_out = any(one.capability.is_essential for one in untried)
    lines = clauses_of(untried) if verbose else list(filter(None, [line_of(untried, LONGEST_LINE)]))
    if not lines or (quiet and not stands_out):
        return []
    style = "yellow" if stands_out else "dim"
    return [Text(f"not tried: {line}", style, overflow="fold") for line in lines]


_UNLIMITED_WIDTH = 1_000_000


def plain(report: RenderableType) -> str:
    """Return a report as plain text without trailing spaces or a final newline."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=_UNLIMITED_WIDTH,
        color_system=None,
        force_terminal=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.print(Trimmed(report), crop=False)
    return stream.getvalue().rstrip("\n")
