"""Sequences with double steps: en passant captures that are not played, and double steps after other special moves."""

from __future__ import annotations

from functools import partial

from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import leaps
from ...generator.types.pieces import Color, PieceType
from ...generator.types.squares import squares_in
from ..position_builder import INNER_FILES, THEM, US, PositionBuilder, sliders_along
from .script import BACK, WAIT, Go, Script, SequenceTemplate, Step, go, put_king_and_rook

_FILES = (3, 4, 2, 5, 1, 6, 0, 7)
_SIDES = (-1, 1)


def _offer(builder: PositionBuilder, color: Color, file: int) -> Go:
    """Put a pawn on its start square, and return its double step."""
    start, step = (8, 16) if color is US else (48, -16)
    pawn = builder.place(color, PieceType.PAWN, start + file)
    return go(builder, pawn, pawn + step)


def _put_taker(builder: PositionBuilder, offer: Go) -> Go:
    """Put a pawn next to the destination of a double step, and return its capture."""
    file, passed = offer.target % 8, (offer.origin + offer.target) // 2
    color = THEM if passed < 32 else US
    side = builder.choose([side for side in _SIDES if 0 <= file + side < 8])
    return Go(builder.place(color, PieceType.PAWN, offer.target + side), passed)


def _put_offer(builder: PositionBuilder, color: Color = US) -> tuple[Go, Go]:
    """Put two pawns; return the double step of one pawn and its capture by the other."""
    offer = _offer(builder, color, builder.choose(_FILES))
    return offer, _put_taker(builder, offer)


def _decline(builder: PositionBuilder, then: tuple[Step, ...]) -> Script:
    """The en passant capture is not played immediately."""
    offer, takes = _put_offer(builder)
    return Script((offer, *then), passed=takes.target)


def _late(builder: PositionBuilder) -> Script:
    """The double step comes after the waiting moves of `_decline`, and is followed by the capture."""
    offer, takes = _put_offer(builder)
    return Script((WAIT, WAIT, offer, takes))


def _again_beside(builder: PositionBuilder) -> Script:
    """A pawn does not capture en passant on one side, but later does on the other."""
    file = builder.choose(_FILES[:-2])
    first, second = builder.choose(((-1, 1), (1, -1)))
    taker = builder.place(THEM, PieceType.PAWN, 24 + file)
    offers = _offer(builder, US, file + first), _offer(builder, US, file + second)
    return Script((offers[0], WAIT, offers[1], Go(taker, 16 + file + second)))


def _answer(builder: PositionBuilder, files: tuple[int, ...]) -> Script:
    """The reply is another double step, on one of the relative `files`, and its pawn is captured en passant."""
    offer, _ = _put_offer(builder)
    file = builder.choose([file for by in files if 0 <= (file := offer.origin % 8 + by) < 8])
    answer = _offer(builder, THEM, file)
    return Script((offer, answer, _put_taker(builder, answer)))


def _after_castling(builder: PositionBuilder) -> Script:
    """Black makes a double step immediately after White has castled."""
    pair = put_king_and_rook(builder, US)
    offer, takes = _put_offer(builder, THEM)
    return Script((Go(pair.king, pair.rook), offer, takes))


def _after_double_check(builder: PositionBuilder) -> Script:
    """A knight and the slider behind it give double check; the king moves, and White makes a double step."""
    offer, takes = _put_offer(builder)
    king = builder.put(THEM, PieceType.KING, INNER_FILES & 0xFFFFFF0000000000)
    options = [
        (origin, target, direction)
        for target in squares_in(leaps(US, PieceType.KNIGHT, king) & ~builder.occupied & ~builder.kept)
        for direction in KING_STEPS
        for origin in squares_in(builder.reach(king, direction) & leaps(US, PieceType.KNIGHT, target))
    ]
    origin, target, direction = builder.choose(options)
    builder.place(US, PieceType.KNIGHT, origin)
    slider = builder.put(US, builder.choose(sliders_along(direction)), builder.reach(origin, direction))
    builder.keep_between(slider, king)
    return Script((go(builder, origin, target), WAIT, offer, takes))


SEQUENCES: dict[str, SequenceTemplate] = {
    "ep-declined": partial(_decline, then=(WAIT, WAIT)),
    "ep-declined-and-repeated": partial(_decline, then=(WAIT, WAIT, BACK, BACK)),
    "ep-late": _late,
    "ep-again-beside": _again_beside,
    "ep-answered-on-the-file": partial(_answer, files=(0,)),
    "ep-answered-beside": partial(_answer, files=(-1, 1, -2, 2)),
    "ep-after-castling": _after_castling,
    "ep-after-double-check": _after_double_check,
}
