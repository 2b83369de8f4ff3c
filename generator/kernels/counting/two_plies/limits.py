"""Which of our moves are simple: they give no check, make or end no pin, open or close no line to a watch square.

A move that looks simple here is simple. Some others would be, too; their replies are counted one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...attacks import bishop_attacks, knight_attacks, rook_attacks, their_pawn_attacks
from ...machine.bits import ALL, ZERO
from ...machine.jit import inlined
from ...sliders.common import Tables
from .ours.sight import Sight, seen_by_sliders
from .scene import Scene
from .theirs.castling import TheirCastling
from .theirs.king import Watch
from .theirs.pins import Pins, pin_lines


class Limits(NamedTuple):
    """What simple moves keep away from, and where they change more than what the piece itself attacks.

    No simple move starts on `held`, or ends on `closed`. One that starts on `opening` may open a line of ours to a
    watch square, one that ends on `bishop_lines` or `rook_lines` may close one. From `pawns` ... `rooks` such a piece
    would give check. From `bishop_pins` and `rook_pins` it would pin a piece of theirs.
    """

    held: np.uint64
    closed: np.uint64
    opening: np.uint64
    bishop_lines: np.uint64
    rook_lines: np.uint64
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
    return Limits(
        pins.held | castling.held,
        castling.held | pin_lines(pins) & their,
        watch.bishops & sight.diagonals.once | watch.rooks & sight.orthogonals.once,
        watch.bishops & ~their,
        watch.rooks & ~their,
        their_pawn_attacks(scene.board.their_king),
        knight_attacks(tables, king),
        bishops,
        rooks,
        bishop_pins,
        rook_pins,
    )


@inlined
def crossings(limits: Limits, diagonals: np.uint64, orthogonals: np.uint64) -> np.uint64:
    """Return the squares where a piece may stop a slider that attacks these squares on its way to a watch square."""
    return limits.bishop_lines & diagonals | limits.rook_lines & orthogonals


@inlined
def leaper_crossings(limits: Limits, sight: Sight) -> np.uint64:
    """Return the squares where king, knight or pawn may stop a slider of ours on its way to a watch square."""
    return crossings(limits, sight.diagonals.once, sight.orthogonals.once)


@inlined
def shifting(limits: Limits, sight: Sight, near: np.uint64, origin: np.uint64, stops: np.uint64) -> np.uint64:
    """Return the targets of a piece on `origin` on which our sliders may attack other watch squares than before.

    It stops some on `stops`. If they look through `origin`, they may attack what has been taken next to their king.
    """
    if origin & limits.opening != ZERO:
        return ALL
    return stops | near if origin & seen_by_sliders(sight) != ZERO else stops
