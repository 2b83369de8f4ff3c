"""Faults of making and unmaking moves, and of finding the move to make."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

import chess

from ..fault import fault
from ..seeded.boards import back_rank_of
from ..seeded.generator import Crash, Generator
from .rights import RookPresent


@fault(
    "right-lost-by-undo",
    ids="MU09",
    effect="count",
    rules="undo-castling-right",
    fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1",
    depth=3,
)
class LostByUndo(Generator):
    """Unmaking castling does not bring the rights back, so later moves of the same search miss it."""

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if board.is_castling(last):
            self.note_reached()
            board.castling_rights &= ~back_rank_of(board)


@fault(
    "clock-overruns",
    ids="MU08",
    effect="state",
    rules="castling-right-kept castling-no-right",
    fen="4k3/8/8/8/8/8/8/N3K2R w - - 62 80",
    depth=3,
)
class ClockOverruns(RookPresent):
    """The halfmove clock runs out of its six bits into the rights beside it, and White may castle again."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return chess.BB_H1 if board.halfmove_clock >= 63 and not board.is_zeroing(move) else 0


@fault("castling-not-found", ids="MV04", effect="crash", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", moves="e1g1")
class CastlingNotFound(Generator):
    """Moves are equal only with equal flags, so castling given as text is not found, and the program crashes."""

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        move = super().find(board, text)
        if move is not None and board.is_castling(move):
            raise Crash(f"no move {text}")
        return move
