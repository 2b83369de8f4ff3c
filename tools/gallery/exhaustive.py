"""Find the rare events that can occur with few pieces, by trying all valid positions.

White is to move, because the same events occur in the position with colors swapped. Castling rights are those of
standard chess, or of Chess960 for the events that need it. Every subset of rights and every en passant square is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from perft_check.generator.events import Event
from perft_check.generator.kernels.attacks import is_attacked
from perft_check.generator.kernels.board import Board, change_board, mirror_board, ours, theirs
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.events.census import census
from perft_check.generator.kernels.machine.bits import ALL, lsb
from perft_check.generator.kernels.machine.jit import load_lowerings
from perft_check.generator.kernels.sliders.lookup import Tables
from perft_check.generator.kernels.tables import tables

Words = npt.NDArray[np.uint64]
KINDS = range(10)
"""Pawn, knight, bishop, rook and queen of the side to move, then of the opponent."""
load_lowerings()  # for `lsb` in compiled code; no kernel may have been compiled before
_njit: Any = numba.njit(nogil=True)
_0, _1, _8, _16 = (np.uint64(number) for number in (0, 1, 8, 16))
_ENDS = np.uint64(0xFF000000000000FF)
_RANK_1, _RANK_5, _RANK_8 = np.uint64(0xFF), np.uint64(0xFF00000000), np.uint64(0xFF) << np.uint64(56)
_NOT_A, _NOT_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
_E, _CORNERS = np.uint64(0x10), np.uint64(0x81)


@_njit  # type: ignore[untyped-decorator]
def _board(king: np.uint64, their_king: np.uint64, by_kind: Words) -> Board:
    return Board(
        by_kind[0],
        by_kind[1],
        by_kind[2] | by_kind[4],
        by_kind[3] | by_kind[4],
        king,
        by_kind[5],
        by_kind[6],
        by_kind[7] | by_kind[9],
        by_kind[8] | by_kind[9],
        their_king,
        _0,
        _0,
    )


@_njit  # type: ignore[untyped-decorator]
def _may_castle(king: np.uint64, rooks: np.uint64, rank: np.uint64, chess960: bool) -> np.uint64:
    """Return the rooks on a rank that may have a castling right."""
    shift = _0 if rank == _RANK_1 else np.uint64(56)
    if king & rank == _0 or (not chess960 and king != _E << shift):
        return _0
    return rooks & rank & (rank if chess960 else _CORNERS << shift)


@_njit  # type: ignore[untyped-decorator]
def _en_passant(board: Board) -> np.uint64:
    """Return the squares on which the placement of the pieces allows the side to move to capture en passant."""
    takers = ((board.pawns & _NOT_A) >> _1) | ((board.pawns & _NOT_H) << _1)
    empty = ~(ours(board) | theirs(board))
    return ((board.their_pawns & _RANK_5 & takers) << _8) & empty & (empty >> _8)


@_njit  # type: ignore[untyped-decorator]
def _try_states(block: Tables, board: Board, chess960: bool, moves: np.uint64, met: Words) -> None:
    """Record the events of a placement with each en passant square and each set of rights."""
    mine = _may_castle(board.king, board.orthogonals & ~board.diagonals, _RANK_1, chess960)
    theirs_ = _may_castle(board.their_king, board.their_orthogonals & ~board.their_diagonals, _RANK_8, chess960)
    rooks, squares = mine | theirs_, _en_passant(board)
    target = _0
    while True:
        castling = _0
        while True:
            low, high = census(block, change_board(board, ALL, board.king, target, castling), moves)
            met[0] |= low
            met[1] |= high
            castling = (castling - rooks) & rooks
            if castling == _0:
                break
        if squares == _0:
            break
        target = squares & (~squares + _1)
        squares ^= target


@_njit  # type: ignore[untyped-decorator]
def _try_all(block: Tables, kinds: Words, chess960: bool, moves: np.uint64, met: Words) -> int:
    """Record the events of all placements of kings and pieces of these kinds; return the number of valid ones."""
    number, tried = len(kinds), 0
    for index in range(64 ** (2 + number)):
        rest, occupied, fits = np.uint64(index), _0, True
        by_kind = np.zeros(12, dtype=np.uint64)
        for place in range(2 + number):
            bit = _1 << (rest & np.uint64(63))
            rest >>= np.uint64(6)
            kind = np.uint64(10 + place) if place < 2 else kinds[place - 2]
            if occupied & bit or (kind in (0, 5) and bit & _ENDS):
                fits = False
                break
            occupied |= bit
            by_kind[kind] |= bit
        if not fits:
            continue
        board = _board(by_kind[10], by_kind[11], by_kind)
        seen = mirror_board(board)
        if is_attacked(block, seen, lsb(seen.king), ours(seen) | theirs(seen)):
            continue
        tried += 1
        _try_states(block, board, chess960, moves, met)
    return tried


def least_pieces(most: int) -> dict[Event, int]:
    """Return the minimum number of pieces for each event that needs at most `most`."""
    least: dict[Event, int] = {}
    for pieces in range(2, most + 1):
        for chess960 in (False, True):
            for event in _events_of(pieces, chess960=chess960):
                if event.chess960 == chess960:
                    least.setdefault(event, pieces)
    return least


def _events_of(pieces: int, *, chess960: bool) -> Iterator[Event]:
    """Yield the events that occur in some position with this number of pieces."""
    met = np.zeros(2, dtype=np.uint64)
    moves = np.empty(MAX_MOVES, dtype=np.uint16)
    for kinds in combinations_with_replacement(KINDS, pieces - 2):
        _try_all(tables(), np.array(kinds, dtype=np.uint64), chess960, np.uint64(moves.ctypes.data), met)
    bits = int(met[0]) | int(met[1]) << 64
    yield from (event for event in Event if bits >> event & 1)
