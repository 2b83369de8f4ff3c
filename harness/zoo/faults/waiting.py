"""Faults that never give an answer."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

import chess

from ..fault import fault
from ..seeded.boards import CastlingSquares
from ..seeded.castling_generator import CastlingGenerator
from ..seeded.generator import Generator, Hang


@fault(
    "chess960-path-without-end",
    ids="F14",
    effect="hang",
    fen="1k6/8/8/8/8/8/8/RK6 b A - 0 1",
    depth=2,
    chess960=True,
)
class PathWithoutEnd(CastlingGenerator):
    """The loop over the king's path expects castling to the a-side to go left, and never ends."""

    def is_free(self, board: chess.Board, castling: CastlingSquares) -> bool:
        if castling.a_side and castling.king < castling.king_to:
            raise Hang("a king's path without end")
        return super().is_free(board, castling)


@fault("tables-never-ready", ids="SL04", effect="hang", fen=chess.STARTING_FEN)
class TablesNeverReady(Generator):
    """The tables of slider attacks are made from tables that are not ready, so the start never ends."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        raise Hang("tables that are never ready")
