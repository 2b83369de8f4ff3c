"""What boards have in common: the empty board with the names of files and ranks, and the pieces of python-chess."""

from __future__ import annotations

import re
from collections.abc import Iterable

import chess
import chess.svg
from markupsafe import Markup

SQUARE, MARGIN = 45, 15
WITHIN_MARGIN = f"translate({MARGIN} {MARGIN})"
"""Where the squares begin, within the margin."""
_STYLE = re.compile(r' style="fill: ?([#\w]+); stroke: ?([#\w]+);?"')
_WIDTH = 8 * SQUARE + 2 * MARGIN


def sprites(symbols: Iterable[str] = chess.svg.PIECES) -> Markup:
    """Return the empty board and pieces, to which boards refer; `symbols` are letters of a FEN."""
    pieces = "".join(_STYLE.sub(r' fill="\1" stroke="\2"', chess.svg.PIECES[symbol]) for symbol in sorted(symbols))
    return Markup(f'<g id="empty-board">{_empty_board()}</g>{pieces}')


def _empty_board() -> str:
    """Return the board without pieces; all dark squares are one path."""
    dark = "".join(
        f"M{MARGIN + SQUARE * chess.square_file(square)} {MARGIN + SQUARE * (7 - chess.square_rank(square))}h45v45h-45z"
        for square in chess.SquareSet(chess.BB_DARK_SQUARES)
    )
    side = f'width="{8 * SQUARE}" height="{8 * SQUARE}"'
    return (
        f'<rect class="frame" width="{_WIDTH}" height="{_WIDTH}"/>'
        f'<rect class="light" x="{MARGIN}" y="{MARGIN}" {side}/><path class="dark" d="{dark}"/>'
        f'<g class="names">{"".join(_names())}</g>'
    )


def _names() -> Iterable[str]:
    """Yield the letters of the files below the board, and the numbers of the ranks at its left."""
    for number in range(8):
        middle = MARGIN + SQUARE * number + SQUARE / 2
        yield f'<text x="{middle:g}" y="{_WIDTH - 4}">{chess.FILE_NAMES[number]}</text>'
        yield f'<text x="{MARGIN / 2:g}" y="{middle + 4:g}">{8 - number}</text>'
