"""A board as text: letters, White upper case, with squares marked where asked."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

LIGHT, DARK = "on grey30", "on grey19"


def board_text(fen: str, marks: Mapping[str, str] | None = None) -> Text:
    """Return the board of a FEN, eight ranks and the file letters.

    `marks` gives a rich style for squares, by name. A marked square is also put in brackets, so
    that it shows without colors.
    """
    marks = marks or {}
    text = Text()
    for rank, row in zip(range(8, 0, -1), fen.split()[0].split("/"), strict=True):
        text.append(f"{rank} ", style="dim")
        squares = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
        for file, letter in zip("abcdefgh", squares, strict=True):
            style = marks.get(f"{file}{rank}")
            ground = LIGHT if (ord(file) + rank) % 2 else DARK
            piece = "bold" if letter.isupper() else "dim" if letter == "." else ""
            if style:
                text.append(f"[{letter}]", style=f"bold {style}")
            else:
                text.append(f" {letter} ", style=f"{piece} {ground}".strip())
        text.append("\n")
    text.append("   " + "  ".join("abcdefgh"), style="dim")
    return text
