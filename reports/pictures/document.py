"""A board as an SVG document, for a page of Markdown or whatever else shows pictures."""

from __future__ import annotations

from html import escape

from . import style
from .board import SIZE, BoardPicture
from .sprites import sprites


def document(board: BoardPicture, title: str, size: int = 360) -> str:
    """Return a picture of `size` pixels; `title` is its name for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{size}" height="{size}" '
        f'role="img" aria-labelledby="title desc"><title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(board.words)}</desc><style>{style.of_document()}</style>'
        f'<defs>{sprites(board.symbols)}</defs><g class="drawn">{board.drawing}</g></svg>\n'
    )
