"""Pins that our moves make, end or change: what that means for the piece pinned.

All other contributions take a piece that is pinned for one that has always the same moves, and any other one for
one that is free. Here is the difference, for one piece at a time.
"""

from __future__ import annotations

import numpy as np

from ....attacks import between, beyond, rook_rays
from ....machine.bits import ALL, ZERO, lowest, lsb, popcount, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene
from .pinned import freed_moves, pinned_moves, reach_of
from .pins import Pins, pin_lines


@inlined
def _moves_before(tables: Tables, scene: Scene, pins: Pins, piece: np.uint64) -> np.uint64:
    """Return the number of moves of a pinned piece before we move."""
    return pinned_moves(tables, scene, piece, pins.orthogonal, pins.diagonal, scene.own, scene.occupied)


@inlined
def _moves_pinned(tables: Tables, scene: Scene, piece: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of moves of a piece that a slider from `origin` pins on `target`."""
    way = between(tables, scene.their_king, lsb(target)) | target
    orthogonal = ALL if piece & rook_rays(tables, scene.their_king) != ZERO else ZERO
    own, occupied = scene.own ^ origin | target, scene.occupied ^ origin | target
    return pinned_moves(tables, scene, piece, way & orthogonal, way & ~orthogonal, own, occupied)


@inlined
def _moves_free(tables: Tables, scene: Scene, piece: np.uint64, origin: np.uint64, target: np.uint64) -> np.uint64:
    """Return the number of moves of a piece that nothing pins after our move."""
    return freed_moves(tables, scene, piece, scene.own ^ origin | target, scene.occupied ^ origin | target)


@inlined
def pinner_changes(
    tables: Tables, scene: Scene, pins: Pins, line: np.uint64, origin: np.uint64, targets: np.uint64
) -> np.uint64:
    """Return what it changes for the piece pinned on `line` that its pinner leaves, summed over its targets.

    Modulo 2**64. On a target along the line it pins still.
    """
    piece = between(tables, scene.their_king, lsb(origin)) & scene.occupied
    change = ZERO - popcount(targets) * _moves_before(tables, scene, pins, piece)
    # Where the pinner ends out of reach of the piece, this has the same moves, wherever that is.
    near = targets & reach_of(tables, scene, piece, scene.occupied ^ origin)
    far = targets & ~near & line
    if far != ZERO:
        change += popcount(far) * _moves_pinned(tables, scene, piece, origin, lowest(far))
    far = targets & ~near & ~line
    if far != ZERO:
        change += popcount(far) * _moves_free(tables, scene, piece, origin, ZERO)
    while near != ZERO:
        target = lowest(near)
        if target & line != ZERO:
            change += _moves_pinned(tables, scene, piece, origin, target)
        else:
            change += _moves_free(tables, scene, piece, origin, target)
        near = rest(near)
    return change


@inlined
def arrival_changes(
    tables: Tables, scene: Scene, pins: Pins, origin: np.uint64, targets: np.uint64, pinning: np.uint64
) -> np.uint64:
    """Return what arrivals change for the pieces whose pins they make, take over or end, summed over `targets`.

    Modulo 2**64. The targets are empty squares of pin lines, or `pinning`: from those what comes from `origin` pins.
    """
    change, king = ZERO, scene.their_king
    while targets != ZERO:
        target, square = lowest(targets), lsb(targets)
        if target & pin_lines(pins) != ZERO:
            ray = between(tables, king, square) | beyond(tables, king, square)
            piece = ray & pin_lines(pins) & scene.their
            change -= _moves_before(tables, scene, pins, piece)
        else:
            piece = between(tables, king, square) & scene.occupied
            change -= _moves_free(tables, scene, piece, origin, target)
        if target & pinning != ZERO:
            change += _moves_pinned(tables, scene, piece, origin, target)
        else:
            change += _moves_free(tables, scene, piece, origin, target)
        targets = rest(targets)
    return change
