"""Discovered checks: our slider, a piece of ours before it, their king beyond, on one line."""

from __future__ import annotations

from typing import NamedTuple

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import Color, Kind
from ...generator.types.squares import squares_in
from ..scene import INNER_FILES, OFFICERS, THEM, US, PiecePlacement, reverse, sliders_along
from .template import Template

_OFF_FILE = tuple(direction for direction in KING_STEPS if direction[0])
_QUIET = (Kind.KNIGHT, Kind.BISHOP, Kind.ROOK)


def _any(scene: PiecePlacement) -> None:
    """Any piece that can leave the line."""
    square = scene.pick()
    king, _ = scene.put_on_line(THEM, US, (square,))
    kinds = [kind for kind in _QUIET if not origins(US, kind, king, scene.occupied) >> square & 1]
    scene.place(US, scene.choose(kinds), square)


def _pawn_push(scene: PiecePlacement) -> None:
    pawn = scene.put(US, Kind.PAWN, INNER_FILES)
    scene.keep(pawn + 8)
    scene.put_on_line(THEM, US, (pawn,), _OFF_FILE)


def _pawn_capture(scene: PiecePlacement) -> None:
    pawn = scene.put(US, Kind.PAWN)
    victim = scene.put(THEM, scene.choose((*OFFICERS, Kind.PAWN)), leaps(US, Kind.PAWN, pawn))
    capture = (victim - pawn - 8, 1)
    scene.put_on_line(THEM, US, (pawn,), [d for d in KING_STEPS if d not in (capture, reverse(capture))])


class DoubleCheck(NamedTuple):
    """A piece that can go from a square on the line of king and slider to another one from which it checks."""

    kind: Kind
    origin: int
    landing: int
    slider: int


def put_double_check(scene: PiecePlacement, mover: Color) -> DoubleCheck:
    """Put the king to be checked and the slider to be uncovered; return the move of the piece, not put yet."""
    king = scene.put(mover.other, Kind.KING)
    far = ~leaps(mover, Kind.KING, king)
    direction = scene.choose([d for d in KING_STEPS if scene.reach(king, d) & far])
    slider = scene.place(mover, scene.choose(sliders_along(direction)), scene.pick(scene.reach(king, direction) & far))
    off = ~(line(king, slider) | scene.occupied)
    moves = []
    for kind in _QUIET:
        to_king = origins(mover, kind, king, scene.occupied)
        for origin in squares_in(between(king, slider) & ~to_king):
            landings = attacks(mover, kind, origin, scene.occupied) & to_king & off
            moves += [DoubleCheck(kind, origin, landing, slider) for landing in squares_in(landings)]
    move = scene.choose(moves)
    scene.keep_between(king, slider)
    scene.keep_between(move.origin, move.landing)
    scene.keep_between(king, move.landing)
    return move


def _double_check(scene: PiecePlacement) -> None:
    """The piece that leaves the line checks from where it lands."""
    move = put_double_check(scene, US)
    scene.place(US, move.kind, move.origin)
    scene.keep(move.landing)


def _stays_on_line(scene: PiecePlacement) -> None:
    """A pawn or king shields their king, and can move along the line."""
    kind = scene.choose((Kind.PAWN, Kind.KING))
    square = scene.put(US, kind)
    if kind is Kind.PAWN:
        scene.keep(square + 8)
        scene.put_on_line(THEM, US, (square,), ((0, 1), (0, -1)))
    else:
        scene.put_on_line(THEM, US, (square,), slider_among=~leaps(US, Kind.KING, square))


TEMPLATES: dict[Event, Template] = {
    Event.DC_ANY: _any,
    Event.DC_BY_PAWN_PUSH: _pawn_push,
    Event.DC_BY_PAWN_CAPTURE: _pawn_capture,
    Event.DC_DOUBLE_CHECK_MOVE: _double_check,
    Event.DC_SHIELD_STAYS_ON_LINE: _stays_on_line,
}
