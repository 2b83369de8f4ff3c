"""A board as styled text with marked squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from ..harness.model.results.finding import WrongMove

PIECE = {True: "bold grey0", False: "grey0"}
"""Style of a piece, by whether it is White's. The 256-color palette is used because themes do not change it, and
because some terminals show bold black as gray."""
EMPTY = "grey42"
GROUND = {True: "grey85", False: "grey66"}
"""Background of a square, by whether the square is light."""
MARKED = {
    "red": "color(210)",
    "yellow": "color(228)",
    "cyan": "color(123)",
    "green": "color(120)",
    "magenta": "color(219)",
}
"""Background of a marked square, by color of the mark."""
COLUMNS, ROWS = 26, 13
"""Size of a board in terminal cells. It looks square, because a cell is about twice as high as wide."""


class Mark(NamedTuple):
    """A way to mark a square."""

    signs: str
    """The characters to the left and right of the piece, so that marks are visible without colors."""
    color: str
    """A color of `MARKED`, or "" to keep the color of the square."""


def board_text(fen: str, marks: Mapping[str, str] | None = None) -> Text:
    """Return the board of a FEN, with brackets around marked squares.

    `marks` maps names of squares to colors of `MARKED`.
    """
    return draw_board(fen, {square: Mark("[]", color) for square, color in (marks or {}).items()})


def draw_board(
    fen: str, marks: Mapping[str, Mark], *, is_flipped: bool = False, shape: tuple[int, int] = (3, 1)
) -> Text:
    """Return the board of a FEN, or of its first field: eight ranks and the file letters.

    `marks` maps names of squares to their marks. `shape` is the width and height of a square in cells.
    """
    text = Text()
    width, height = shape
    order = slice(None, None, -1 if is_flipped else 1)
    files = "abcdefgh"[order]
    for rank, row in list(zip(range(8, 0, -1), fen.split()[0].split("/"), strict=True))[order]:
        letters = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)[order]
        for line in range(height):
            is_middle = line == height // 2
            text.append(f"{rank} " if is_middle else "  ", style="dim")
            for file, letter in zip(files, letters, strict=True):
                mark = marks.get(f"{file}{rank}")
                ground = MARKED[mark.color] if mark and mark.color else GROUND[(ord(file) + rank) % 2 == 1]
                piece = EMPTY if mark is None and letter == "." else PIECE[letter.isupper()]
                shown = f"{mark.signs[0]}{letter}{mark.signs[1]}" if mark else letter
                text.append((shown if is_middle else "").center(width), style=f"{piece} on {ground}")
            text.append("\n")
    text.append("  " + "".join(file.center(width) for file in files).rstrip(), style="dim")
    return text


@dataclass(frozen=True)
class MarkedBoard:
    """A board with marks. Images of reports replace it with a drawing of the same size, with arrows."""

    fen: str
    marks: Mapping[str, str] | None = None
    wrong: Sequence[WrongMove] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield board_text(self.fen, self.marks)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(COLUMNS, COLUMNS)
