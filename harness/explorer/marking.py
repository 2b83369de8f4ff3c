"""Which squares of the board are marked, and how."""

from __future__ import annotations

from ...generator.types.moves import Move
from ...generator.types.squares import square_of
from ..model.results.events import WrongMove
from ..trees.marks import attacked, checkers, moves_from, pinned
from .board_view import MARKS
from .view import View


def marks_of(view: View) -> dict[int, str]:
    """Return the mark of each marked square, from 0 for a1."""
    position = view.position
    squares: dict[str, set[int]] = {
        "check": set(checkers(position)),
        "pinned": set(pinned(position)),
        "attacked": set(attacked(position)) if view.shows_attacks else set(),
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
