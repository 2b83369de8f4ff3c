"""Our king: its steps, and castling."""

from __future__ import annotations

import numpy as np

from ....attacks import attacked_by_them, attacked_near_king, king_attacks
from ....castling import free_castling
from ....machine.bits import ZERO
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..fallback import replies_to
from ..limits import fixed, leaper_limits
from ..outlook import Outlook
from ..tally import Tally, with_replies
from .castling import with_castling
from .pieces import KING, Mover, with_simple_moves


@inlined
def with_king(tables: Tables, outlook: Outlook, notes: np.uint64, orthogonal_pins: np.uint64, tally: Tally) -> Tally:
    """Add the moves of our king, which is not in check: no slider attacks through the square that it leaves."""
    scene, limits, watch = outlook.scene, outlook.limits, outlook.watch
    board, king = scene.board, scene.king
    around = king_attacks(tables, king)
    rooks = free_castling(tables, board, scene.own, king, scene.occupied)
    if rooks != ZERO:
        attacked = attacked_by_them(tables, board, scene.occupied)
        tally = with_castling(tables, outlook, rooks, attacked, orthogonal_pins, tally)
    elif around & ~scene.own != ZERO:
        attacked = attacked_near_king(tables, board, king, scene.occupied)
    else:
        return tally
    steps = around & ~scene.own & ~attacked
    barred = leaper_limits(limits, outlook.sight) | limits.kings
    simple = steps & ~(barred | fixed(limits, outlook.sight, watch.near, board.king))
    if simple != ZERO:
        mover = Mover(KING, king, ZERO, ZERO, around, watch.kings)
        tally = with_simple_moves(tables, outlook, notes, mover, simple, tally)
    if steps & ~simple != ZERO:
        tally = with_replies(tally, replies_to(tables, board, king, steps & ~simple))
    return tally
