"""A board as text, with marked squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from ..harness.model.results.finding import WrongMove

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
"""The size of a board that is drawn: a square, as a cell is twice as high as it is wide."""


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


@dataclass(frozen=True)
class MarkedBoard:
    """A board with marks; a picture of a report draws it in a space of the same size, with arrows for wrong moves."""

    fen: str
    marks: Mapping[str, str] | None = None
    wrong: Sequence[WrongMove] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield board_text(self.fen, self.marks)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(COLUMNS, COLUMNS)
