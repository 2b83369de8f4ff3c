"""Their castling: which squares their king crosses, and what must not move so that the way remains free or blocked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import between, beyond
from ....castling import king_target, rook_target
from ....machine.bits import ALL, ONE, ZERO, lsb, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene
from .pins import Pins

_BACK_RANK = np.uint64(56)


class TheirCastling(NamedTuple):
    """What their castling depends on.

    A path has the squares that the king crosses and reaches; it is `ALL` where they cannot castle whatever we do. A
    way has those that must stay empty, and the rook. `paths` and `ways` are the squares of both. On `held` an arrival
    or departure of ours may change in other ways whether they can castle.
    """

    first: np.uint64
    first_way: np.uint64
    second: np.uint64
    second_way: np.uint64
    paths: np.uint64
    ways: np.uint64
    held: np.uint64


@inlined
def their_castling(tables: Tables, scene: Scene, pins: Pins) -> TheirCastling:
    """Return what their castling depends on."""
    king, first, second = scene.their_king, ALL, ALL
    first_way, second_way, paths, ways, held = ZERO, ZERO, ZERO, ZERO, ZERO
    rooks = scene.board.castling & scene.their
    while rooks != ZERO:
        rook, king_to, rook_to = lsb(rooks), _king_to(king, lsb(rooks)), _rook_to(king, lsb(rooks))
        path = between(tables, king, king_to) | ONE << king_to
        way = path | between(tables, rook, rook_to) | ONE << rook_to
        third = way & (scene.occupied ^ scene.board.their_king ^ ONE << rook)
        if third == ZERO:
            # In Chess960 a rook of ours behind theirs pins it, and they cannot castle.
            held |= beyond(tables, king, rook)
            if pins.orthogonal & ONE << rook == ZERO:
                way |= ONE << rook
                paths, ways = paths | path, ways | way
                if first == ALL:
                    first, first_way = path, way
                else:
                    second, second_way = path, way
        elif third & scene.their == ZERO and rest(third) == ZERO:
            held |= third
        rooks = rest(rooks)
    return TheirCastling(first, first_way, second, second_way, paths, ways, held)


@inlined
def _king_to(king: np.uint64, rook: np.uint64) -> np.uint64:
    return king_target(king, rook) | _BACK_RANK


@inlined
def _rook_to(king: np.uint64, rook: np.uint64) -> np.uint64:
    return rook_target(king, rook) | _BACK_RANK
