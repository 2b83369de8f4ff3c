"""Our bishops, rooks and queens."""

from __future__ import annotations

import numpy as np

from ....attacks import line
from ....machine.bits import ONE, ZERO, load, lowest, lsb, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..fallback import replies_to
from ..limits import crossings, fixed
from ..notes import DIAGONAL, ORTHOGONAL
from ..outlook import Outlook
from ..tally import Tally, with_replies, with_simple
from ..theirs.pinning import arrival_changes, pinner_changes
from ..theirs.pins import pin_lines
from .pieces import SLIDER, Mover, with_simple_moves


@inlined
def with_sliders(
    tables: Tables,
    outlook: Outlook,
    notes: np.uint64,
    orthogonal_pins: np.uint64,
    diagonal_pins: np.uint64,
    tally: Tally,
) -> Tally:
    """Add the moves of our bishops, rooks and queens."""
    scene = outlook.scene
    sliders = scene.board.diagonals | scene.board.orthogonals
    while sliders != ZERO:
        square, origin = lsb(sliders), lowest(sliders)
        as_bishop = ZERO - (scene.board.diagonals >> square & ONE)
        as_rook = ZERO - (scene.board.orthogonals >> square & ONE)
        diagonal = load(notes, DIAGONAL + square) & as_bishop
        orthogonal = load(notes, ORTHOGONAL + square) & as_rook
        reach = (diagonal | orthogonal) & ~scene.own
        if origin & (orthogonal_pins | diagonal_pins) != ZERO:
            reach &= orthogonal_pins & orthogonal if origin & orthogonal_pins != ZERO else diagonal_pins & diagonal
        own_line = line(tables, scene.their_king, square) if origin & outlook.pins.pinners != ZERO else ZERO
        barred = _barred(outlook, origin, as_bishop, as_rook, diagonal, orthogonal)
        simple = reach & ~barred
        if simple != ZERO:
            places = outlook.watch.bishops & as_bishop | outlook.watch.rooks & as_rook
            mover = Mover(SLIDER, square, as_bishop, as_rook, diagonal | orthogonal, places)
            tally = with_simple_moves(tables, outlook, notes, mover, simple, tally)
            if own_line != ZERO:
                change = pinner_changes(tables, scene, outlook.pins, own_line, origin, simple)
                tally = with_simple(tally, ZERO, change)
            pinning = outlook.limits.bishop_pins & as_bishop | outlook.limits.rook_pins & as_rook
            turning = simple & (pinning | pin_lines(outlook.pins)) & ~own_line
            if turning != ZERO:
                change = arrival_changes(tables, scene, outlook.pins, origin, turning, pinning)
                tally = with_simple(tally, ZERO, change)
        if reach & ~simple != ZERO:
            tally = with_replies(tally, replies_to(tables, scene.board, square, reach & ~simple))
        sliders = rest(sliders)
    return tally


@inlined
def _barred(
    outlook: Outlook,
    origin: np.uint64,
    as_bishop: np.uint64,
    as_rook: np.uint64,
    diagonal: np.uint64,
    orthogonal: np.uint64,
) -> np.uint64:
    """Return the squares where no simple move of a slider ends; it sees `diagonal` and `orthogonal`."""
    sight, limits = outlook.sight, outlook.limits
    # Its own lines are no obstacle: what it attacks from its target is found anew.
    other_diagonals = sight.diagonals.twice | sight.diagonals.once & ~diagonal
    other_orthogonals = sight.orthogonals.twice | sight.orthogonals.once & ~orthogonal
    barred = crossings(limits, other_diagonals, other_orthogonals) | limits.closed
    barred |= limits.bishops & as_bishop | limits.rooks & as_rook
    return barred | fixed(limits, sight, outlook.watch.near, origin)
