"""Our bishops, rooks and queens."""

from __future__ import annotations

import numpy as np

from ....attacks import line
from ....machine.bits import ONE, ZERO, load
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..limits import crossings
from ..notes import DIAGONAL, ORTHOGONAL
from ..outlook import Outlook
from .mover import SLIDER, Mover
from .own import Own
from .sight import without


@inlined
def slider_mover(tables: Tables, outlook: Outlook, notes: np.uint64, own: Own, square: np.uint64) -> Mover:
    """Return a bishop, rook or queen."""
    scene, limits, watch, origin = outlook.scene, outlook.limits, outlook.watch, ONE << square
    as_bishop = ZERO - (scene.board.diagonals >> square & ONE)
    as_rook = ZERO - (scene.board.orthogonals >> square & ONE)
    diagonal = load(notes, DIAGONAL + square) & as_bishop
    orthogonal = load(notes, ORTHOGONAL + square) & as_rook
    reach = (diagonal | orthogonal) & own.mask & ~scene.own
    if origin & own.orthogonal_pins != ZERO:
        reach &= own.orthogonal_pins & orthogonal
    elif origin & own.diagonal_pins != ZERO:
        reach &= own.diagonal_pins & diagonal
    # Its own lines are no obstacle: what it attacks from its target is found anew.
    sight = outlook.sight
    stops = crossings(limits, without(sight.diagonals, diagonal), without(sight.orthogonals, orthogonal))
    return Mover(
        SLIDER,
        square,
        as_bishop,
        as_rook,
        diagonal | orthogonal,
        reach,
        limits.bishops & as_bishop | limits.rooks & as_rook,
        watch.bishops & as_bishop | watch.rooks & as_rook,
        stops,
        line(tables, scene.their_king, square) if origin & outlook.pins.pinners != ZERO else ZERO,
        limits.bishop_pins & as_bishop | limits.rook_pins & as_rook,
    )
