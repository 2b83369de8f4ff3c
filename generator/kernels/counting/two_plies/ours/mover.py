"""A piece of ours that is no pawn, and all that its kind decides."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

KING, KNIGHT, SLIDER = (np.uint64(kind) for kind in range(3))


class Mover(NamedTuple):
    """A piece of ours on `square`, and its legal moves: `reach`.

    A slider moves as a bishop or rook, or both, where these words are `ALL`. The piece attacks `attacks`. From
    `checks` it gives check, from `places` it attacks a watch square, from `pinning` it pins a piece. On `stops` it may
    keep another slider from a watch square. A pinner has a line to their king, `own_line`.
    """

    kind: np.uint64
    square: np.uint64
    as_bishop: np.uint64
    as_rook: np.uint64
    attacks: np.uint64
    reach: np.uint64
    checks: np.uint64
    places: np.uint64
    stops: np.uint64
    own_line: np.uint64
    pinning: np.uint64
