"""Answers to check: a king, one or two checkers, and pieces that could help, or are pinned."""

from __future__ import annotations

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS
from ...generator.reachability.attacks import attacks, between, leaps, line, origins
from ...generator.types.pieces import Kind
from ...generator.types.squares import squares_in
from ..scene import OFFICERS, RANKS, SLIDERS, THEM, US, PiecePlacement
from .discovered import put_double_check
from .template import Template

_CHECKERS = (*OFFICERS, Kind.PAWN)
_OFF_FILE = tuple(direction for direction in KING_STEPS if direction[0])


def _single(scene: PiecePlacement) -> None:
    king = scene.put(US, Kind.KING)
    scene.put_attacker(THEM, king, (scene.choose(_CHECKERS),), check=True)


def _double(scene: PiecePlacement) -> tuple[int, int]:
    """Put two checkers, mostly such that one has just uncovered the other; return their squares."""
    if scene.choose((False, False, True)):
        return _double_at_random(scene)
    move = put_double_check(scene, THEM)
    return move.slider, scene.place(THEM, move.kind, move.landing)


def _double_at_random(scene: PiecePlacement) -> tuple[int, int]:
    """Put a slider and another checker, not on one line; often no move gives such a check."""
    king = scene.put(US, Kind.KING)
    first = scene.put_attacker(THEM, king, (scene.choose(SLIDERS),), check=True)
    second = scene.put_attacker(THEM, king, (scene.choose(_CHECKERS),), among=~line(king, first), check=True)
    return first, second


def _double_one_takeable(scene: PiecePlacement) -> None:
    scene.put_attacker(US, scene.choose(_double(scene)), (scene.choose(OFFICERS),))


def _double_push_blocks(scene: PiecePlacement) -> None:
    pawn = scene.put(US, Kind.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put_on_line(US, THEM, (pawn + 16,), _OFF_FILE)


def _pinned_helper(scene: PiecePlacement) -> tuple[int, int, int]:
    """Put a pinned piece of ours; return king, line of the pin and what the piece attacks."""
    pinned = scene.pick()
    king, pinner = scene.put_on_line(US, THEM, (pinned,))
    kind = scene.choose(OFFICERS)
    scene.place(US, kind, pinned)
    return king, line(king, pinner), attacks(US, kind, pinned, scene.occupied)


def _pinned_could_take(scene: PiecePlacement) -> None:
    king, pin, reach = _pinned_helper(scene)
    scene.put_attacker(THEM, king, _CHECKERS, among=reach & ~pin, check=True)


def _pinned_could_block(scene: PiecePlacement) -> None:
    king, pin, reach = _pinned_helper(scene)
    reach &= ~pin
    options = [
        (kind, square)
        for kind in SLIDERS
        for square in squares_in(scene.allowed(THEM, kind, origins(THEM, kind, king, scene.occupied), check=True))
        if between(king, square) & reach
    ]
    kind, square = scene.choose(options)
    scene.place(THEM, kind, square)
    scene.keep_between(king, square)


def _contact(scene: PiecePlacement) -> None:
    king = scene.put(US, Kind.KING)
    scene.put_attacker(THEM, king, (scene.choose(SLIDERS),), among=leaps(US, Kind.KING, king), check=True)


TEMPLATES: dict[Event, Template] = {
    Event.CK_SINGLE: _single,
    Event.CK_DOUBLE: _double,
    Event.CK_DOUBLE_PIECE_COULD_TAKE_ONE: _double_one_takeable,
    Event.CK_BLOCK_BY_DOUBLE_PUSH: _double_push_blocks,
    Event.CK_CAPTURE_CHECKER_PINNED_ILLEGAL: _pinned_could_take,
    Event.CK_BLOCK_PINNED_ILLEGAL: _pinned_could_block,
    Event.CK_CONTACT_SLIDER: _contact,
}
