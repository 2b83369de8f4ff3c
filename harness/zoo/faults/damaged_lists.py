"""Faults of the move list: insufficient capacity, duplicate moves, or overwritten moves."""

from __future__ import annotations

import chess

from ..fault import fault
from ..generator import Crash, Generator


@fault(
    ids="CP03",
    effect="missing",
    rules="plain-move king-step list-too-short",
    fen="R7/3Q4/1Q4Q1/4Q3/2Q4Q/Q3NQ2/pp1Q4/kB1N1KB1 w - - 0 1",
    depth=3,
)
class ListOf200(Generator):
    """The move list is silently cut off after 200 moves."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        return super().moves(board)[:200]


class Overflow(Generator):
    """Crashes if there are more moves than the list has room for."""

    room: int

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves if the list has room for them."""
        moves = super().moves(board)
        if len(moves) > self.room:
            raise Crash(f"{len(moves)} moves in a list of {self.room}")
        return moves


@fault(ids="CP01", effect="crash", fen="1Q5R/4Q1K1/B1Q5/B4Q2/N2Q4/pQ4Q1/pn2Q3/krQ4R w - - 0 1")
class ListOf192(Overflow):
    """The move list has room for 192 moves, so a position with 218 moves overflows it."""

    room = 192


@fault(ids="CP02", effect="crash", fen="kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1")
class ListOf256(Overflow):
    """The move list has room for 256 moves, so a position with impossibly many queens overflows it."""

    room = 256


@fault(ids="ST07", effect="duplicate", rules="duplicate", fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1", depth=3)
class HashMoveTwice(Generator):
    """The hash move is compared without its flags, so a promotion is listed twice."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = super().moves(board)
        best = next((move for move in moves if move.promotion == chess.QUEEN), None)
        if best is None:
            return moves
        return [best, *moves]


@fault(
    ids="KS10",
    effect="duplicate",
    rules="duplicate plain-move double-push king-step",
    fen="4k3/8/8/4n3/6p1/8/7P/K7 w - - 0 1",
    depth=4,
)
class ListCompactedWrongly(Generator):
    """Removing illegal moves in place duplicates the moves after them and drops the last ones."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        legal = super().moves(board)
        pseudo = list(board.pseudo_legal_moves)
        compacted: list[chess.Move] = []
        for place, move in enumerate(pseudo):
            overwritten = next((later for later in pseudo[place + 1 :] if later in legal), None)
            compacted += [move] if move in legal else [overwritten] if overwritten else []
        return compacted[: len(legal)]


@fault(ids="ST11", effect="missing", rules="plain-move king-step", fen="7K/7P/8/8/8/8/2k5/8 w - - 0 1", depth=3)
class CounterRestarted(Generator):
    """The move counter restarts for each piece type, so only the moves of the last type remain."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        legal = super().moves(board)
        by_kind = [
            [move for move in legal if board.piece_type_at(move.from_square) == kind] for kind in (6, 5, 4, 3, 2, 1)
        ]
        lists = [moves for moves in by_kind if moves]
        return lists[-1] if lists else []
