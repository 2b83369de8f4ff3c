"""Pins and discovered checks: a king, a piece before it and a slider behind that, on one line."""

from __future__ import annotations

from typing import NamedTuple

from ...generator.events import Event
from ...generator.kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, ROOK_DIRECTIONS
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..scene import (
    ALL_BUT_KING,
    ALONG_FILE,
    INNER_FILES,
    OFF_FILE,
    OFFICERS,
    RANKS,
    SLANTED_UP,
    THEM,
    US,
    PiecePlacement,
    Template,
    reverse,
    sliders_along,
)


def _pin(scene: PiecePlacement, kind: PieceType) -> tuple[int, int, int]:
    """Put a piece of White's, king before and slider behind it; return the squares of piece, king and slider."""
    square = scene.put(US, kind)
    return square, *scene.put_on_line(US, THEM, (square,))


def _any(scene: PiecePlacement) -> None:
    _pin(scene, scene.choose(ALL_BUT_KING))


def _two(scene: PiecePlacement) -> None:
    king = _pin(scene, scene.choose(ALL_BUT_KING))[1]
    rays = attacks(US, PieceType.QUEEN, king, scene.occupied)
    square = scene.put(US, scene.choose(ALL_BUT_KING), rays)
    scene.put_on_line(US, THEM, (square,))


def _slider_along(scene: PiecePlacement) -> int:
    """Put a pinned slider that can move on the line of its pin; return its square."""
    square = scene.pick()
    directions, kind = scene.choose(((ROOK_DIRECTIONS, PieceType.ROOK), (BISHOP_DIRECTIONS, PieceType.BISHOP)))
    scene.put_on_line(US, THEM, (square,), directions)
    return scene.place(US, scene.choose((kind, PieceType.QUEEN)), square)


def _pawn_push_along(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN)
    scene.keep(pawn + 8)
    scene.put_on_line(US, THEM, (pawn,), ALONG_FILE)


def _pawn_double_along(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put_on_line(US, THEM, (pawn,), ALONG_FILE)


def _pawn_captures_pinner(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, INNER_FILES)
    scene.put_on_line(US, THEM, (pawn,), SLANTED_UP, slider_among=leaps(US, PieceType.PAWN, pawn))


def _pawn_capture_illegal(scene: PiecePlacement) -> None:
    pawn = _pin(scene, PieceType.PAWN)[0]
    scene.put(THEM, scene.choose(ALL_BUT_KING), leaps(US, PieceType.PAWN, pawn))


def _pawn_push_illegal(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, INNER_FILES)
    scene.keep(pawn + 8)
    scene.put_on_line(US, THEM, (pawn,), OFF_FILE)


def _knight(scene: PiecePlacement) -> None:
    _pin(scene, PieceType.KNIGHT)


def _queen_captures_pinner(scene: PiecePlacement) -> None:
    _pin(scene, PieceType.QUEEN)


def _slider_checks_along(scene: PiecePlacement) -> None:
    """A pinned slider reaches a square on the line of its pin from which it checks."""
    square = _slider_along(scene)
    king = scene.king_of(US)
    kind = next(kind for kind in OFFICERS if scene.pieces[US][kind] >> square & 1)
    pinner = squares_in(scene.occupied & ~(1 << square | 1 << king))[0]
    seen = 0
    for target in squares_in((between(king, pinner) | 1 << pinner) & ~(1 << square)):
        seen |= attacks(US, kind, target, scene.occupied ^ 1 << square)
    scene.put(THEM, PieceType.KING, seen)


def _guards_king_square(scene: PiecePlacement) -> None:
    """A pinned piece of Black's still keeps White's king off a square."""
    pinned = scene.pick()
    scene.put_on_line(THEM, US, (pinned,))
    kind = scene.choose(OFFICERS)
    scene.place(THEM, kind, pinned)
    near = 0
    for square in squares_in(attacks(THEM, kind, pinned, scene.occupied) & ~scene.occupied):
        near |= leaps(US, PieceType.KING, square)
    scene.put(US, PieceType.KING, near)


_QUIET = (PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK)


def _discovers(scene: PiecePlacement) -> None:
    """Any piece that can leave the line."""
    square = scene.pick()
    king, _ = scene.put_on_line(THEM, US, (square,))
    kinds = [kind for kind in _QUIET if not origins(US, kind, king, scene.occupied) >> square & 1]
    scene.place(US, scene.choose(kinds), square)


def _pawn_push(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, INNER_FILES)
    scene.keep(pawn + 8)
    scene.put_on_line(THEM, US, (pawn,), OFF_FILE)


def _pawn_capture(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN)
    victim = scene.put(THEM, scene.choose(ALL_BUT_KING), leaps(US, PieceType.PAWN, pawn))
    capture = (victim - pawn - 8, 1)
    scene.put_on_line(THEM, US, (pawn,), [d for d in KING_STEPS if d not in (capture, reverse(capture))])


class DoubleCheck(NamedTuple):
    """A piece that can go from a square on the line of king and slider to another one from which it checks."""

    kind: PieceType
    origin: int
    landing: int
    slider: int


def put_double_check(scene: PiecePlacement, mover: Color) -> DoubleCheck:
    """Put the king to be checked and the slider to be uncovered; return the move of the piece, not put yet."""
    king = scene.put(mover.other, PieceType.KING)
    far = ~leaps(mover, PieceType.KING, king)
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
    kind = scene.choose((PieceType.PAWN, PieceType.KING))
    square = scene.put(US, kind)
    if kind is PieceType.PAWN:
        scene.keep(square + 8)
        scene.put_on_line(THEM, US, (square,), ALONG_FILE)
    else:
        scene.put_on_line(THEM, US, (square,), slider_among=~leaps(US, PieceType.KING, square))


TEMPLATES: dict[Event, Template] = {
    Event.PIN_ANY: _any,
    Event.PIN_TWO_PLUS: _two,
    Event.PIN_SLIDER_ALONG: _slider_along,
    Event.PIN_PAWN_PUSH_ALONG: _pawn_push_along,
    Event.PIN_PAWN_DOUBLE_ALONG: _pawn_double_along,
    Event.PIN_PAWN_CAPTURES_PINNER: _pawn_captures_pinner,
    Event.PIN_PAWN_CAPTURE_ILLEGAL: _pawn_capture_illegal,
    Event.PIN_PAWN_PUSH_ILLEGAL: _pawn_push_illegal,
    Event.PIN_KNIGHT: _knight,
    Event.PIN_QUEEN_CAPTURES_PINNER: _queen_captures_pinner,
    Event.PIN_PIECE_GIVES_CHECK: _slider_checks_along,
    Event.PIN_PIECE_GUARDS_KING_SQ: _guards_king_square,
    Event.DC_ANY: _discovers,
    Event.DC_BY_PAWN_PUSH: _pawn_push,
    Event.DC_BY_PAWN_CAPTURE: _pawn_capture,
    Event.DC_DOUBLE_CHECK_MOVE: _double_check,
    Event.DC_SHIELD_STAYS_ON_LINE: _stays_on_line,
}
