"""Which squares of the board are marked, and how: checks, pins, attacked squares, where a piece may go."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...generator.position import Position
from ...generator.types.moves import Move
from ...generator.types.pieces import Color, Kind
from ...generator.types.squares import square_of, squares_in
from ...generator.validation import attackers_of, checkers_of
from ..model.results.events import WrongMove
from .board_view import MARKS

if TYPE_CHECKING:
    from .view import View


def checker_squares(position: Position) -> frozenset[int]:
    """Return the squares of the pieces that give check to the side to move."""
    return frozenset(squares_in(position.checkers))


@lru_cache(maxsize=64)
def pinned_squares(position: Position) -> frozenset[int]:
    """Return the squares of the pieces of the side to move without which its king would stand in another check."""
    turn, found = position.turn, set()
    for kind in (Kind.PAWN, Kind.KNIGHT, Kind.BISHOP, Kind.ROOK, Kind.QUEEN):
        for square in squares_in(position.pieces[turn][kind]):
            bare = list(position.pieces[turn])
            bare[kind] ^= 1 << square
            sides = (tuple(bare), position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], tuple(bare))
            if checkers_of(sides, turn) & ~position.checkers:
                found.add(square)
    return frozenset(found)


@lru_cache(maxsize=64)
def attacked_squares(position: Position) -> frozenset[int]:
    """Return the squares that the side not to move attacks, the ones behind the king along a line included."""
    turn = position.turn
    without_king = list(position.pieces[turn])
    without_king[Kind.KING] = 0
    mine = tuple(without_king)
    sides = (mine, position.pieces[1]) if turn is Color.WHITE else (position.pieces[0], mine)
    return frozenset(square for square in range(64) if attackers_of(sides, square, turn.other))


def moves_from(position: Position, square: int) -> dict[int, list[Move]]:
    """Return the legal moves of the piece on a square, by the square where it lands; castling also by the rook's."""
    found: dict[int, list[Move]] = {}
    for move in position.legal_moves:
        if move.origin == square:
            for place in {move.landing, move.target}:
                found.setdefault(place, []).append(move)
    return found


def marks_of(view: View) -> dict[int, str]:
    """Return the mark of each marked square, from 0 for a1."""
    position = view.position
    squares: dict[str, set[int]] = {
        "check": set(checker_squares(position)),
        "pinned": set(pinned_squares(position)),
        "attacked": set(attacked_squares(position)) if view.shows_attacks else set(),
    }
    wrong = _wrong(view)
    for move in wrong:
        squares.setdefault("look", set()).update(_name(move.squares))
        squares.setdefault("wrong", set()).update(_ends(move.uci))
    if not wrong and view.shows_move:
        squares["move"] = _ends(view.cursor.uci)
    if view.panel == "walk" and not isinstance(trace := view.trace, str) and trace is not None:
        squares.pop("move", None)
        taken = trace.steps[: view.step]
        squares["visited"] = {step.square for step in taken if step.kind in ("visit", "look-up")}
        if taken:
            last = taken[-1]
            squares["look"] = {last.square, *last.targets} | (
                {Move(last.move).origin} if last.move is not None else set()
            )
    if view.is_on_board:
        start = view.square if view.picked is None else view.picked
        squares["target"] = set(moves_from(position, start))
        squares["cursor"] = {view.square}
    return {square: name for name in reversed(MARKS) for square in squares.get(name, ())}


def _wrong(view: View) -> list[WrongMove]:
    """Return the wrong moves that belong to the position on the board."""
    finding = view.finding_here()
    if finding is not None and finding.fen == view.position.fen():
        return list(finding.wrong or finding.state)
    here = view.wrong_here()
    return [here] if here is not None and view.shows_move else []


def _ends(uci: str) -> set[int]:
    return set(_name((uci[0:2], uci[2:4])))


def _name(names: tuple[str, ...]) -> list[int]:
    """Return the squares of those names that are some: an engine may write anything for a move."""
    found = []
    for name in names:
        try:
            found.append(square_of(name))
        except ValueError:
            continue
    return found
