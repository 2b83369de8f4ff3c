"""Templates for pins and discovered checks: a king, a piece and a slider on one line."""

from __future__ import annotations

from typing import NamedTuple

from ...generator.events import Event
from ...generator.kernels.geometry import BISHOP_DIRECTIONS, KING_STEPS, ROOK_DIRECTIONS
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..position_builder import (
    ALL_BUT_KING,
    ALONG_FILE,
    INNER_FILES,
    OFF_FILE,
    OFFICERS,
    RANKS,
    SLANTED_UP,
    THEM,
    US,
    PositionBuilder,
    Template,
    reverse,
    sliders_along,
)


def _pin(builder: PositionBuilder, kind: PieceType) -> tuple[int, int, int]:
    """Put a pinned white piece, its king and the pinning slider; return the squares of these three."""
    square = builder.put(US, kind)
    return square, *builder.put_on_line(US, THEM, (square,))


def _any(builder: PositionBuilder) -> None:
    _pin(builder, builder.choose(ALL_BUT_KING))


def _two(builder: PositionBuilder) -> None:
    king = _pin(builder, builder.choose(ALL_BUT_KING))[1]
    rays = attacks(US, PieceType.QUEEN, king, builder.occupied)
    square = builder.put(US, builder.choose(ALL_BUT_KING), rays)
    builder.put_on_line(US, THEM, (square,))


def _slider_along(builder: PositionBuilder) -> int:
    """Put a pinned slider that can move along the line of its pin; return its square."""
    square = builder.pick()
    directions, kind = builder.choose(((ROOK_DIRECTIONS, PieceType.ROOK), (BISHOP_DIRECTIONS, PieceType.BISHOP)))
    builder.put_on_line(US, THEM, (square,), directions)
    return builder.place(US, builder.choose((kind, PieceType.QUEEN)), square)


def _pawn_push_along(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN)
    builder.keep(pawn + 8)
    builder.put_on_line(US, THEM, (pawn,), ALONG_FILE)


def _pawn_double_along(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, RANKS[1])
    builder.keep(pawn + 8, pawn + 16)
    builder.put_on_line(US, THEM, (pawn,), ALONG_FILE)


def _pawn_captures_pinner(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, INNER_FILES)
    builder.put_on_line(US, THEM, (pawn,), SLANTED_UP, slider_among=leaps(US, PieceType.PAWN, pawn))


def _pawn_capture_illegal(builder: PositionBuilder) -> None:
    pawn = _pin(builder, PieceType.PAWN)[0]
    builder.put(THEM, builder.choose(ALL_BUT_KING), leaps(US, PieceType.PAWN, pawn))


def _pawn_push_illegal(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, INNER_FILES)
    builder.keep(pawn + 8)
    builder.put_on_line(US, THEM, (pawn,), OFF_FILE)


def _knight(builder: PositionBuilder) -> None:
    _pin(builder, PieceType.KNIGHT)


def _queen_captures_pinner(builder: PositionBuilder) -> None:
    _pin(builder, PieceType.QUEEN)


def _slider_checks_along(builder: PositionBuilder) -> None:
    """A pinned slider can give check from a square on the line of its pin."""
    square = _slider_along(builder)
    king = builder.king_of(US)
    kind = next(kind for kind in OFFICERS if builder.pieces[US][kind] >> square & 1)
    pinner = squares_in(builder.occupied & ~(1 << square | 1 << king))[0]
    seen = 0
    for target in squares_in((between(king, pinner) | 1 << pinner) & ~(1 << square)):
        seen |= attacks(US, kind, target, builder.occupied ^ 1 << square)
    builder.put(THEM, PieceType.KING, seen)


def _guards_king_square(builder: PositionBuilder) -> None:
    """A pinned black piece still attacks a square next to White's king."""
    pinned = builder.pick()
    builder.put_on_line(THEM, US, (pinned,))
    kind = builder.choose(OFFICERS)
    builder.place(THEM, kind, pinned)
    near = 0
    for square in squares_in(attacks(THEM, kind, pinned, builder.occupied) & ~builder.occupied):
        near |= leaps(US, PieceType.KING, square)
    builder.put(US, PieceType.KING, near)


_QUIET = (PieceType.KNIGHT, PieceType.BISHOP, PieceType.ROOK)


def _discovers(builder: PositionBuilder) -> None:
    """A knight, bishop or rook can leave the line between a slider and Black's king."""
    square = builder.pick()
    king, _ = builder.put_on_line(THEM, US, (square,))
    kinds = [kind for kind in _QUIET if not origins(US, kind, king, builder.occupied) >> square & 1]
    builder.place(US, builder.choose(kinds), square)


def _pawn_push(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, INNER_FILES)
    builder.keep(pawn + 8)
    builder.put_on_line(THEM, US, (pawn,), OFF_FILE)


def _pawn_capture(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN)
    victim = builder.put(THEM, builder.choose(ALL_BUT_KING), leaps(US, PieceType.PAWN, pawn))
    capture = (victim - pawn - 8, 1)
    builder.put_on_line(THEM, US, (pawn,), [d for d in KING_STEPS if d not in (capture, reverse(capture))])


class DoubleCheck(NamedTuple):
    """A move of a piece from the line between king and slider to a square from which it also gives check."""

    kind: PieceType
    origin: int
    landing: int
    slider: int


def put_double_check(builder: PositionBuilder, mover: Color) -> DoubleCheck:
    """Put the king and the slider of a double check; return the move of the other checker, which the caller puts."""
    king = builder.put(mover.other, PieceType.KING)
    far = ~leaps(mover, PieceType.KING, king)
    direction = builder.choose([d for d in KING_STEPS if builder.reach(king, d) & far])
    slider = builder.place(
        mover, builder.choose(sliders_along(direction)), builder.pick(builder.reach(king, direction) & far)
    )
    off = ~(line(king, slider) | builder.occupied)
    moves = []
    for kind in _QUIET:
        to_king = origins(mover, kind, king, builder.occupied)
        for origin in squares_in(between(king, slider) & ~to_king):
            landings = attacks(mover, kind, origin, builder.occupied) & to_king & off
            moves += [DoubleCheck(kind, origin, landing, slider) for landing in squares_in(landings)]
    move = builder.choose(moves)
    builder.keep_between(king, slider)
    builder.keep_between(move.origin, move.landing)
    builder.keep_between(king, move.landing)
    return move


def _double_check(builder: PositionBuilder) -> None:
    """The piece that leaves the line gives check from its destination."""
    move = put_double_check(builder, US)
    builder.place(US, move.kind, move.origin)
    builder.keep(move.landing)


def _stays_on_line(builder: PositionBuilder) -> None:
    """A white pawn or king shields Black's king from a slider and can move along the line."""
    kind = builder.choose((PieceType.PAWN, PieceType.KING))
    square = builder.put(US, kind)
    if kind is PieceType.PAWN:
        builder.keep(square + 8)
        builder.put_on_line(THEM, US, (square,), ALONG_FILE)
    else:
        builder.put_on_line(THEM, US, (square,), slider_among=~leaps(US, PieceType.KING, square))


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
