"""Faults of perft itself: the moves are right, and the count is wrong."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

import chess

from ..fault import fault
from ..seeded.generator import Generator
from .rights import SurvivesCapture


@fault("last-ply-pseudo-legal", ids="PF02", effect="count", fen="k3r3/8/8/8/8/8/4N3/4K3 b - - 0 1", depth=2)
class LastPlyPseudoLegal(Generator):
    """Counting in bulk at the last ply leaves out the test of legality."""

    def perft(self, board: chess.Board, depth: int) -> int:
        if depth != 1:
            return super().perft(board, depth)
        self.note_reached()
        return board.pseudo_legal_moves.count()


@fault("mate-is-a-leaf", ids="PF03", effect="count", fen="k7/8/1K6/8/8/8/7R/8 b - - 0 1", depth=3)
class MateIsALeaf(Generator):
    """The test for the end of the game comes before that of the depth, so a mate counts as one leaf."""

    def perft(self, board: chess.Board, depth: int) -> int:
        if any(board.legal_moves):
            return super().perft(board, depth)
        self.note_reached()
        return 1


@fault("draw-ends-the-tree", ids="PF03", effect="count", fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", depth=3)
class DrawEndsTheTree(Generator):
    """Positions that are drawn by rule, for want of pieces or by fifty moves, are not counted further."""

    def perft(self, board: chess.Board, depth: int) -> int:
        if not board.is_insufficient_material() and board.halfmove_clock < 100:
            return super().perft(board, depth)
        self.note_reached()
        return 1


@fault("perft-drifts", ids="PF08", effect="count", fen="4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class PerftDrifts(Generator):
    """Perft has a make-move of its own, in which a right survives the capture of its rook."""

    def __init__(self) -> None:
        super().__init__()
        self._own = SurvivesCapture()

    def perft(self, board: chess.Board, depth: int) -> int:
        count = self._own.perft(board, depth)
        self.tally.reached += self._own.tally.reached
        self._own.tally.reached = 0
        return count


@fault("stale-result", ids="PF07", effect="count", fen="4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")
class StaleResult(Generator):
    """A FEN whose en passant square nobody can use is refused in silence, and the last position counted again."""

    def __init__(self) -> None:
        super().__init__()
        self._last = chess.Board()

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if board.ep_square is not None and not board.has_pseudo_legal_en_passant():
            self.note_reached()
        else:
            self._last = board
        return self._last.copy()
