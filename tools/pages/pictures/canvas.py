"""Render a report as lines of segments, with space for the boards that a picture draws."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

from perft_check.reports.board import COLUMNS, ROWS, MarkedBoard
from perft_check.reports.layout import has_background
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style

WIDTH = 100
"""Number of columns of a terminal in a picture, unless a command is longer."""


class Canvas(Console):
    """A console that prints nothing, and leaves space for boards."""

    def __init__(self, width: int) -> None:
        super().__init__(
            width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False
        )
        self.boards: list[MarkedBoard] = []

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments of a renderable; a board is rendered as empty cells."""
        if not isinstance(renderable, MarkedBoard):
            yield from super().render(renderable, options)
            return
        style = Style(meta={"board": len(self.boards)})
        self.boards.append(renderable)
        for _ in range(ROWS):
            yield Segment(" " * COLUMNS, style)
            yield Segment.line()

    def lines_of(self, report: RenderableType) -> list[list[Segment]]:
        """Return the lines of a report without trailing spaces."""
        self.boards.clear()
        return [list(_trim(line)) for line in Segment.split_lines(self.render(report))]


def lines_of(report: RenderableType) -> tuple[list[list[Segment]], list[MarkedBoard]]:
    """Return the lines of a report, which are not wrapped, and its boards."""
    needed = max((sum(one.cell_length for one in line) for line in Canvas(WIDTH).lines_of(report)), default=0)
    canvas = Canvas(max(WIDTH, needed))
    return canvas.lines_of(report), canvas.boards


def board_number(segment: Segment) -> int | None:
    """Return the number of the board to which a segment belongs, if any."""
    number = segment.style.meta.get("board") if segment.style is not None else None
    return number if isinstance(number, int) else None


def _trim(line: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments of a line without trailing blanks."""
    kept = [one for one in line if not one.is_control]
    while kept and not kept[-1].text.strip() and board_number(kept[-1]) is None and not has_background(kept[-1]):
        kept.pop()
    yield from kept
