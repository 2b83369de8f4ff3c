"""Their knights: no quiet move of ours changes what they can do."""

from __future__ import annotations

import numpy as np

from ....attacks import knight_attacks
from ....machine.bits import ZERO, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene
from .pins import Pins, pin_lines


@inlined
def knight_replies(tables: Tables, scene: Scene, pins: Pins) -> np.uint64:
    """Return the number of moves of their knights that are not pinned, before we move."""
    count, knights = ZERO, scene.board.their_knights & ~pin_lines(pins)
    while knights != ZERO:
        count += popcount(knight_attacks(tables, lsb(knights)) & ~scene.their)
        knights = rest(knights)
    return count
