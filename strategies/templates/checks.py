"""Answers to check, and the king's own moves: stepping, taking, discovering."""

from __future__ import annotations

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS, step
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import PieceType
from ...generator.types.squares import squares_in
from ..scene import (
    ALL_BUT_KING,
    OFF_FILE,
    OFFICERS,
    RANKS,
    SLIDERS,
    THEM,
    US,
    PiecePlacement,
    Template,
    bits,
    reverse,
    sliders_along,
)
from .pins import put_double_check


def _single(scene: PiecePlacement) -> None:
    king = scene.put(US, PieceType.KING)
    scene.put_attacker(THEM, king, (scene.choose(ALL_BUT_KING),), check=True)


def _double(scene: PiecePlacement) -> tuple[int, int]:
    """Put two checkers, mostly such that one has just uncovered the other; return their squares."""
    if scene.choose((False, False, True)):
        return _double_at_random(scene)
    move = put_double_check(scene, THEM)
    return move.slider, scene.place(THEM, move.kind, move.landing)


def _double_at_random(scene: PiecePlacement) -> tuple[int, int]:
    """Put a slider and another checker, not on one line; often no move gives such a check."""
    king = scene.put(US, PieceType.KING)
    first = scene.put_attacker(THEM, king, (scene.choose(SLIDERS),), check=True)
    second = scene.put_attacker(THEM, king, (scene.choose(ALL_BUT_KING),), among=~line(king, first), check=True)
    return first, second


def _double_one_takeable(scene: PiecePlacement) -> None:
    scene.put_attacker(US, scene.choose(_double(scene)), (scene.choose(OFFICERS),))


def _double_push_blocks(scene: PiecePlacement) -> None:
    pawn = scene.put(US, PieceType.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put_on_line(US, THEM, (pawn + 16,), OFF_FILE)


def _put_pinned_helper(scene: PiecePlacement) -> tuple[int, int, int]:
    """Put a pinned piece of White's; return king, line of the pin and what the piece attacks."""
    pinned = scene.pick()
    king, pinner = scene.put_on_line(US, THEM, (pinned,))
    kind = scene.choose(OFFICERS)
    scene.place(US, kind, pinned)
    return king, line(king, pinner), attacks(US, kind, pinned, scene.occupied)


def _put_checker_for_pinned(scene: PiecePlacement) -> None:
    king, pin, reach = _put_pinned_helper(scene)
    scene.put_attacker(THEM, king, ALL_BUT_KING, among=reach & ~pin, check=True)


def _put_line_for_pinned(scene: PiecePlacement) -> None:
    king, pin, reach = _put_pinned_helper(scene)
    reach &= ~pin
    options = [
        (kind, square)
        for kind in SLIDERS
        for square in squares_in(
            scene.allowed_squares(THEM, kind, origins(THEM, kind, king, scene.occupied), check=True)
        )
        if between(king, square) & reach
    ]
    kind, square = scene.choose(options)
    scene.place(THEM, kind, square)
    scene.keep_between(king, square)


def _contact(scene: PiecePlacement) -> None:
    king = scene.put(US, PieceType.KING)
    scene.put_attacker(THEM, king, (scene.choose(SLIDERS),), among=leaps(US, PieceType.KING, king), check=True)


def _steps_back_in_line(scene: PiecePlacement) -> None:
    """A slider checks along a line on which the king could step away from it."""
    king = scene.put(US, PieceType.KING)
    behind = {d: step(king, reverse(d)) for d in KING_STEPS if step(king, d) is not None}
    direction, escape = scene.choose([(d, square) for d, square in behind.items() if square is not None])
    scene.keep(escape)
    checker = scene.place(THEM, scene.choose(sliders_along(direction)), scene.pick(scene.reach(king, direction)))
    scene.keep_between(king, checker)


def _kings_apart(scene: PiecePlacement) -> None:
    """The kings are two steps apart and share squares that neither may enter."""
    king = scene.put(US, PieceType.KING)
    near = leaps(US, PieceType.KING, king)
    shared = [leaps(US, PieceType.KING, square) for square in squares_in(near)]
    scene.put(THEM, PieceType.KING, bits(s for board in shared for s in squares_in(board)) & ~near)


def _protect(scene: PiecePlacement) -> None:
    king = scene.put(US, PieceType.KING)
    kind = scene.choose(ALL_BUT_KING)
    bait = scene.put(THEM, kind, leaps(US, PieceType.KING, king), check=True)
    scene.put_attacker(THEM, bait, (scene.choose((*OFFICERS, PieceType.PAWN, PieceType.KING)),))


def _protect_by_pinned(scene: PiecePlacement) -> None:
    """What protects the piece beside our king is itself pinned to theirs."""
    pinned = scene.pick()
    king, slider = scene.put_on_line(THEM, US, (pinned,))
    kind = scene.choose(OFFICERS)
    scene.place(THEM, kind, pinned)
    guarded = attacks(THEM, kind, pinned, scene.occupied) & ~line(king, slider) & ~leaps(THEM, PieceType.KING, king)
    bait = scene.put(THEM, scene.choose(ALL_BUT_KING), guarded)
    scene.put(US, PieceType.KING, leaps(US, PieceType.KING, bait))


def _takes_checker(scene: PiecePlacement) -> None:
    king = scene.put(US, PieceType.KING)
    kind = scene.choose((PieceType.ROOK, PieceType.BISHOP, PieceType.QUEEN, PieceType.PAWN))
    near = leaps(US, PieceType.KING, king) & origins(THEM, kind, king, scene.occupied)
    checker = scene.put(THEM, kind, near, check=True)
    scene.put(THEM, PieceType.KING, ~leaps(US, PieceType.KING, checker))


def _discovers(scene: PiecePlacement) -> None:
    king = scene.put(US, PieceType.KING)
    scene.put_on_line(THEM, US, (king,))


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
