"""Pawns before others, and at the edges of the board."""

from __future__ import annotations

from functools import partial

from ...generator.events import Event
from ...generator.types.pieces import Kind
from ..scene import A_FILE, OFFICERS, RANKS, THEM, US, PiecePlacement, Template

_EVERYONE = (*OFFICERS, Kind.PAWN, Kind.KING)
_H_FILE = 0x8080808080808080


def _block(scene: PiecePlacement, ahead: int) -> None:
    """A pawn at home with somebody one or two squares `ahead`, and the other square empty."""
    pawn = scene.put(US, Kind.PAWN, RANKS[1])
    scene.keep(pawn + 24 - 8 * ahead)
    color = scene.choose((US, THEM))
    scene.put(color, scene.choose(_EVERYONE), 1 << pawn + 8 * ahead)


def _allows_en_passant(scene: PiecePlacement) -> None:
    pawn = scene.put(US, Kind.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put(THEM, Kind.PAWN, RANKS[3] & (2 << pawn + 16 | 1 << pawn + 15))


def _across_the_edge(scene: PiecePlacement) -> None:
    """A pawn on an edge file, an enemy where a shift without a mask would make it capture."""
    pawn = scene.put(US, Kind.PAWN, A_FILE | _H_FILE)
    across = 1 << pawn + 7 | 1 << pawn + 23 if pawn % 8 == 0 else 1 << pawn + 9 | 1 << pawn - 7
    scene.put(THEM, scene.choose(_EVERYONE), across)


TEMPLATES: dict[Event, Template] = {
    Event.DP_BLOCKED_INTERMEDIATE: partial(_block, ahead=1),
    Event.DP_BLOCKED_DEST: partial(_block, ahead=2),
    Event.DP_ALLOWS_EP: _allows_en_passant,
    Event.WRAP_PAWN_AH_ENEMY: _across_the_edge,
}
