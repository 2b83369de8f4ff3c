"""What the move tables are made of: the squares that a piece may walk to on an empty board, ray after ray.

    rook on e4     north        east      south     west
    target         e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4
    number          0  1  2  3   4  5  6   7  8  9  10 11 12 13
    when blocked    4  4  4  4   7  7  7  10 10 10  14 14 14 14

On a free square the walk goes on with the next number, on an occupied one with the first of the
next ray. The techniques differ in how they write these two down, and how they end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels import geometry
from ..kernels.board import Board
from ..kernels.machine.jit import inline
from ..types.pieces import Kind

SLIDERS = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP)
"""The order of their tables."""
QUEEN, ROOK, BISHOP = np.uint64(0), np.uint64(64), np.uint64(128)
"""Where the 64 heads of each slider start in a table of heads."""
NODES = 2912
"""Steps in the tables of all sliders: 1456 of queens, 896 of rooks, 560 of bishops."""

_SLIDES = {
    Kind.ROOK: geometry.ROOK_DIRECTIONS,
    Kind.BISHOP: geometry.BISHOP_DIRECTIONS,
    Kind.QUEEN: geometry.ROOK_DIRECTIONS + geometry.BISHOP_DIRECTIONS,
}
_STEPS = {Kind.KNIGHT: geometry.KNIGHT_STEPS, Kind.KING: geometry.KING_STEPS}


class RayStep(NamedTuple):
    """A square on the way."""

    target: int
    blocked: int
    """The number of the step to go on with when `target` is occupied; that of the last step plus one to end."""


class RayNode(NamedTuple):
    """A step among those of all sliders, which are numbered through."""

    origin: int
    target: int
    free: int
    """The node after a free `target`, or 0 at the end: node 0 comes after none."""
    blocked: int
    """The node after an occupied `target`, or 0 at the end."""


def rays(kind: Kind, origin: int) -> list[tuple[int, ...]]:
    """Return the rays of a piece on an empty board, none of them empty; knights and kings have rays of one square."""
    if kind in _STEPS:
        found = [geometry.ray(origin, step)[:1] for step in _STEPS[kind]]
    else:
        found = [geometry.ray(origin, direction) for direction in _SLIDES[kind]]
    return [ray for ray in found if ray]


def steps(kind: Kind, origin: int) -> list[RayStep]:
    """Return the steps of a piece other than a pawn, ray after ray."""
    found: list[RayStep] = []
    for ray in rays(kind, origin):
        following = len(found) + len(ray)
        found += [RayStep(target, following) for target in ray]
    return found


def nodes() -> tuple[list[RayNode], list[int]]:
    """Return the nodes of all sliders, and the first of each slider and origin."""
    found: list[RayNode] = []
    heads: list[int] = []
    for kind in SLIDERS:
        for origin in range(64):
            heads.append(len(found))
            walk = steps(kind, origin)
            numbers = [*range(len(found), len(found) + len(walk)), 0]
            for place, step in enumerate(walk):
                found.append(RayNode(origin, step.target, numbers[place + 1], numbers[step.blocked]))
    return found, heads


@inline
def sliders(board: Board) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return our queens, rooks and bishops, each piece in one of the three words."""
    queens = board.orthogonals & board.diagonals
    return queens, board.orthogonals ^ queens, board.diagonals ^ queens
