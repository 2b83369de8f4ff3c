"""Which of our moves are simple: they give no check, make or end no pin, open or close no line to a watch square.

A move that looks simple here is simple. Some others would be, too; their replies are counted one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import bishop_attacks, king_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ...machine.bits import ALL, ZERO
from ...machine.jit import inlined
from ...sliders.common import Tables
from .ours.sight import Sight, seen_by_sliders
from .scene import Scene
from .theirs.castling import TheirCastling
from .theirs.king import Watch
from .theirs.pins import Pins, pin_lines


class Limits(NamedTuple):
    """What simple moves keep away from.

    No simple move starts on `held`, or ends on `closed`. `bishop_lines` and `rook_lines` lead to watch squares and
    their king: on them our sliders must neither be let through nor stopped. From `kings` ... `rooks` such a piece
    would give check. From `bishop_pins` and `rook_pins` it would pin a piece of theirs.
    """

    held: np.uint64
    closed: np.uint64
    bishop_lines: np.uint64
    rook_lines: np.uint64
    kings: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    bishop_pins: np.uint64
    rook_pins: np.uint64


@inlined
def limits_of(tables: Tables, scene: Scene, sight: Sight, pins: Pins, castling: TheirCastling, watch: Watch) -> Limits:
    """Return what simple moves keep away from."""
    king, occupied, their = scene.their_king, scene.occupied, scene.their
    bishops, rooks = bishop_attacks(tables, king, occupied), rook_attacks(tables, king, occupied)
    # Through a piece of theirs a slider pins it.
    bishop_pins = bishop_attacks(tables, king, occupied ^ bishops & their) & ~bishops
    rook_pins = rook_attacks(tables, king, occupied ^ rooks & their) & ~rooks
    bishop_lines, rook_lines = bishops | watch.bishops, rooks | watch.rooks
    held = pins.held | castling.held
    held |= bishop_lines & sight.diagonals.once | rook_lines & sight.orthogonals.once
    return Limits(
        held,
        castling.held | pin_lines(pins) & their,
        bishop_lines,
        rook_lines,
        king_attacks(tables, king),
        their_pawn_attacks(scene.board.their_king),
        knight_attacks(tables, king),
        bishops,
        rooks,
        bishop_pins,
        rook_pins,
    )


@inlined
def crossings(limits: Limits, diagonals: np.uint64, orthogonals: np.uint64) -> np.uint64:
    """Return the squares where a piece stops a slider that attacks these squares on a line to a watch square."""
    return limits.bishop_lines & diagonals | limits.rook_lines & orthogonals


@inlined
def leaper_limits(limits: Limits, sight: Sight) -> np.uint64:
    """Return the squares on which no simple move of king, knight or pawn ends."""
    return limits.closed | crossings(limits, sight.diagonals.once, sight.orthogonals.once)


@inlined
def fixed(limits: Limits, sight: Sight, near: np.uint64, origin: np.uint64) -> np.uint64:
    """Return the squares on which no simple move of the piece on `origin` ends.

    A slider that looks through `origin` may then attack what has been taken next to their king: on `near`.
    """
    if origin & limits.held != ZERO:
        return ALL
    return near if origin & seen_by_sliders(sight) != ZERO else ZERO
