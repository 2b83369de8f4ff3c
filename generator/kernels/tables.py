"""The table block: all tables of the kernels in one aligned array.

Layout in uint64 values; first a record of eight values (a cache line) per square:

    square * 8 + ROOK_MASK ... BISHOP_RAYS    blocker masks, attack offsets, leapers, empty-board rays
    MAGIC  + square * 4                       rook magic, rook shift, bishop magic, bishop shift
    ROOK_ZONE + square, BISHOP_ZONE + square  squares from which a slider may attack a square next to this one
    CASTLING_PATH + king * 8 + rook           squares of the first rank that the king crosses or reaches in castling
    CASTLING_WAY + king * 8 + rook            squares that must be empty, in addition to those of king and rook
    BETWEEN + first * 64 + second             squares strictly between
    LINE    + first * 64 + second             complete line through both
    BEYOND  + first * 64 + second             squares behind the second, seen from the first
    ATTACKS + offset + index                  slider attacks, in PEXT or magic order
"""

from __future__ import annotations

import threading
from itertools import permutations, product
from typing import Literal

import numpy as np

from . import geometry
from .machine.memory import aligned_words
from .machine.target import target_has_pext
from .sliders.lookup import MagicTables, PextTables, Tables
from .sliders.magic import BISHOP, DIRECTIONS, MAGICS, ROOK, Words, attacks_of_subsets, blocker_subsets, place_attacks

# Eight values fill a cache line, so that all values for a square are adjacent.
RECORD = 8
ROOK_MASK, ROOK_ATTACKS, BISHOP_MASK, BISHOP_ATTACKS, KNIGHT, KING, ROOK_RAYS, BISHOP_RAYS = map(np.uint64, range(8))
MAGIC = np.uint64(64 * RECORD)
ROOK_ZONE = np.uint64(int(MAGIC) + 64 * 4)
BISHOP_ZONE = np.uint64(int(ROOK_ZONE) + 64)
CASTLING_PATH = np.uint64(int(BISHOP_ZONE) + 64)
CASTLING_WAY = np.uint64(int(CASTLING_PATH) + 64)
BETWEEN = np.uint64(int(CASTLING_WAY) + 64)
LINE = np.uint64(int(BETWEEN) + 64 * 64)
BEYOND = np.uint64(int(LINE) + 64 * 64)
ATTACKS = np.uint64(int(BEYOND) + 64 * 64)
ATTACK_WORDS = 102_400 + 5_248
"""Number of blocker subsets of rooks plus that of bishops, over all squares."""

Backend = Literal["pext", "magic"]
BACKENDS: tuple[Backend, ...] = ("pext", "magic")
_blocks: dict[Backend, Words] = {}
_building = threading.Lock()


def default_backend() -> Backend:
    """Return the slider back-end for this compile target: PEXT if it has BMI2, otherwise magic."""
    return available_backends()[0]


def available_backends() -> tuple[Backend, ...]:
    """Return the back-ends that can run here, the fastest first."""
    return ("pext", "magic") if target_has_pext() else ("magic",)


def tables(backend: Backend | None = None) -> Tables:
    """Return the address of the table block for `backend` (default: `default_backend()`).

    Raises ValueError if the compile target cannot run the back-end.
    """
    if backend is None:
        return tables(default_backend())
    if backend not in BACKENDS:
        raise ValueError(f"unknown slider back-end {backend!r}: choose from {', '.join(BACKENDS)}")
    if backend == "pext" and not target_has_pext():
        raise ValueError("this machine's compile target has no PEXT (BMI2): use the magic back-end")
    # All threads share one block. It must never be replaced, because kernels hold its address.
    with _building:
        if backend not in _blocks:
            _blocks[backend] = build_block(backend)
    address = np.uint64(_blocks[backend].ctypes.data)
    return PextTables(address) if backend == "pext" else MagicTables(address)


def build_block(backend: Backend) -> Words:
    """Return a new table block of about 0.9 MiB, which fits into a large page."""
    block = aligned_words(int(ATTACKS) + ATTACK_WORDS)
    _fill_leapers(block)
    _fill_zones(block)
    _fill_castling(block)
    _fill_lines(block)
    _fill_sliders(block, backend)
    return block


def _fill_leapers(block: Words) -> None:
    for square in range(64):
        record = square * RECORD
        block[record + int(KNIGHT)] = geometry.leaper_attacks(square, geometry.KNIGHT_STEPS)
        block[record + int(KING)] = geometry.leaper_attacks(square, geometry.KING_STEPS)
        block[record + int(ROOK_RAYS)] = geometry.rays(square, geometry.ROOK_DIRECTIONS)
        block[record + int(BISHOP_RAYS)] = geometry.rays(square, geometry.BISHOP_DIRECTIONS)


def _fill_zones(block: Words) -> None:
    for square in range(64):
        near = [target for s in geometry.KING_STEPS if (target := geometry.step(square, s)) is not None]
        for zone, directions in ((ROOK_ZONE, geometry.ROOK_DIRECTIONS), (BISHOP_ZONE, geometry.BISHOP_DIRECTIONS)):
            for target in near:
                block[int(zone) + square] |= np.uint64(geometry.rays(target, directions))


def _fill_castling(block: Words) -> None:
    for king, rook in permutations(range(8), 2):
        # Castling in Chess960 ends on the same squares as in standard chess.
        king_to, rook_to = (6, 5) if rook > king else (2, 3)
        path = geometry.between(king, king_to) | 1 << king_to
        way = path | geometry.between(rook, rook_to) | 1 << rook_to
        block[int(CASTLING_PATH) + king * 8 + rook] = path
        block[int(CASTLING_WAY) + king * 8 + rook] = way & ~(1 << king | 1 << rook)


def _fill_lines(block: Words) -> None:
    for first in range(64):
        for direction in geometry.KING_STEPS:
            squares = geometry.ray(first, direction)
            opposite = geometry.ray(first, (-direction[0], -direction[1]))
            whole = geometry.bitboard(squares) | geometry.bitboard(opposite) | 1 << first
            passed = 0
            for second in squares:
                block[int(BETWEEN) + first * 64 + second] = passed
                block[int(LINE) + first * 64 + second] = whole
                passed |= 1 << second
                block[int(BEYOND) + first * 64 + second] = geometry.bitboard(squares) & ~passed


def _fill_sliders(block: Words, backend: Backend) -> None:
    offset = int(ATTACKS)
    for piece, square in product((ROOK, BISHOP), range(64)):
        mask = geometry.blocker_mask(square, DIRECTIONS[piece])
        subsets = blocker_subsets(mask)
        attacks = attacks_of_subsets(square, DIRECTIONS[piece], subsets)
        record, size = square * RECORD + int((ROOK_MASK, BISHOP_MASK)[piece]), len(subsets)
        block[record] = mask
        block[record + 1] = offset
        if backend == "magic":
            number, place = MAGICS.number(piece, square), int(MAGIC) + square * 4 + 2 * piece
            ordered = place_attacks(subsets, attacks, number)
            if ordered is None:
                raise AssertionError(f"magic number of square {square} collides")
            attacks = ordered
            # No magic number needs more bits than the mask has, so both back-ends have tables of the same size.
            block[place : place + 2] = number, 64 - (size.bit_length() - 1)
        block[offset : offset + size] = attacks
        offset += size
