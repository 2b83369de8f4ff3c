"""Templates for check evasions, and for king moves: steps, captures and discovered checks."""

from __future__ import annotations

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS, step
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import PieceType
from ...generator.types.squares import squares_in
from ..position_builder import (
    ALL_BUT_KING,
    OFF_FILE,
    OFFICERS,
    RANKS,
    SLIDERS,
    THEM,
    US,
    PositionBuilder,
    Template,
    bits,
    reverse,
    sliders_along,
)
from .pins import put_double_check


def _single(builder: PositionBuilder) -> None:
    king = builder.put(US, PieceType.KING)
    builder.put_attacker(THEM, king, (builder.choose(ALL_BUT_KING),), check=True)


def _double(builder: PositionBuilder) -> tuple[int, int]:
    """Put two checkers, usually one that has just uncovered the other; return their squares."""
    if builder.choose((False, False, True)):
        return _double_at_random(builder)
    move = put_double_check(builder, THEM)
    return move.slider, builder.place(THEM, move.kind, move.landing)


def _double_at_random(builder: PositionBuilder) -> tuple[int, int]:
    """Put a slider and another checker, not on the same line; often no move can have given such a check."""
    king = builder.put(US, PieceType.KING)
    first = builder.put_attacker(THEM, king, (builder.choose(SLIDERS),), check=True)
    second = builder.put_attacker(THEM, king, (builder.choose(ALL_BUT_KING),), among=~line(king, first), check=True)
    return first, second


def _double_one_takeable(builder: PositionBuilder) -> None:
    builder.put_attacker(US, builder.choose(_double(builder)), (builder.choose(OFFICERS),))


def _double_push_blocks(builder: PositionBuilder) -> None:
    pawn = builder.put(US, PieceType.PAWN, RANKS[1])
    builder.keep(pawn + 8, pawn + 16)
    builder.put_on_line(US, THEM, (pawn + 16,), OFF_FILE)


def _put_pinned_helper(builder: PositionBuilder) -> tuple[int, int, int]:
    """Put a pinned white piece; return the king, the line of the pin, and the squares that the piece attacks."""
    pinned = builder.pick()
    king, pinner = builder.put_on_line(US, THEM, (pinned,))
    kind = builder.choose(OFFICERS)
    builder.place(US, kind, pinned)
    return king, line(king, pinner), attacks(US, kind, pinned, builder.occupied)


def _put_checker_for_pinned(builder: PositionBuilder) -> None:
    king, pin, reach = _put_pinned_helper(builder)
    builder.put_attacker(THEM, king, ALL_BUT_KING, among=reach & ~pin, check=True)


def _put_line_for_pinned(builder: PositionBuilder) -> None:
    king, pin, reach = _put_pinned_helper(builder)
    reach &= ~pin
    options = [
        (kind, square)
        for kind in SLIDERS
        for square in squares_in(
            builder.allowed_squares(THEM, kind, origins(THEM, kind, king, builder.occupied), check=True)
        )
        if between(king, square) & reach
    ]
    kind, square = builder.choose(options)
    builder.place(THEM, kind, square)
    builder.keep_between(king, square)


def _contact(builder: PositionBuilder) -> None:
    king = builder.put(US, PieceType.KING)
    builder.put_attacker(THEM, king, (builder.choose(SLIDERS),), among=leaps(US, PieceType.KING, king), check=True)


def _steps_back_in_line(builder: PositionBuilder) -> None:
    """A slider gives check along a line on which the king could step back."""
    king = builder.put(US, PieceType.KING)
    behind = {d: step(king, reverse(d)) for d in KING_STEPS if step(king, d) is not None}
    direction, escape = builder.choose([(d, square) for d, square in behind.items() if square is not None])
    builder.keep(escape)
    checker = builder.place(
        THEM, builder.choose(sliders_along(direction)), builder.pick(builder.reach(king, direction))
    )
    builder.keep_between(king, checker)


def _kings_apart(builder: PositionBuilder) -> None:
    """The kings are two steps apart, with squares between them that neither king may enter."""
    king = builder.put(US, PieceType.KING)
    near = leaps(US, PieceType.KING, king)
    shared = [leaps(US, PieceType.KING, square) for square in squares_in(near)]
    builder.put(THEM, PieceType.KING, bits(s for board in shared for s in squares_in(board)) & ~near)


def _protect(builder: PositionBuilder) -> None:
    king = builder.put(US, PieceType.KING)
    kind = builder.choose(ALL_BUT_KING)
    bait = builder.put(THEM, kind, leaps(US, PieceType.KING, king), check=True)
    builder.put_attacker(THEM, bait, (builder.choose((*OFFICERS, PieceType.PAWN, PieceType.KING)),))


def _protect_by_pinned(builder: PositionBuilder) -> None:
    """A black piece next to White's king is protected by a piece that is pinned to Black's king."""
    pinned = builder.pick()
    king, slider = builder.put_on_line(THEM, US, (pinned,))
    kind = builder.choose(OFFICERS)
    builder.place(THEM, kind, pinned)
    guarded = attacks(THEM, kind, pinned, builder.occupied) & ~line(king, slider) & ~leaps(THEM, PieceType.KING, king)
    bait = builder.put(THEM, builder.choose(ALL_BUT_KING), guarded)
    builder.put(US, PieceType.KING, leaps(US, PieceType.KING, bait))


def _takes_checker(builder: PositionBuilder) -> None:
    king = builder.put(US, PieceType.KING)
    kind = builder.choose((PieceType.ROOK, PieceType.BISHOP, PieceType.QUEEN, PieceType.PAWN))
    near = leaps(US, PieceType.KING, king) & origins(THEM, kind, king, builder.occupied)
    checker = builder.put(THEM, kind, near, check=True)
    builder.put(THEM, PieceType.KING, ~leaps(US, PieceType.KING, checker))


def _discovers(builder: PositionBuilder) -> None:
    king = builder.put(US, PieceType.KING)
    builder.put_on_line(THEM, US, (king,))


TEMPLATES: dict[Event, Template] = {
    Event.K_XRAY_ILLEGAL: _steps_back_in_line,
    Event.K_ADJ_KING_ONLY: _kings_apart,
    Event.K_CAP_PROTECTED_ILLEGAL: _protect,
    Event.K_CAP_PROT_BY_PINNED_ONLY: _protect_by_pinned,
    Event.K_CAPTURES_CHECKER: _takes_checker,
    Event.K_DISCOVERS_CHECK: _discovers,
    Event.CK_SINGLE: _single,
    Event.CK_DOUBLE: _double,
    Event.CK_DOUBLE_PIECE_COULD_TAKE_ONE: _double_one_takeable,
    Event.CK_BLOCK_BY_DOUBLE_PUSH: _double_push_blocks,
    Event.CK_CAPTURE_CHECKER_PINNED_ILLEGAL: _put_checker_for_pinned,
    Event.CK_BLOCK_PINNED_ILLEGAL: _put_line_for_pinned,
    Event.CK_CONTACT_SLIDER: _contact,
}
