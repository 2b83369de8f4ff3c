"""The position as kernels represent it: twelve uint64 values, from the side to move's view.

"We" are the side to move, "they" the opponent. We always move up the board. After a move, the board is mirrored top to
bottom (one byte swap per bitboard) and the sides exchange roles. Therefore no code depends on the side to move, and no
move has to be undone, because each position is a separate value. Queens are in both slider bitboards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .machine.bits import ZERO, byteswap, load, store
from .machine.jit import inline

BOARD_WORDS = 12
BOARD_BYTES = np.uint64(8 * BOARD_WORDS)
(
    PAWNS,
    KNIGHTS,
    DIAGONALS,
    ORTHOGONALS,
    KING,
    THEIR_PAWNS,
    THEIR_KNIGHTS,
    THEIR_DIAGONALS,
    THEIR_ORTHOGONALS,
    THEIR_KING,
    PASSED,
    RIGHTS,
) = (np.uint64(place) for place in range(BOARD_WORDS))


class Board(NamedTuple):
    """A position as bitboards, from the side to move's view (square 0 is a1 for White, a8 for Black).

    `en_passant` is the target square if one of our pawns attacks it, otherwise empty. `castling` contains the rooks of
    both sides that have castling rights.
    """

    pawns: np.uint64
    knights: np.uint64
    diagonals: np.uint64
    orthogonals: np.uint64
    king: np.uint64
    their_pawns: np.uint64
    their_knights: np.uint64
    their_diagonals: np.uint64
    their_orthogonals: np.uint64
    their_king: np.uint64
    en_passant: np.uint64
    castling: np.uint64


@inline
def ours(board: Board) -> np.uint64:
    """Return our pieces."""
    return board.pawns | board.knights | board.diagonals | board.orthogonals | board.king


@inline
def theirs(board: Board) -> np.uint64:
    """Return the opponent's pieces."""
    return board.their_pawns | board.their_knights | board.their_diagonals | board.their_orthogonals | board.their_king


@inline
def change_board(board: Board, kept: np.uint64, king: np.uint64, en_passant: np.uint64, castling: np.uint64) -> Board:
    """Return a copy of the board with our king on `king` and the given en passant and castling state.

    Other pieces are kept only on the squares in `kept`. The opponent's king stays where it is.
    """
    return Board(
        board.pawns & kept,
        board.knights & kept,
        board.diagonals & kept,
        board.orthogonals & kept,
        king,
        board.their_pawns & kept,
        board.their_knights & kept,
        board.their_diagonals & kept,
        board.their_orthogonals & kept,
        board.their_king,
        en_passant,
        castling,
    )


@inline
def mirror_board(board: Board) -> Board:
    """Return the same position from the opponent's view, without en passant."""
    return Board(
        byteswap(board.their_pawns),
        byteswap(board.their_knights),
        byteswap(board.their_diagonals),
        byteswap(board.their_orthogonals),
        byteswap(board.their_king),
        byteswap(board.pawns),
        byteswap(board.knights),
        byteswap(board.diagonals),
        byteswap(board.orthogonals),
        byteswap(board.king),
        # The right to capture en passant lasts only one move.
        ZERO,
        byteswap(board.castling),
    )


@inline
def next_board(
    other: Board,
    pawns: np.uint64,
    knights: np.uint64,
    diagonals: np.uint64,
    orthogonals: np.uint64,
    king: np.uint64,
    kept: np.uint64,
    en_passant: np.uint64,
    castling: np.uint64,
) -> Board:
    """Return the board after our move; `other` is the mirrored board before it.

    All arguments are from the opponent's view. The five piece bitboards belong to the side that has moved; the opponent
    keeps the pieces within `kept`.
    """
    # The opponent's pieces change only by a capture: one mask removes the captured piece from all bitboards. A king is
    # never captured.
    return Board(
        other.pawns & kept,
        other.knights & kept,
        other.diagonals & kept,
        other.orthogonals & kept,
        other.king,
        pawns,
        knights,
        diagonals,
        orthogonals,
        king,
        en_passant,
        castling,
    )


@inline
def load_board(words: np.uint64) -> Board:
    """Return the board that is stored as `BOARD_WORDS` uint64 values at address `words`."""
    return Board(
        load(words, PAWNS),
        load(words, KNIGHTS),
        load(words, DIAGONALS),
        load(words, ORTHOGONALS),
        load(words, KING),
        load(words, THEIR_PAWNS),
        load(words, THEIR_KNIGHTS),
        load(words, THEIR_DIAGONALS),
        load(words, THEIR_ORTHOGONALS),
        load(words, THEIR_KING),
        load(words, PASSED),
        load(words, RIGHTS),
    )


@inline
def board_at(boards: np.uint64, index: np.uint64) -> Board:
    """Return element `index` of the array of boards at address `boards`."""
    return load_board(boards + index * BOARD_BYTES)


@inline
def store_board(words: np.uint64, board: Board) -> None:
    """Store a board as `BOARD_WORDS` uint64 values at address `words`."""
    for place, word in enumerate(board):
        store(words, np.uint64(place), word)
