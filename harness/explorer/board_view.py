"""The board with its marks: moves, checks, pins and attacked squares.

Each mark has its own signs next to the piece, so that marks can be distinguished without colors.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rich.text import Text
from textual.widgets import Static

from ...generator.position import Position
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import name_of, square_of, squares_in
from ...generator.validation import attackers_of, checkers_of
from ...reports.board import Mark, draw_board
from ..model.results.finding import WrongMove
from .view import View

MARKS = {
    "wrong": Mark("[]", "red"),
    "move": Mark("[]", "yellow"),
    "look": Mark("''", "cyan"),
    "check": Mark("!!", "red"),
    "pinned": Mark("()", "magenta"),
    "attacked": Mark("::", ""),
}
"""The marks by name, which is also their description in the legend.

If several apply to a square, the first is drawn.
"""


class BoardView(Static):
    """A board with file letters and a legend."""

    def __init__(self, name: str) -> None:
        """Create a board with the id `name`."""
        super().__init__(id=name, markup=False)
        self._shown: tuple[str, dict[int, str], bool, tuple[int, int]] | None = None

    def show(self, placement: str, marks: Mapping[int, str], is_flipped: bool) -> None:
        """Draw the piece placement of a FEN. `marks` maps squares, with a1 = 0, to keys of `MARKS`."""
        shape = (6, 3) if self.size.width >= 52 and self.size.height >= 26 else (3, 1)
        now = (placement, dict(marks), is_flipped, shape)
        if now != self._shown:
            self._shown = now
            self.update(_draw(*now), layout=False)

    def on_resize(self) -> None:
        """Redraw the board at the largest size that fits."""
        if self._shown is not None:
            self.show(*self._shown[:3])


def _draw(placement: str, marks: Mapping[int, str], is_flipped: bool, shape: tuple[int, int]) -> Text:
    """Return a board with a legend. `shape` is the width and height of a square in cells."""
    drawn = {name_of(square): MARKS[name] for square, name in marks.items()}
    text = draw_board(placement, drawn, is_flipped=is_flipped, shape=shape)
    text.no_wrap = True
    legend = dict.fromkeys(f"{MARKS[name].signs} {name}" for name in marks.values())
    text.append("\n" + "  ".join(legend), style="dim")
    return text


@lru_cache(maxsize=64)
def pinned_squares(position: Position) -> frozenset[int]:
    """Return the squares of the side to move's pieces whose removal would expose their king to another check."""
    turn, found = position.turn, set()
    for kind in (PieceType.PAWN, PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK, PieceType.QUEEN):
        for square in squares_in(position.pieces[turn][kind]):
            others = list(position.pieces[turn])
            others[kind] ^= 1 << square
            sides = (tuple(others), position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], tuple(others))
            if checkers_of(sides, turn) & ~position.checkers:
                found.add(square)
    return frozenset(found)


@lru_cache(maxsize=64)
def attacked_squares(position: Position) -> frozenset[int]:
    """Return the squares that the opponent attacks. Sliders attack through the king."""
    turn = position.turn
    without_king = list(position.pieces[turn])
    without_king[PieceType.KING] = 0
    pieces = tuple(without_king)
    sides = (pieces, position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], pieces)
    return frozenset(square for square in range(64) if attackers_of(sides, square, turn.other))


def marks_of(view: View) -> dict[int, str]:
    """Return the mark of each marked square, with a1 = 0."""
    position = view.position
    squares: dict[str, set[int]] = {
        "check": set(squares_in(position.checkers)),
        "pinned": set(pinned_squares(position)),
        "attacked": set(attacked_squares(position)) if view.shows_attacks else set(),
    }
    wrong = _wrong(view)
    for move in wrong:
        squares.setdefault("look", set()).update(_known_squares(move.squares))
        squares.setdefault("wrong", set()).update(_ends(move.uci))
    if not wrong and view.shows_move:
        squares["move"] = _ends(view.cursor.uci)
    return {square: name for name in reversed(MARKS) for square in squares.get(name, ())}


def _wrong(view: View) -> list[WrongMove]:
    """Return the known wrong moves in the position on the board."""
    finding = view.finding_here()
    if finding is not None and finding.fen == view.position.fen():
        return list(finding.wrong or finding.state)
    here = view.wrong_here()
    return [here] if here is not None and view.shows_move else []


def _ends(uci: str) -> set[int]:
    return set(_known_squares((uci[0:2], uci[2:4])))


def _known_squares(names: tuple[str, ...]) -> list[int]:
    """Return the squares of all valid names. An engine may print invalid ones."""
    found = []
    for name in names:
        try:
            found.append(square_of(name))
        except ValueError:
            continue
    return found
