"""Pawns before others, and at the edges of the board."""

from __future__ import annotations

from ...generator.events import Event
from ...generator.types.pieces import Kind
from ..scene import OFFICERS, RANKS, THEM, US, PiecePlacement, Template

_EVERYONE = (*OFFICERS, Kind.PAWN, Kind.KING)
_A_FILE, _H_FILE = 0x0101010101010101, 0x8080808080808080


def _block(scene: PiecePlacement, ahead: int) -> None:
    """A pawn at home with somebody one or two squares `ahead`, and the other square empty."""
    pawn = scene.put(US, Kind.PAWN, RANKS[1])
    scene.keep(pawn + 24 - 8 * ahead)
    color = scene.choose((US, THEM))
    scene.put(color, scene.choose(_EVERYONE), 1 << pawn + 8 * ahead)


def _block_at_once(scene: PiecePlacement) -> None:
    _block(scene, 1)


def _block_beyond(scene: PiecePlacement) -> None:
    _block(scene, 2)


def _allows_en_passant(scene: PiecePlacement) -> None:
    pawn = scene.put(US, Kind.PAWN, RANKS[1])
    scene.keep(pawn + 8, pawn + 16)
    scene.put(THEM, Kind.PAWN, RANKS[3] & (2 << pawn + 16 | 1 << pawn + 15))


def _across_the_edge(scene: PiecePlacement) -> None:
    """A pawn on an edge file, an enemy where a shift without a mask would make it capture."""
    pawn = scene.put(US, Kind.PAWN, _A_FILE | _H_FILE)
    across = 1 << pawn + 7 | 1 << pawn + 23 if pawn % 8 == 0 else 1 << pawn + 9 | 1 << pawn - 7
    scene.put(THEM, scene.choose(_EVERYONE), across)


TEMPLATES: dict[Event, Template] = {
    Event.DP_BLOCKED_INTERMEDIATE: _block_at_once,
    Event.DP_BLOCKED_DEST: _block_beyond,
    Event.DP_ALLOWS_EP: _allows_en_passant,
    Event.WRAP_PAWN_AH_ENEMY: _across_the_edge,
}
