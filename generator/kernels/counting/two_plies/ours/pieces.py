"""The simple moves of one piece of ours that is no pawn, and what they change by themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks
from ....machine.bits import ONE, ZERO, lowest, lsb, popcount, rest, store
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..counters import counted
from ..notes import MOVES
from ..outlook import Outlook
from ..tally import Tally
from ..theirs.captures import capture_changes
from ..theirs.king import replies_of_king
from ..theirs.pawns import pawn_departures
from ..theirs.pinning import arrival_changes
from ..theirs.pins import pin_lines

KING, KNIGHT, SLIDER = (np.uint64(kind) for kind in range(3))


class Mover(NamedTuple):
    """A piece of ours on `square`.

    A slider moves as a bishop or rook, or both, where these words are `ALL`. The piece attacks `attacks`, and
    would attack a watch square from `places`.
    """

    kind: np.uint64
    square: np.uint64
    as_bishop: np.uint64
    as_rook: np.uint64
    attacks: np.uint64
    places: np.uint64


@inlined
def attacks_from(tables: Tables, mover: Mover, square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return what the piece attacks from another square."""
    if mover.kind == KING:
        return king_attacks(tables, square)
    if mover.kind == KNIGHT:
        return knight_attacks(tables, square)
    return (
        bishop_attacks(tables, square, occupied) & mover.as_bishop
        | rook_attacks(tables, square, occupied) & mover.as_rook
    )


@inlined
def king_changes(tables: Tables, outlook: Outlook, mover: Mover, targets: np.uint64) -> np.uint64:
    """Return what it changes for their king that a piece goes to `targets`, summed over these (modulo 2**64)."""
    sight, watch, origin = outlook.sight, outlook.watch, ONE << mover.square
    others, left = sight.all.once, targets & (mover.places | watch.castling.ways)
    if (origin & mover.places) | (targets & watch.near) != ZERO:
        # Without the piece, whose attacks from its old square end.
        others, left = sight.all.twice | sight.all.once & ~mover.attacks, targets
    change = ZERO
    while left != ZERO:
        attacked = others | attacks_from(tables, mover, lsb(left), outlook.scene.occupied ^ origin)
        change += replies_of_king(watch, attacked, lowest(left)) - watch.replies
        left = rest(left)
    return change


@inlined
def with_simple_moves(
    tables: Tables, outlook: Outlook, notes: np.uint64, mover: Mover, targets: np.uint64, tally: Tally
) -> Tally:
    """Add the simple moves of a piece to `targets`, of which there is at least one."""
    scene, origin = outlook.scene, ONE << mover.square
    store(notes, MOVES + mover.square, targets)
    change = pawn_departures(outlook.pawns, origin, targets)
    change += capture_changes(tables, scene, outlook.pins, outlook.pawns, origin, targets)
    change += king_changes(tables, outlook, mover, targets)
    if mover.kind != SLIDER and targets & pin_lines(outlook.pins) != ZERO:
        stops = targets & pin_lines(outlook.pins)
        change += arrival_changes(tables, scene, outlook.pins, origin, stops, ZERO)
    return Tally(
        counted(tally.counters, targets & ~scene.their),
        tally.origins | origin,
        tally.pawns,
        tally.simple + popcount(targets),
        tally.replies + change,
    )
