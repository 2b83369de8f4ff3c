"""Our knights."""

from __future__ import annotations

import numpy as np

from ....attacks import knight_attacks
from ....machine.bits import ZERO, lowest, lsb, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..fallback import replies_to
from ..limits import fixed, leaper_limits
from ..outlook import Outlook
from ..tally import Tally, with_replies
from .pieces import KNIGHT, Mover, with_simple_moves


@inlined
def with_knights(tables: Tables, outlook: Outlook, notes: np.uint64, pinned: np.uint64, tally: Tally) -> Tally:
    """Add the moves of our knights; one that is pinned has none."""
    scene, limits, watch = outlook.scene, outlook.limits, outlook.watch
    barred = leaper_limits(limits, outlook.sight) | limits.knights
    knights = scene.board.knights & ~pinned
    while knights != ZERO:
        square, origin = lsb(knights), lowest(knights)
        attacks = knight_attacks(tables, square)
        reach = attacks & ~scene.own
        simple = reach & ~(barred | fixed(limits, outlook.sight, watch.near, origin))
        if simple != ZERO:
            mover = Mover(KNIGHT, square, ZERO, ZERO, attacks, watch.knights)
            tally = with_simple_moves(tables, outlook, notes, mover, simple, tally)
        if reach & ~simple != ZERO:
            tally = with_replies(tally, replies_to(tables, scene.board, square, reach & ~simple))
        knights = rest(knights)
    return tally
