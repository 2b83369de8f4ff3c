"""The console of a picture: a board leaves room in it, in which the picture draws it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style

from ...harness.model.results.events import WrongMove

COLUMNS, ROWS = 26, 13
"""The room of a board: a square, for a cell is twice as high as it is wide."""
WIDTH = 100
"""Columns of a pictured terminal, unless a command is longer."""


@dataclass(frozen=True)
class Area:
    """Where a board is to be drawn, and what it shows."""

    fen: str
    wrong: tuple[WrongMove, ...]


class Canvas(Console):
    """A console that prints nothing. It keeps rooms for boards."""

    def __init__(self, width: int) -> None:
        super().__init__(
            width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor", legacy_windows=False
        )
        self.rooms: list[Area] = []

    def room(self, fen: str, wrong: Sequence[WrongMove]) -> Iterator[Segment]:
        """Yield the empty cells of a room for a board."""
        style = Style(meta={"room": len(self.rooms)})
        self.rooms.append(Area(fen, tuple(wrong)))
        for _ in range(ROWS):
            yield Segment(" " * COLUMNS, style)
            yield Segment.line()

    def lines_of(self, report: RenderableType) -> list[list[Segment]]:
        """Return the lines of a report, without what fills them up."""
        self.rooms.clear()
        return [list(_trim(line)) for line in Segment.split_lines(self.render(report))]


def lines_of(report: RenderableType) -> tuple[list[list[Segment]], list[Area]]:
    """Return the lines of a report in a canvas that shows every line whole, and its rooms."""
    needed = max((sum(one.cell_length for one in line) for line in Canvas(WIDTH).lines_of(report)), default=0)
    canvas = Canvas(max(WIDTH, needed))
    return canvas.lines_of(report), canvas.rooms


def room_of(segment: Segment) -> int | None:
    """Return the number of the room that a segment is in; None where it is in none."""
    number = segment.style.meta.get("room") if segment.style is not None else None
    return number if isinstance(number, int) else None


def _trim(line: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments of a line that show something."""
    kept = [one for one in line if not one.control]
    while kept and not kept[-1].text.strip() and room_of(kept[-1]) is None and not _has_ground(kept[-1]):
        kept.pop()
    yield from kept


def _has_ground(segment: Segment) -> bool:
    return segment.style is not None and segment.style.bgcolor is not None
