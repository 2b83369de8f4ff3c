"""Our knights."""

from __future__ import annotations

import numpy as np

from ....attacks import knight_attacks
from ....machine.bits import ZERO
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..limits import leaper_crossings
from ..outlook import Outlook
from .mover import KNIGHT, Mover
from .own import Own


@inlined
def knight_mover(tables: Tables, outlook: Outlook, own: Own, square: np.uint64) -> Mover:
    """Return a knight that is not pinned."""
    limits, attacks = outlook.limits, knight_attacks(tables, square)
    stops = leaper_crossings(limits, outlook.sight)
    reach = attacks & own.mask & ~outlook.scene.own
    return Mover(KNIGHT, square, ZERO, ZERO, attacks, reach, limits.knights, outlook.watch.knights, stops, ZERO, ZERO)
