"""Faults of promotion: moves that lack it, have it too early, or come twice."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from faulty.base import Fault, Generator

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def without_promotion(move: chess.Move) -> chess.Move:
    return chess.Move(move.from_square, move.to_square)


class RankConstant(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or board.turn == chess.WHITE or board.is_capture(move)


class BlocksMissing(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or board.is_capture(move)


class BlocksPlain(BlocksMissing):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        yield from (
            without_promotion(move)
            for move in board.legal_moves
            if move.promotion == chess.QUEEN and not self.keeps(board, move)
        )


class CheckerTakenPlain(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or not board.is_capture(move)

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        yield from (
            without_promotion(move)
            for move in board.legal_moves
            if move.promotion == chess.QUEEN and not self.keeps(board, move)
        )


class NoBishop(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion != chess.BISHOP


class FlagsJoined(Generator):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = []
        for move in board.legal_moves:
            if move.promotion is None:
                moves.append(move)
            elif move.promotion == chess.QUEEN:
                flags = 0
                for flag in range(len(PIECES)):
                    flags |= flag
                    moves.append(chess.Move(move.from_square, move.to_square, PIECES[flags]))
        return moves


class BeforeLastRank(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        seventh = chess.BB_RANK_7 if board.turn == chess.WHITE else chess.BB_RANK_2
        for move in board.generate_legal_moves(board.pawns, seventh):
            yield from (chess.Move(move.from_square, move.to_square, piece) for piece in PIECES)


class HashMoveTwice(Generator):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = super().moves(board)
        best = next((move for move in moves if move.promotion == chess.QUEEN), None)
        return moves if best is None else [best, *moves]


FAULTS = [
    Fault(
        name="promotion_rank_constant",
        catalogue=("PR01",),
        story="Pushes promote on the eighth rank for both colours, so Black's vanish.",
        generator=RankConstant,
        fen="4k3/8/8/8/8/p7/8/4K3 b - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("promotion-push", "promotion-piece-missing"),
    ),
    Fault(
        name="promotion_blocks_missing",
        catalogue=("PR02", "PR04"),
        story="A promotion that blocks a check is masked off.",
        generator=BlocksMissing,
        fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("promotion-answers-check",),
    ),
    Fault(
        name="promotion_blocks_plain",
        catalogue=("PR03",),
        story="A push that blocks a check on the last rank is generated without promotion.",
        generator=BlocksPlain,
        fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("promotion-piece-missing", "promotion-answers-check"),
    ),
    Fault(
        name="promotion_takes_checker_plain",
        catalogue=("PR05",),
        story="A pawn that takes the checker on the last rank is not promoted.",
        generator=CheckerTakenPlain,
        fen="8/2K1P2n/8/8/4k3/8/8/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("promotion-piece-missing", "promotion-answers-check"),
    ),
    Fault(
        name="promotion_no_bishop",
        catalogue=("PR08",),
        story="Only three of the four promotion pieces are generated.",
        generator=NoBishop,
        fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("promotion-piece-missing",),
    ),
    Fault(
        name="promotion_flags_joined",
        catalogue=("PR10",),
        story="Promotion flags are joined with OR from piece to piece, so the queen comes twice and the rook never.",
        generator=FlagsJoined,
        fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
        depth=4,
        chess960=False,
        kind="duplicate",
        rules=("duplicate", "promotion-piece-missing"),
    ),
    Fault(
        name="promotion_before_last_rank",
        catalogue=("PR11",),
        story="A pawn may promote on the seventh rank.",
        generator=BeforeLastRank,
        fen="4k3/8/8/P7/8/8/8/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("promotion-not-last-rank",),
    ),
    Fault(
        name="promotion_hash_move_twice",
        catalogue=("ST07",),
        story="The hash move is compared without its flags, so a promotion is tried twice.",
        generator=HashMoveTwice,
        fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="duplicate",
        rules=("duplicate",),
    ),
]
