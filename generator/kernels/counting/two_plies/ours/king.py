"""Our king: its steps, and castling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import attacked_by_them, attacked_near_king, king_attacks
from ....castling import free_castling
from ....machine.bits import ZERO
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..limits import leaper_crossings
from ..outlook import Outlook
from ..tally import Tally
from .castling import with_castling
from .mover import KING, Mover
from .own import Own


class KingMoves(NamedTuple):
    """The tally with castling, and the legal steps."""

    tally: Tally
    steps: np.uint64


@inlined
def with_castling_and_steps(tables: Tables, outlook: Outlook, own: Own, tally: Tally) -> KingMoves:
    """Add castling, and return the steps."""
    scene = outlook.scene
    board, king = scene.board, scene.king
    steps = king_attacks(tables, king) & ~scene.own
    rooks = free_castling(tables, board, scene.own, king, scene.occupied) if own.checkers == ZERO else ZERO
    # The king is lifted: a slider attacks on through the square that it leaves.
    if rooks != ZERO:
        attacked = attacked_by_them(tables, board, scene.occupied ^ board.king)
        tally = with_castling(tables, outlook, rooks, attacked, own.orthogonal_pins, tally)
        steps &= ~attacked
    elif steps != ZERO:
        steps &= ~attacked_near_king(tables, board, king, scene.occupied ^ board.king)
    return KingMoves(tally, steps)


@inlined
def king_mover(tables: Tables, outlook: Outlook, steps: np.uint64) -> Mover:
    """Return our king, which goes to `steps`."""
    scene, limits = outlook.scene, outlook.limits
    attacks, stops = king_attacks(tables, scene.king), leaper_crossings(limits, outlook.sight)
    # It gives no check itself, but may not stand beside theirs.
    return Mover(KING, scene.king, ZERO, ZERO, attacks, steps, ZERO, outlook.watch.kings, stops, ZERO, ZERO)
