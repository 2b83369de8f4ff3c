"""The steps that make up move tables: the squares that a piece can reach on an empty board, ray after ray.

    rook on e4     north        east      south     west
    target         e5 e6 e7 e8  f4 g4 h4  e3 e2 e1  d4 c4 b4 a4
    number          0  1  2  3   4  5  6   7  8  9  10 11 12 13
    when blocked    4  4  4  4   7  7  7  10 10 10  14 14 14 14

After a free square the walk continues with the next number, after an occupied one with the first number of the next
ray. The techniques differ in how they encode these two, and in how a list ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..kernels import geometry
from ..kernels.board import Board, ours, theirs
from ..kernels.machine.bits import ZERO, lsb, rest
from ..kernels.machine.jit import inline, subroutine
from ..kernels.sliders.lookup import Tables
from ..types.pieces import PieceType
from .operations import append_pawns, append_steppers

SLIDERS = (PieceType.QUEEN, PieceType.ROOK, PieceType.BISHOP)
"""The sliders in the order of their tables."""
QUEEN, ROOK, BISHOP = np.uint64(0), np.uint64(64), np.uint64(128)
"""Offsets of the 64 heads of each slider in a table of heads."""
NODES = 2912
"""Total number of steps of all sliders: queens 1456, rooks 896, bishops 560."""

_SLIDES = {
    PieceType.ROOK: geometry.ROOK_DIRECTIONS,
    PieceType.BISHOP: geometry.BISHOP_DIRECTIONS,
    PieceType.QUEEN: geometry.ROOK_DIRECTIONS + geometry.BISHOP_DIRECTIONS,
}
_STEPS = {PieceType.KNIGHT: geometry.KNIGHT_STEPS, PieceType.KING: geometry.KING_STEPS}


class Occupancy(NamedTuple):
    """The squares of own pieces, of the opponent's, and of both."""

    own: np.uint64
    their: np.uint64
    both: np.uint64


class RayStep(NamedTuple):
    """A square that a piece can reach."""

    target: int
    blocked: int
    """Number of the next step if `target` is occupied, or the number of steps if the walk ends."""


class RayNode(NamedTuple):
    """A step, numbered among the steps of all sliders."""

    origin: int
    target: int
    free: int
    """The node after a free `target`, or 0 at the end, because node 0 is never a successor."""
    blocked: int
    """The node after an occupied `target`, or 0 at the end."""


def rays(kind: PieceType, origin: int) -> list[tuple[int, ...]]:
    """Return the non-empty rays of a piece on an empty board; those of knights and kings have one square."""
    if kind in _STEPS:
        found = [geometry.ray(origin, step)[:1] for step in _STEPS[kind]]
    else:
        found = [geometry.ray(origin, direction) for direction in _SLIDES[kind]]
    return [ray for ray in found if ray]


def steps(kind: PieceType, origin: int) -> list[RayStep]:
    """Return the steps of a piece other than a pawn, ray after ray."""
    found: list[RayStep] = []
    for ray in rays(kind, origin):
        following = len(found) + len(ray)
        found += [RayStep(target, following) for target in ray]
    return found


def nodes() -> tuple[list[RayNode], list[int]]:
    """Return the nodes of all sliders, and the number of the first node of each slider and origin."""
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


Step = Callable[..., np.uint64]
"""A function that stores the moves of one piece, given the address of the table, the index of its head, its origin, the
occupancy and the move list."""
Pieces = Callable[..., np.uint64]
"""A function that stores the moves of all pieces of one type, given the table, the index of the heads, the pieces, the
occupancy and the move list."""
Others = Callable[..., np.uint64]
"""A function that stores the moves of all other pieces, given the shared tables, the table, the board, the occupancy
and the move list."""


def each_piece(append_moves: Step) -> Pieces:
    """Return a function that stores the moves of all pieces of one type."""

    @inline
    def append_pieces(
        walk: np.uint64, heads: np.uint64, pieces: np.uint64, sides: Occupancy, moves: np.uint64, count: np.uint64
    ) -> np.uint64:
        while pieces != ZERO:
            origin = lsb(pieces)
            count = append_moves(walk, heads + origin, origin, sides, moves, count)
            pieces = rest(pieces)
        return count

    return append_pieces


@inline
def append_others(
    tables: Tables, walk: np.uint64, board: Board, sides: Occupancy, moves: np.uint64, count: np.uint64
) -> np.uint64:
    """Store the moves of knights, king and pawns with the shared functions."""
    return append_pawns(tables, board, moves, append_steppers(tables, board, moves, count))


def make_generator(
    append_pieces: Pieces,
    others: Others = append_others,
    heads: tuple[np.uint64, np.uint64, np.uint64] = (QUEEN, ROOK, BISHOP),
) -> Callable[[Tables, np.uint64, Board, np.uint64], np.uint64]:
    """Return a function that stores the moves of sliders, whose heads start at `heads`, and then all other moves."""
    queen_heads, rook_heads, bishop_heads = heads

    @subroutine
    def generate(tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
        """Write all pseudo-legal moves except castling; return their number. `walk` is the address of the table."""
        own, their = ours(board), theirs(board)
        sides = Occupancy(own, their, own | their)
        queens = board.orthogonals & board.diagonals
        count = append_pieces(walk, queen_heads, queens, sides, moves, ZERO)
        count = append_pieces(walk, rook_heads, board.orthogonals ^ queens, sides, moves, count)
        count = append_pieces(walk, bishop_heads, board.diagonals ^ queens, sides, moves, count)
        return others(tables, walk, board, sides, moves, count)

    return generate
