"""The safety of our own king: what restricts our moves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....machine.bits import ZERO, rest
from ....machine.jit import inlined
from ....safety import safety
from ....sliders.common import Tables
from ..scene import Scene


class Own(NamedTuple):
    """Who gives us check, where pieces other than the king may go for that, and our pin lines of both kinds."""

    checkers: np.uint64
    mask: np.uint64
    orthogonal_pins: np.uint64
    diagonal_pins: np.uint64


@inlined
def own_of(tables: Tables, scene: Scene) -> Own:
    """Return what restricts our moves."""
    checkers, mask, orthogonal_pins, diagonal_pins = safety(tables, scene.board, scene.king, scene.occupied)
    # Nothing but a king step answers a double check.
    return Own(checkers, ZERO if rest(checkers) != ZERO else mask, orthogonal_pins, diagonal_pins)
