"""The lines from their king to our sliders: who is pinned, and which pieces must stay so that this remains so."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....attacks import between, bishop_rays, rook_rays
from ....machine.bits import ZERO, lowest, lsb, rest
from ....machine.jit import inlined
from ....sliders.common import Tables
from ..scene import Scene


class Lines(NamedTuple):
    """Squares on the lines of one kind.

    `pins` are those from the king to a slider of ours, this included, with one piece between, which is theirs; the
    slider is one of the `pinners`. `held` are the squares between king and slider with one or two pieces on them,
    whoever's: if one of these leaves, there is a check or another pin.
    """

    pins: np.uint64
    pinners: np.uint64
    held: np.uint64


class Pins(NamedTuple):
    """The lines of both kinds, and our sliders that pin a piece of theirs."""

    orthogonal: np.uint64
    diagonal: np.uint64
    pinners: np.uint64
    held: np.uint64


@inlined
def _lines(tables: Tables, scene: Scene, sliders: np.uint64) -> Lines:
    pins, pinners, held = ZERO, ZERO, ZERO
    while sliders != ZERO:
        way = between(tables, scene.their_king, lsb(sliders))
        second = rest(way & scene.occupied)
        if rest(second) == ZERO:
            held |= way
        if second == ZERO and way & scene.their != ZERO:
            pins |= way | lowest(sliders)
            pinners |= lowest(sliders)
        sliders = rest(sliders)
    return Lines(pins, pinners, held)


@inlined
def pins_of(tables: Tables, scene: Scene) -> Pins:
    """Return the lines to their king, which is not in check."""
    board, king = scene.board, scene.their_king
    orthogonal = _lines(tables, scene, rook_rays(tables, king) & board.orthogonals)
    diagonal = _lines(tables, scene, bishop_rays(tables, king) & board.diagonals)
    return Pins(orthogonal.pins, diagonal.pins, orthogonal.pinners | diagonal.pinners, orthogonal.held | diagonal.held)


@inlined
def pin_lines(pins: Pins) -> np.uint64:
    """Return the pin lines of both kinds."""
    return pins.orthogonal | pins.diagonal
