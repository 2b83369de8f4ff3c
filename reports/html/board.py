"""Boards as SVG, drawn by python-chess.

Boards look the same in a page, which has light and dark colors, and in a standalone picture. Arrows for different kinds
of moves differ in color, dash pattern and head, so that they can be distinguished without colors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import Template
from xml.etree import ElementTree

import chess
import chess.svg
from markupsafe import Markup

from ...harness.model.results.finding import HEADINGS, WrongMove

SQUARE, MARGIN = 45, 15
WITHIN_MARGIN = f"translate({MARGIN} {MARGIN})"
"""SVG transform from square coordinates to those of a board with its margin."""
_STYLE = re.compile(r' style="fill: ?([#\w]+); stroke: ?([#\w]+);?"')
_WIDTH = 8 * SQUARE + 2 * MARGIN
_RULES = Template(
    """\
#empty-board .frame { fill: $frame; }
#empty-board .light { fill: $light; }
#empty-board .dark { fill: $dark; }
#empty-board .names text { fill: $names; font-size: 13px; font-family: sans-serif; text-anchor: middle; }
line.arrow { stroke: #b3211f; }
polygon.arrow { fill: #b3211f; }
.drawn .arrow { opacity: 0.8; }
.drawn line.arrow { stroke-width: 6; }
line.arrow.missing { stroke: #0b5cad; stroke-dasharray: 9 6; }
polygon.arrow.missing { fill: $light; stroke: #0b5cad; stroke-width: 3; }
line.arrow.duplicate { stroke: #7b2bb3; stroke-dasharray: 2 4; }
polygon.arrow.duplicate { fill: #7b2bb3; }
.drawn line.arrow.right { stroke: #14532d; stroke-width: 3; }
polygon.arrow.right { fill: #14532d; }
circle.look { stroke: #14532d; fill: #22c55e; fill-opacity: 0.35; }
"""
)
_COLORS_OF_PAGE = {
    "frame": "var(--frame)",
    "light": "var(--light-square)",
    "dark": "var(--dark-square)",
    "names": "var(--soft)",
}
_PICTURE_COLORS = {"frame": "#eceff3", "light": "#f0e3cb", "dark": "#c9a77c", "names": "#58616c"}
"""The colors of a standalone picture, without CSS variables, which some programs do not support."""


def board_rules_of_page() -> str:
    """Return the CSS rules for boards in a page."""
    return _RULES.substitute(_COLORS_OF_PAGE)


def board_rules_of_document() -> str:
    """Return the CSS rules for boards in a standalone picture."""
    return _RULES.substitute(_PICTURE_COLORS).replace("\n", "")


def sprites(symbols: Iterable[str] = chess.svg.PIECES) -> Markup:
    """Return the empty board and the pieces as SVG definitions; `symbols` are FEN letters."""
    pieces = "".join(_STYLE.sub(r' fill="\1" stroke="\2"', chess.svg.PIECES[symbol]) for symbol in sorted(symbols))
    return Markup(f'<g id="empty-board">{_empty_board()}</g>{pieces}')


def _empty_board() -> str:
    """Return an empty board, with all dark squares as one path."""
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
    """Yield the file letters below the board and the rank numbers to its left."""
    for number in range(8):
        middle = MARGIN + SQUARE * number + SQUARE / 2
        yield f'<text x="{middle:g}" y="{_WIDTH - 4}">{chess.FILE_NAMES[number]}</text>'
        yield f'<text x="{MARGIN / 2:g}" y="{middle + 4:g}">{8 - number}</text>'


SIZE = 390
"""Width and height of a board with its margin, in SVG units."""
_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class BoardPicture:
    """A drawing of a board and its textual description."""

    drawing: Markup
    pieces: str
    """A textual description of the position."""
    ringed: tuple[str, ...] = ()
    """The circled squares with their pieces, such as "black bishop h6"."""
    arrows: tuple[tuple[str, str], ...] = ()
    """The kinds of arrows on the board with their captions, such as ("extra", "extra move")."""
    symbols: frozenset[str] = frozenset()
    """The pieces on the board, as FEN letters."""


@dataclass(frozen=True)
class Arrow:
    """An arrow for a move, with its caption."""

    kind: str
    caption: str
    uci: str


def board_of(fen: str, wrong: Sequence[WrongMove] = ()) -> BoardPicture | None:
    """Return the board of a FEN with arrows for wrong moves, or None if the FEN is invalid."""
    arrows = [Arrow(move.kind, HEADINGS[move.kind], move.uci) for move in wrong if move.kind in HEADINGS]
    return board_with(fen, arrows, _squares_to_ring(wrong))


def board_with(fen: str, arrows: Iterable[Arrow] = (), ringed: Sequence[chess.Square] = ()) -> BoardPicture | None:
    """Return the board of a FEN with arrows and circled squares, or None if the FEN is invalid.

    If several arrows have the same ends, only the last one is drawn.
    """
    try:
        board = chess.BaseBoard(fen.split(" ")[0])
    except ValueError:
        return None
    drawn = {ends: arrow for arrow in arrows if (ends := _ends(arrow.uci))}
    document = chess.svg.board(
        board,
        coordinates=False,
        arrows=[
            *(chess.svg.Arrow(square, square, color="look") for square in ringed),
            *(chess.svg.Arrow(*squares, color=arrow.kind) for squares, arrow in drawn.items()),
        ],
    )
    return BoardPicture(
        Markup(_without_shared_parts(document)),
        _in_words(board),
        tuple(_piece_on(board, square) for square in ringed),
        tuple(dict.fromkeys((arrow.kind, arrow.caption) for arrow in drawn.values())),
        frozenset(piece.symbol() for piece in board.piece_map().values()),
    )


def _without_shared_parts(drawn: str) -> str:
    """Return the drawing of a board without the parts shared by all boards, with circles below the pieces."""
    parts = [_set_class(part) for part in ElementTree.fromstring(drawn) if not _is_shared(part)]
    parts.sort(key=lambda part: part.tag == f"{_SVG}use" or _kind(part) != "look")
    texts = "".join(map(_as_html, parts))
    return f'<use href="#empty-board"/><g transform="{WITHIN_MARGIN}">{texts}</g>'


def _is_shared(part: ElementTree.Element) -> bool:
    """Return True if a part is on every board."""
    return part.tag in (f"{_SVG}rect", f"{_SVG}g")


def _kind(part: ElementTree.Element) -> str:
    return part.get("class", "").split(" ")[-1]


def _set_class(part: ElementTree.Element) -> ElementTree.Element:
    """Return a part of an arrow with a CSS class for its kind instead of a color."""
    for name in ("stroke", "fill"):
        color = part.get(name, "none")
        if color.startswith("url("):
            del part.attrib[name]
        elif color != "none":
            part.set("class", f"{part.get('class')} {part.attrib.pop(name)}")
    return part


def _as_html(part: ElementTree.Element) -> str:
    """Return a part as HTML without namespaces."""
    if part.tag in (f"{_SVG}desc", f"{_SVG}defs"):
        return ""
    for one in part.iter():
        one.tag = one.tag.removeprefix(_SVG)
        one.attrib.pop("{http://www.w3.org/1999/xlink}href", None)
        for name, value in one.attrib.items():
            one.attrib[name] = " ".join(map(_round, value.split(" "))) if name in _NUMBERS else value
    return ElementTree.tostring(part, encoding="unicode")


_NUMBERS = ("x1", "x2", "y1", "y2", "points")


def _round(numbers: str) -> str:
    """Return comma-separated numbers rounded to two digits."""
    return ",".join(f"{float(number):.2f}".rstrip("0").rstrip(".") for number in numbers.split(","))


def _ends(uci: str) -> tuple[chess.Square, chess.Square] | None:
    """Return the origin and destination of a move, or None if the text does not contain them."""
    try:
        return chess.parse_square(uci[0:2]), chess.parse_square(uci[2:4])
    except ValueError:
        return None


def _squares_to_ring(wrong: Iterable[WrongMove]) -> list[chess.Square]:
    """Return the squares mentioned in explanations, except the origins of the moves."""
    named = dict.fromkeys(square for move in wrong for square in move.squares if square in chess.SQUARE_NAMES)
    moving = {move.uci[0:2] for move in wrong}
    return [chess.parse_square(square) for square in named if square not in moving]


def _piece_on(board: chess.BaseBoard, square: chess.Square) -> str:
    piece, name = board.piece_at(square), chess.square_name(square)
    return name if piece is None else f"{_color(piece.color)} {chess.piece_name(piece.piece_type)} {name}"


def _in_words(board: chess.BaseBoard) -> str:
    sides = (f"{_color(color).title()}: {', '.join(_squares_in_words(board, color))}." for color in chess.COLORS)
    return " ".join(sides)


def _squares_in_words(board: chess.BaseBoard, color: chess.Color) -> list[str]:
    """Return the pieces of a color, the king first, such as "Kg1" and "a2"."""
    kinds = reversed(chess.PIECE_TYPES)
    names = [
        f"{chess.piece_symbol(kind).upper() if kind != chess.PAWN else ''}{chess.square_name(square)}"
        for kind in kinds
        for square in board.pieces(kind, color)
    ]
    return names or ["none"]


def _color(color: chess.Color) -> str:
    return "white" if color else "black"
