"""Geometry of the empty board: steps, rays, and the squares between two squares or on a line with them.

Squares are numbered from a1 = 0 along the ranks to h8 = 63. Bitboards are plain ints with one bit per square. This
module is used to build tables and is written for readability.
"""

from __future__ import annotations

from functools import cache

Direction = tuple[int, int]
"""A step as (files to the right, ranks up)."""

ROOK_DIRECTIONS: tuple[Direction, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
BISHOP_DIRECTIONS: tuple[Direction, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KING_STEPS: tuple[Direction, ...] = ROOK_DIRECTIONS + BISHOP_DIRECTIONS
KNIGHT_STEPS: tuple[Direction, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def step(square: int, direction: Direction) -> int | None:
    """Return the square one step in `direction` from `square`, or None beyond the edge."""
    # File and rank are computed separately, because a square number would wrap around the edge.
    file, rank = square % 8 + direction[0], square // 8 + direction[1]
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


@cache
def ray(square: int, direction: Direction) -> tuple[int, ...]:
    """Return the squares from `square` to the edge in one direction, nearest first."""
    following = step(square, direction)
    return () if following is None else (following, *ray(following, direction))


def bitboard(squares: tuple[int, ...] | list[int]) -> int:
    """Return the set of `squares` as a bitboard."""
    return sum(1 << square for square in squares)


def leaper_attacks(square: int, steps: tuple[Direction, ...]) -> int:
    """Return the squares that a piece with these `steps` attacks from `square`."""
    return bitboard([target for s in steps if (target := step(square, s)) is not None])


def rays(square: int, directions: tuple[Direction, ...]) -> int:
    """Return the squares that a slider attacks from `square` on an empty board."""
    return bitboard([target for direction in directions for target in ray(square, direction)])


def slider_attacks(square: int, directions: tuple[Direction, ...], occupied: int) -> int:
    """Return the squares that a slider attacks: each ray up to and including its first occupied square."""
    attacks = 0
    for direction in directions:
        for target in ray(square, direction):
            attacks |= 1 << target
            if occupied >> target & 1:
                break
    return attacks


def blocker_mask(square: int, directions: tuple[Direction, ...]) -> int:
    """Return the squares whose occupancy affects a slider's attacks: its rays without their last squares."""
    # The last square of a ray is attacked whether or not it is occupied.
    return bitboard([target for direction in directions for target in ray(square, direction)[:-1]])


def between(first: int, second: int) -> int:
    """Return the squares strictly between two squares; empty if they are not on one line."""
    for direction in KING_STEPS:
        squares = ray(first, direction)
        if second in squares:
            return bitboard(squares[: squares.index(second)])
    return 0


def line(first: int, second: int) -> int:
    """Return the complete line from edge to edge through two squares; empty if they are not on one line."""
    for direction in KING_STEPS:
        if second in ray(first, direction):
            opposite = (-direction[0], -direction[1])
            return bitboard(ray(first, direction)) | bitboard(ray(first, opposite)) | 1 << first
    return 0
