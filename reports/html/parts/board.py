"""Boards as SVG, drawn by python-chess: wrong moves as arrows, and rings around what is to be looked at.

What all boards of a page have in common stands once in its `sprites`. Nothing in a board has a style of its own, which
the security policy of the page would not allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree

import chess
import chess.svg
from markupsafe import Markup

from ....harness.model.results.events import HEADINGS, WrongMove

_SVG = "{http://www.w3.org/2000/svg}"
_STYLE = re.compile(r' style="fill: ?([#\w]+); stroke: ?([#\w]+);?"')
_WITHIN_MARGIN = "translate(15 15)"
"""Where the squares begin, within the coordinates."""


@dataclass(frozen=True)
class Board:
    """A drawn board and its words."""

    drawing: Markup
    pieces: str
    """Where the pieces stand: the drawing in words."""
    looked_at: tuple[str, ...]
    """The marked squares, with the pieces on them: "black bishop h6"."""
    arrows: tuple[tuple[str, str], ...]
    """The kinds of arrows that are drawn, and what each says: ("extra", "extra move")."""


def board_of(fen: str, wrong: Sequence[WrongMove] = ()) -> Board | None:
    """Return the board of a FEN; None where the FEN has none."""
    try:
        board = chess.BaseBoard(fen.split(" ")[0])
    except ValueError:
        return None
    arrows = {ends: move.kind for move in wrong if move.kind in HEADINGS and (ends := _ends(move.uci))}
    looked_at = _looked_at(wrong)
    drawn = chess.svg.board(
        board,
        coordinates=False,
        arrows=[
            *(chess.svg.Arrow(square, square, color="look") for square in looked_at),
            *(chess.svg.Arrow(*squares, color=kind) for squares, kind in arrows.items()),
        ],
    )
    return Board(
        Markup(_without_the_common(drawn)),
        _in_words(board),
        tuple(_on(board, square) for square in looked_at),
        tuple((kind, HEADINGS[kind]) for kind in dict.fromkeys(arrows.values())),
    )


@cache
def sprites() -> Markup:
    """Return the empty board and the pieces, to which the boards of a page refer."""
    pieces = "".join(_STYLE.sub(r' fill="\1" stroke="\2"', piece) for piece in chess.svg.PIECES.values())
    empty = ElementTree.fromstring(chess.svg.board(None, coordinates=True))
    frame = "".join(_plain(part) for part in empty if _is_common(part))
    return Markup(f'<g id="empty-board">{frame}</g>{pieces}')


def _without_the_common(drawn: str) -> str:
    """Return the drawing of a board without what is the same on all boards of the page; rings lie below the pieces."""
    parts = [part for part in ElementTree.fromstring(drawn) if not _is_common(part)]
    parts.sort(key=lambda part: part.tag != f"{_SVG}circle")
    return f'<use href="#empty-board"/><g transform="{_WITHIN_MARGIN}">{"".join(map(_plain, map(_classed, parts)))}</g>'


def _is_common(part: ElementTree.Element) -> bool:
    """Tell whether a part is on every board: margin, coordinates and squares."""
    return part.tag in (f"{_SVG}rect", f"{_SVG}g")


def _classed(part: ElementTree.Element) -> ElementTree.Element:
    """Return a part of an arrow with its kind as class in place of a color."""
    for name in ("stroke", "fill"):
        if part.get(name, "none") != "none":
            part.set("class", f"{part.get('class')} {part.attrib.pop(name)}")
    return part


def _plain(part: ElementTree.Element) -> str:
    """Return a part as text for HTML, which needs no namespaces."""
    if part.tag in (f"{_SVG}desc", f"{_SVG}defs"):
        return ""
    for one in part.iter():
        one.tag = one.tag.removeprefix(_SVG)
        one.attrib.pop("{http://www.w3.org/1999/xlink}href", None)
    return ElementTree.tostring(part, encoding="unicode")


def _ends(uci: str) -> tuple[chess.Square, chess.Square] | None:
    """Return the squares of a move, whoever has written it; None where it names none."""
    try:
        return chess.parse_square(uci[0:2]), chess.parse_square(uci[2:4])
    except ValueError:
        return None


def _looked_at(wrong: Iterable[WrongMove]) -> list[chess.Square]:
    """Return what the explanations look at, less the squares from which the arrows start."""
    named = dict.fromkeys(square for move in wrong for square in move.squares if square in chess.SQUARE_NAMES)
    moving = {move.uci[0:2] for move in wrong}
    return [chess.parse_square(square) for square in named if square not in moving]


def _on(board: chess.BaseBoard, square: chess.Square) -> str:
    piece, name = board.piece_at(square), chess.square_name(square)
    return name if piece is None else f"{_color(piece.color)} {chess.piece_name(piece.piece_type)} {name}"


def _in_words(board: chess.BaseBoard) -> str:
    sides = (f"{_color(color).title()}: {', '.join(_names(board, color))}." for color in chess.COLORS)
    return " ".join(sides)


def _names(board: chess.BaseBoard, color: chess.Color) -> list[str]:
    """Return the pieces of a side, the king first: "Kg1", "a2"."""
    kinds = reversed(chess.PIECE_TYPES)
    names = [
        f"{chess.piece_symbol(kind).upper() if kind != chess.PAWN else ''}{chess.square_name(square)}"
        for kind in kinds
        for square in board.pieces(kind, color)
    ]
    return names or ["none"]


def _color(color: chess.Color) -> str:
    return "white" if color else "black"
