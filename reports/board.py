"""A board as styled text with marked squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


def board_text(fen: str, marks: Mapping[str, str] | None = None) -> Text:
    """Return the board of a FEN: eight ranks and the file letters.

    `marks` maps names of squares to colors of `MARKED`. Marked squares are also bracketed, so that they are visible
    without colors.
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
