"""Soak our own kernels: random games in which everything that two kernels say about a position is compared."""

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
    """A position at which our kernels disagree."""

    position: Position
    """Seen by the side to move, which is therefore White; where the check is `board`, it may have no FEN."""
    check: str
    """Name of the check that failed, one of `CHECKS`."""


@dataclass(frozen=True)
class SoakResult:
    """The result of a soak; the same for the same starts, number of positions and seed."""

    positions: int
    games: int
    moves: int
    """Legal moves listed, over all positions."""
    samples: int
    """How many of the positions got the expensive checks, too."""
    failures: int
    """How many positions failed a check."""
    differences: tuple[KernelDifference, ...]
    """The first of these, at most `KEPT`."""
    events: tuple[int, int]
    """The rare events that the sampled positions met, as the two words of a census."""


def soak(starts: Sequence[Position], positions: int, seed: int, *, control: Control | None = None) -> SoakResult:
    """Play random games from `starts` and cross-check the kernels at `positions` positions; see `CHECKS`.

    At every position the list of legal moves is compared with the count and with the stages of the
    other slider back-end; one in 128 gets all the other checks, and one in 16,384 has the legality test
    asked about all 65,536 patterns (see `soak.crosscheck`).
    The call releases the GIL and counts positions in `control.nodes`. Stopped through `control`, it
    returns what it has by then. Raises ValueError where there is no start or `positions` is negative.
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
    # Compiled as a part of another kernel, a recursive one takes twice as long as on its own.
    count_leaves(tables(), starts[0].board, ONE, control.address, ZERO)
    # States of the kernel are never zero, and far apart even for neighbouring seeds.
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
