"""Play random games, and compare the results of different kernels in every position."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from perft_check.generator.kernels.board import BOARD_WORDS, Board
from perft_check.generator.kernels.counting.walk import count_leaves
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.machine.bits import ONE, ZERO, lsb
from perft_check.generator.kernels.machine.memory import Control
from perft_check.generator.kernels.sliders.magic import Words
from perft_check.generator.kernels.tables import tables
from perft_check.generator.position import Position
from perft_check.generator.types import frame
from perft_check.generator.types.pieces import Color
from perft_check.generator.validation import is_standard_castling

from soak.crosscheck import BUFFERS, CHECKS, MARK_WORDS
from soak.games import KEPT, TALLIES, play_games


@dataclass(frozen=True)
class KernelDifference:
    """A position in which kernels disagree."""

    position: Position
    """The position as seen by the side to move, which is White. If the check is `board`, it may have no FEN."""
    check: str
    """The name of the failed check, one of `CHECKS`."""


@dataclass(frozen=True)
class SoakResult:
    """The result of a soak. It depends only on the start positions, the number of positions and the seed."""

    positions: int
    games: int
    moves: int
    """Number of legal moves in all positions."""
    samples: int
    """Number of positions that were also given the expensive checks."""
    failures: int
    """Number of positions that failed a check."""
    differences: tuple[KernelDifference, ...]
    """The first failures, at most `KEPT`."""
    events: tuple[int, int]
    """The rare events that occurred in the sampled positions, as the two words of a census."""


def soak(starts: Sequence[Position], positions: int, seed: int, *, control: Control | None = None) -> SoakResult:
    """Play random games from `starts`, and cross-check the kernels in `positions` positions (see `CHECKS`).

    In every position, the list of legal moves is compared with the count and with the GenTypes of the other slider
    back-end. One position in 128 gets all other checks, and in one position in 16,384 the legality test is applied to
    all 65,536 patterns (see `soak.crosscheck`). The call releases the GIL and counts positions in `control.nodes`. If
    it is stopped through `control`, it returns the results so far. Raises ValueError if `starts` is empty or
    `positions` is negative.
    """
    if not starts:
        raise ValueError("a soak needs at least one position to start from")
    if positions < 0:
        raise ValueError(f"the number of positions must not be negative, as {positions} is")
    control = control or Control()
    boards = np.array([position.board for position in starts], dtype=np.uint64)
    moves, marks = np.empty(BUFFERS * MAX_MOVES, dtype=np.uint16), np.zeros(MARK_WORDS, dtype=np.uint64)
    tallies = np.zeros(len(TALLIES), dtype=np.uint64)
    differences = np.zeros((KEPT, 1 + BOARD_WORDS), dtype=np.uint64)
    # A recursive kernel takes twice as long to compile inside another kernel.
    count_leaves(tables(), starts[0].board, ONE, control.address, ZERO)
    # The states of the kernel are never zero, and differ widely even for neighboring seeds.
    digest = hashlib.sha256(str(seed).encode()).digest()
    play_games(
        tables(),
        tables("magic"),
        np.uint64(boards.ctypes.data),
        np.uint64(len(starts)),
        np.uint64(positions),
        np.uint64(int.from_bytes(digest[:8], "little") or 1),
        control.address,
        np.uint64(moves.ctypes.data),
        np.uint64(marks.ctypes.data),
        np.uint64(tallies.ctypes.data),
        np.uint64(differences.ctypes.data),
    )
    done, games, listed, samples, failures, events, more_events = map(int, tallies)
    kept = tuple(map(_difference, differences[:failures]))
    return SoakResult(done, games, listed, samples, failures, kept, (events, more_events))


def _difference(words: Words) -> KernelDifference:
    check = list(CHECKS)[int(words[0]) - 1]
    board = Board(*words[1:])
    pieces = frame.pieces_of(board, Color.WHITE)
    castling, target = int(board.castling), board.en_passant
    en_passant = int(lsb(target)) if target else None
    standard = is_standard_castling(pieces, castling)
    return KernelDifference(Position(pieces, Color.WHITE, castling, en_passant, chess960=not standard), check)
