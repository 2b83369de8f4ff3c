"""Faults of move lists that have too little room."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

import chess

from ..fault import fault
from ..seeded.generator import Crash, Generator


@fault(
    "list-of-200",
    ids="CP03",
    effect="missing",
    rules="plain-move king-step",
    fen="R7/3Q4/1Q4Q1/4Q3/2Q4Q/Q3NQ2/pp1Q4/kB1N1KB1 w - - 0 1",
    depth=3,
)
class ListOf200(Generator):
    """The move list is silently cut at 200."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = super().moves(board)
        if len(moves) > 200:
            self.note_reached()
        return moves[:200]


class Overflow(Generator):
    """Writes beyond the end of its move list, and crashes."""

    room: int

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves, if there is room for them."""
        moves = super().moves(board)
        if len(moves) > self.room:
            raise Crash(f"{len(moves)} moves in a list of {self.room}")
        return moves


@fault(
    "list-of-192",
    ids="CP01",
    effect="crash",
    fen="1Q5R/4Q1K1/B1Q5/B4Q2/N2Q4/pQ4Q1/pn2Q3/krQ4R w - - 0 1",
)
class ListOf192(Overflow):
    """The move list has room for 192, and a position with 218 moves runs over it."""

    room = 192


@fault(
    "list-of-256",
    ids="CP02",
    effect="crash",
    fen="kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
)
class ListOf256(Overflow):
    """The move list has room for 256, and a position with more queens than a game can have runs over it."""

    room = 256
