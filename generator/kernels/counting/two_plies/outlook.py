"""All that is found once for a position with two plies left, before its moves are gone through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import inlined
from ...sliders.common import Tables
from .limits import Limits, limits_of
from .ours.sight import Sight, sight_of
from .scene import Scene
from .theirs.castling import their_castling
from .theirs.king import Watch, watch_of
from .theirs.pawns import TheirPawns, their_pawns
from .theirs.pins import Pins, pins_of


class Outlook(NamedTuple):
    """The position, what we attack, what their replies depend on, and what keeps a move of ours from being simple."""

    scene: Scene
    sight: Sight
    pins: Pins
    watch: Watch
    limits: Limits
    pawns: TheirPawns


@inlined
def outlook_of(tables: Tables, scene: Scene, notes: np.uint64) -> Outlook:
    """Return the outlook of a position in which nobody is in check; the notes get what our sliders attack."""
    sight = sight_of(tables, scene, notes)
    pins = pins_of(tables, scene)
    castling = their_castling(tables, scene, pins)
    watch = watch_of(tables, scene, sight, castling)
    limits = limits_of(tables, scene, sight, pins, castling, watch)
    return Outlook(scene, sight, pins, watch, limits, their_pawns(scene, pins))
