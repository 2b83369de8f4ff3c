"""A board in a report: text in a terminal, with marked squares; a room to draw it in, in a picture of a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from ..harness.model.results.finding import WrongMove
from .layout import has_ground

PIECE = {True: "bold grey0", False: "grey0"}
"""How a piece is written, by whether it is White's. The colors are numbers of the palette of 256: no theme changes
them, and no terminal takes bold black for grey."""
EMPTY = "grey42"
GROUND = {True: "grey85", False: "grey66"}
"""The color of a square, by whether it is a light one."""
MARKED = {
    "red": "color(210)",
    "yellow": "color(228)",
    "cyan": "color(123)",
    "green": "color(120)",
    "magenta": "color(219)",
}
"""The color of a marked square, by the color of its mark."""
COLUMNS, ROWS = 26, 13
"""The room of a board: a square, for a cell is twice as high as it is wide."""
WIDTH = 100
"""Columns of a pictured terminal, unless a command is longer."""


def board_text(fen: str, marks: Mapping[str, str] | None = None) -> Text:
    """Return the board of a FEN, eight ranks and the file letters.

    `marks` gives the color of `MARKED` squares, by their names. A marked square is also put in
    brackets, so that it shows without colors.
    """
    marks = marks or {}
    text = Text()
    for rank, row in zip(range(8, 0, -1), fen.split()[0].split("/"), strict=True):
        text.append(f"{rank} ", style="dim")
        squares = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
        for file, letter in zip("abcdefgh", squares, strict=True):
            mark = marks.get(f"{file}{rank}")
            ground = MARKED[mark] if mark else GROUND[(ord(file) + rank) % 2 == 1]
            piece = EMPTY if letter == "." and not mark else PIECE[letter.isupper()]
            text.append(f"[{letter}]" if mark else f" {letter} ", style=f"{piece} on {ground}")
        text.append("\n")
    text.append("   " + "  ".join("abcdefgh"), style="dim")
    return text


class ShownBoard:
    """A board that is text with marks in a terminal, and drawn with the wrong moves in a picture."""

    def __init__(self, fen: str, marks: Mapping[str, str] | None = None, wrong: Sequence[WrongMove] = ()) -> None:
        self._fen, self._marks, self._wrong = fen, marks, wrong

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if isinstance(console, Canvas):
            yield from console.room(self._fen, self._wrong)
        else:
            yield board_text(self._fen, self._marks)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(COLUMNS, COLUMNS)


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
    while kept and not kept[-1].text.strip() and room_of(kept[-1]) is None and not has_ground(kept[-1]):
        kept.pop()
    yield from kept
