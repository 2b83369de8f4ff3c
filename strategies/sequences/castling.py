"""King and rook that seem able to castle: they have castled and walked back, or the rook was a pawn."""

from __future__ import annotations

from functools import partial

from ...generator.types.pieces import Kind
from ..scene import RANKS, THEM, US, PiecePlacement
from ..templates.chess960 import Geometry
from .script import WAIT, Condition, Go, Script, SequenceTemplate, Step, go, put_men, put_rook

_DOWN = (0, -1)
CORNERS = 0x8100000000000081


def _is_near(geometry: Geometry) -> bool:
    """Whether the king can walk back in two steps, over the second rank."""
    return abs(geometry.king - geometry.king_to) <= 2


def _swaps(geometry: Geometry) -> bool:
    return geometry.king_to == geometry.rook and geometry.rook_to == geometry.king


def _passes(geometry: Geometry) -> bool:
    """Whether the rook goes to where the king stood or past it, or the king to where the rook stood."""
    first, last = sorted((geometry.rook, geometry.rook_to))
    return _is_near(geometry) and (first <= geometry.king <= last or geometry.king_to == geometry.rook)


def _castle_and_walk_back(scene: PiecePlacement, condition: Condition) -> Script:
    """Castling, and then king and rook walk back: the same position without the right."""
    men = put_men(scene, US, condition)
    middle = 8 + (men.king + men.king_to) // 2
    king_back: tuple[Step, ...] = (go(scene, middle, men.king), WAIT)
    rook_back: tuple[Step, ...] = (Go(men.rook_to, men.rook), WAIT) if men.rook != men.rook_to else ()
    steps = (Go(men.king, men.rook), WAIT, go(scene, men.king_to, middle), WAIT, *rook_back, *king_back)
    return Script(steps, lost=1 << men.rook)


def _castle_and_walk_to_other_rook(scene: PiecePlacement) -> Script:
    """Castling, and then the king walks back to where it might castle with its other rook, had it the right."""
    men = put_men(scene, US, _is_near)
    is_a_side = men.rook < men.king
    beyond = RANKS[0] & ~((2 << men.king) - 1 if is_a_side else -1 << men.king) & ~scene.kept
    other = scene.pick(beyond if scene.chess960 else beyond & CORNERS)
    put_rook(scene, US, other)
    scene.keep_between(men.king, other)
    middle = 8 + (men.king + men.king_to) // 2
    steps = (Go(men.king, men.rook), WAIT, go(scene, men.king_to, middle), WAIT, go(scene, middle, men.king), WAIT)
    return Script(steps, lost=1 << other)


def _promote_beside_own_king(scene: PiecePlacement) -> Script:
    """A promoted rook comes back to where a rook might castle."""
    men = put_men(scene, US, has_right=False)
    top = men.rook + 56
    pawn = scene.place(US, Kind.PAWN, top - 8)
    steps = (go(scene, pawn, top, Kind.ROOK), WAIT, go(scene, top, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


def _promote_beside_their_king(scene: PiecePlacement) -> Script:
    """A pawn becomes a rook where one of theirs might castle, and one of theirs takes it."""
    men = put_men(scene, THEM, has_right=False)
    pawn = scene.place(US, Kind.PAWN, men.rook - 8)
    other = scene.put(THEM, Kind.ROOK, scene.reach(pawn, _DOWN))
    scene.put_last_mover()
    steps = (go(scene, pawn, men.rook, Kind.ROOK), go(scene, other, men.rook), WAIT)
    return Script(steps, lost=1 << men.rook)


SEQUENCES: dict[str, SequenceTemplate] = {
    "castled-and-back": partial(_castle_and_walk_back, condition=_is_near),
    "castled-and-back-to-the-other-rook": _castle_and_walk_to_other_rook,
    "promoted-beside-own-king": _promote_beside_own_king,
    "promoted-beside-their-king": _promote_beside_their_king,
}
CHESS960_SEQUENCES: dict[str, SequenceTemplate] = {
    "castled-past-each-other": partial(_castle_and_walk_back, condition=_passes),
    "king-and-rook-swap": partial(_castle_and_walk_back, condition=_swaps),
}
