"""The king's own moves: stepping, taking, discovering."""

from __future__ import annotations

from ...generator.events import Event
from ...generator.kernels.geometry import KING_STEPS, step
from ...generator.reachability.attacks import attacks, leaps, line, origins
from ...generator.types.pieces import Kind
from ...generator.types.squares import squares_in
from ..scene import OFFICERS, THEM, US, PiecePlacement, bits, reverse, sliders_along
from .template import Template


def _steps_back_in_line(scene: PiecePlacement) -> None:
    """A slider checks along a line on which the king could step away from it."""
    king = scene.put(US, Kind.KING)
    behind = {d: step(king, reverse(d)) for d in KING_STEPS if step(king, d) is not None}
    direction, escape = scene.choose([(d, square) for d, square in behind.items() if square is not None])
    scene.keep(escape)
    checker = scene.place(THEM, scene.choose(sliders_along(direction)), scene.pick(scene.reach(king, direction)))
    scene.keep_between(king, checker)


def _kings_apart(scene: PiecePlacement) -> None:
    """The kings are two steps apart and share squares that neither may enter."""
    king = scene.put(US, Kind.KING)
    near = leaps(US, Kind.KING, king)
    shared = [leaps(US, Kind.KING, square) for square in squares_in(near)]
    scene.put(THEM, Kind.KING, bits(s for board in shared for s in squares_in(board)) & ~near)


def _protected(scene: PiecePlacement) -> None:
    king = scene.put(US, Kind.KING)
    kind = scene.choose((*OFFICERS, Kind.PAWN))
    bait = scene.put(THEM, kind, leaps(US, Kind.KING, king), check=True)
    scene.put_attacker(THEM, bait, (scene.choose((*OFFICERS, Kind.PAWN, Kind.KING)),))


def _protected_by_pinned(scene: PiecePlacement) -> None:
    """What protects the piece beside our king is itself pinned to theirs."""
    pinned = scene.pick()
    king, slider = scene.put_on_line(THEM, US, (pinned,))
    kind = scene.choose(OFFICERS)
    scene.place(THEM, kind, pinned)
    guarded = attacks(THEM, kind, pinned, scene.occupied) & ~line(king, slider) & ~leaps(THEM, Kind.KING, king)
    bait = scene.put(THEM, scene.choose((*OFFICERS, Kind.PAWN)), guarded)
    scene.put(US, Kind.KING, leaps(US, Kind.KING, bait))


def _takes_checker(scene: PiecePlacement) -> None:
    king = scene.put(US, Kind.KING)
    kind = scene.choose((Kind.ROOK, Kind.BISHOP, Kind.QUEEN, Kind.PAWN))
    near = leaps(US, Kind.KING, king) & origins(THEM, kind, king, scene.occupied)
    checker = scene.put(THEM, kind, near, check=True)
    scene.put(THEM, Kind.KING, ~leaps(US, Kind.KING, checker))


def _discovers(scene: PiecePlacement) -> None:
    king = scene.put(US, Kind.KING)
    scene.put_on_line(THEM, US, (king,))


TEMPLATES: dict[Event, Template] = {
    Event.K_XRAY_ILLEGAL: _steps_back_in_line,
    Event.K_ADJ_KING_ONLY: _kings_apart,
    Event.K_CAP_PROTECTED_ILLEGAL: _protected,
    Event.K_CAP_PROT_BY_PINNED_ONLY: _protected_by_pinned,
    Event.K_CAPTURES_CHECKER: _takes_checker,
    Event.K_DISCOVERS_CHECK: _discovers,
}
