"""Faults of promotion: moves that lack it, come too early, or come twice."""

# ruff: noqa: D102 - a fault overrides what its base describes, and its docstring says how

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..fault import fault
from ..seeded.generator import Generator

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class Plain(Generator):
    """Generates the promotions that `keeps` refuses as moves of a pawn that stays a pawn."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        for move in board.legal_moves:
            if move.promotion == chess.QUEEN and not self.keeps(board, move):
                yield chess.Move(move.from_square, move.to_square)


@fault(
    "promotion-rank-constant",
    ids="PR01",
    effect="missing",
    rules="promotion-push promotion-piece-missing",
    fen="4k3/8/8/8/8/p7/8/4K3 b - - 0 1",
    depth=3,
)
class RankConstant(Generator):
    """Pushes promote on the eighth rank for both colors, so Black's vanish."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or board.turn == chess.WHITE or board.is_capture(move)


@fault(
    "promotion-blocks-missing",
    ids="PR02 PR04",
    effect="missing",
    rules="promotion-answers-check",
    fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1",
    depth=3,
)
class BlocksMissing(Generator):
    """A promotion that blocks a check is masked off."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or board.is_capture(move)


@fault(
    "promotion-blocks-plain",
    ids="PR03",
    effect="extra",
    rules="promotion-piece-missing promotion-answers-check",
    fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1",
    depth=3,
)
class BlocksPlain(Plain, BlocksMissing):
    """A push that blocks a check on the last rank is generated without promotion."""


@fault(
    "promotion-takes-checker-plain",
    ids="PR05",
    effect="extra",
    rules="promotion-piece-missing promotion-answers-check",
    fen="8/2K1P2n/8/8/4k3/8/8/8 w - - 0 1",
    depth=3,
)
class CheckerTakenPlain(Plain):
    """A pawn that takes the checker on the last rank is not promoted."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or not board.is_capture(move)


@fault(
    "promotion-no-bishop",
    ids="PR08",
    effect="missing",
    rules="promotion-piece-missing",
    fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
    depth=3,
)
class NoBishop(Generator):
    """Only three of the four promotion pieces are generated."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion != chess.BISHOP


@fault(
    "promotion-flags-joined",
    ids="PR10",
    effect="duplicate",
    rules="duplicate promotion-piece-missing",
    fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
    depth=4,
)
class FlagsJoined(Generator):
    """Promotion flags are joined with OR from piece to piece, so the queen comes twice and the rook never."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = []
        for move in board.legal_moves:
            if move.promotion is None:
                moves.append(move)
            elif move.promotion == chess.QUEEN:
                self.note_reached()
                flags = 0
                for flag in range(len(PIECES)):
                    flags |= flag
                    moves.append(chess.Move(move.from_square, move.to_square, PIECES[flags]))
        return moves


@fault(
    "promotion-before-last-rank",
    ids="PR11",
    effect="extra",
    rules="promotion-not-last-rank",
    fen="4k3/8/8/P7/8/8/8/4K3 w - - 0 1",
    depth=3,
)
class BeforeLastRank(Generator):
    """A pawn may promote on the seventh rank."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        seventh = chess.BB_RANK_7 if board.turn == chess.WHITE else chess.BB_RANK_2
        for move in board.generate_legal_moves(board.pawns, seventh):
            yield from (chess.Move(move.from_square, move.to_square, piece) for piece in PIECES)
