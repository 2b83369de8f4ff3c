"""All that a FEN says: the board of the kernels, and what it leaves out because no move depends on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import BOARD_WORDS, Board, load_board, store_board, theirs
from ..encoding import CASTLING, EN_PASSANT, KIND_MASK, bit, origin_of, target_of
from ..machine.bits import ONE, ZERO, load, store
from ..machine.jit import inline
from ..play import play

STATE_WORDS = 16
NOWHERE = np.uint64(64)
"""The en passant square of a position that has none."""
MAX_COUNTER = np.uint64(99_999)
"""As in `notation.fen`: counters stop there."""
FLIP = np.uint64(56)
"""What turns a square as Black sees it into one as White sees it, and back."""

BLACK, PASSED, HALFMOVE, FULLMOVE = (np.uint64(place) for place in range(BOARD_WORDS, STATE_WORDS))
_8, _16 = np.uint64(8), np.uint64(16)
_BYTES = np.uint64(8 * STATE_WORDS)


class State(NamedTuple):
    """A position as a FEN has it; `black` is 1 with Black to move, else 0.

    `passed` is the square that a pawn has just passed, as White sees it, or `NOWHERE`; whether a pawn
    stands ready to take there does not matter to it.
    """

    board: Board
    black: np.uint64
    passed: np.uint64
    halfmove: np.uint64
    fullmove: np.uint64


@inline
def load_state(states: np.uint64, index: np.uint64) -> State:
    """Return state `index` of those that lie at address `states`, `STATE_WORDS` each."""
    words = states + index * _BYTES
    return State(
        load_board(words), load(words, BLACK), load(words, PASSED), load(words, HALFMOVE), load(words, FULLMOVE)
    )


@inline
def store_state(states: np.uint64, index: np.uint64, state: State) -> None:
    """Write a state to place `index`."""
    words = states + index * _BYTES
    store_board(words, state.board)
    store(words, BLACK, state.black)
    store(words, PASSED, state.passed)
    store(words, HALFMOVE, state.halfmove)
    store(words, FULLMOVE, state.fullmove)


@inline
def flip_of(state: State) -> np.uint64:
    """Return what turns the squares of the side to move into those that White sees, by exclusive or."""
    return FLIP if state.black != ZERO else ZERO


@inline
def state_after(state: State, move: np.uint64) -> State:
    """Return the state after a legal move, with en passant square and counters as `Position.play` has them."""
    board, origin, target = state.board, origin_of(move), target_of(move)
    is_pawn = bit(origin) & board.pawns != ZERO
    kind = move & KIND_MASK
    takes = kind == EN_PASSANT or (kind != CASTLING and bit(target) & theirs(board) != ZERO)
    # Whether anyone can take there or not: a FEN has the square after each double push.
    passed = origin + _8 ^ flip_of(state) if is_pawn and target == origin + _16 else NOWHERE
    halfmove = ZERO if is_pawn or takes else min(state.halfmove + ONE, MAX_COUNTER)
    # A full move ends with Black's.
    fullmove = min(state.fullmove + state.black, MAX_COUNTER)
    return State(play(board, move), state.black ^ ONE, passed, halfmove, fullmove)
