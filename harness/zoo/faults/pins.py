"""Faults of pins."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..fault import fault
from ..seeded.generator import Generator


@fault(
    "pins-forgotten-in-check",
    ids="PI01",
    effect="extra",
    rules="pinned",
    fen="3k4/8/3b4/8/4R3/8/7B/6K1 b - - 0 1",
    depth=3,
)
class PinsForgottenInCheck(Generator):
    """Pins are tested only when not in check, so a pinned piece blocks or takes the checker."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king, checkers = board.king(board.turn), board.checkers_mask()
        if king is not None and chess.popcount(checkers) == 1:
            answers = checkers | chess.between(king, chess.msb(checkers))
            yield from board.generate_pseudo_legal_moves(~board.kings, answers)


@fault(
    "pins-forgotten",
    theme="pins",
    effect="extra",
    rules="pinned",
    fen="k7/8/8/7r/8/8/3N4/3K4 w - - 0 1",
    depth=3,
)
class PinsForgotten(Generator):
    """Pinned pieces move freely."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if not board.is_check():
            officers = ~board.kings & ~board.pawns
            yield from board.generate_pseudo_legal_moves(officers)


@fault(
    "pinned-frozen",
    theme="pins",
    effect="missing",
    rules="pinned-along-line",
    fen="k7/8/8/7r/8/8/3R4/3K4 w - - 0 1",
    depth=3,
)
class PinnedFrozen(Generator):
    """Pinned pieces do not move at all, not even along the line of their pin."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_pinned(board.turn, move.from_square)
