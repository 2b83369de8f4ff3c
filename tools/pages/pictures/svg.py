"""SVG documents, and elements that several pictures share."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from perft_check.reports.html.board import SIZE, BoardPicture, board_rules_of_document, sprites

_STYLE = (
    "text{font:15px 'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace;fill:#1b1f24}"
    ".paper{fill:#f6f7f9}.head{font-family:sans-serif;font-weight:bold}.soft{fill:#58616c}"
    ".edge{stroke:#838d9a;stroke-width:1.5;fill:none}"
)


def board_document(board: BoardPicture, title: str, size: int = 360) -> str:
    """Return a board as an SVG document of `size` by `size` pixels; `title` is its text for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{size}" height="{size}" '
        f'role="img" aria-labelledby="title desc"><title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(board.pieces)}</desc><style>{board_rules_of_document()}</style>'
        f'<defs>{sprites(board.symbols)}</defs><g class="drawn">{board.drawing}</g></svg>\n'
    )


def document(size: tuple[int, int], title: str, description: str, style: str, parts: Sequence[str]) -> str:
    """Return an SVG document of the given size in pixels; `style` contains CSS rules in addition to the common ones."""
    width, height = size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-labelledby="title desc"><title id="title">{escape(title)}</title>'
    )
    paper = f'<rect class="paper" width="{width}" height="{height}" rx="6"/>'
    rules = f'<desc id="desc">{escape(description)}</desc><style>{_STYLE}{style}</style>'
    return "\n".join([head, rules, paper, *parts, "</svg>\n"])


def label(x: float, y: float, text: str, kind: str = "") -> str:
    """Return a text element that is vertically centered at `y`; `kind` contains its CSS classes."""
    return f'<text class="{kind}" x="{x:g}" y="{y + 5:g}">{escape(text)}</text>'


def edge(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a straight line."""
    return f'<path class="edge" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'
