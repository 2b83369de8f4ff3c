"""Faults of pawn moves, promotions and sliders."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..boards import forward_of, is_free, own_pawns
from ..fault import fault
from ..generator import Generator, Hang


@fault(ids="SL06", effect="extra", rules="pawn-double-push-blocked", fen="4k3/8/8/2n5/8/8/1P6/4K3 w - - 0 1", depth=3)
class PushJumps(Generator):
    """A double step tests only its target square, so it may jump over a piece."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        start = 1 if board.turn == chess.WHITE else 6
        for pawn in own_pawns(board):
            move = chess.Move(pawn, pawn + 2 * forward_of(board)) if chess.square_rank(pawn) == start else None
            if move is not None and is_free(board, move.to_square) and not board.is_check():
                yield move


@fault(ids="SL08", effect="extra", rules="pawn-double-push-rank", fen="4k3/8/8/8/8/8/P7/4K3 w - - 0 1", depth=3)
class PushFromAnyRank(Generator):
    """A pawn may make a double step from any rank."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.is_check():
            return
        for pawn in own_pawns(board):
            middle, target = pawn + forward_of(board), pawn + 2 * forward_of(board)
            on_board = 1 <= target // 8 <= 6
            if on_board and is_free(board, middle) and is_free(board, target):
                yield chess.Move(pawn, target)


@fault(ids="SL09", effect="extra", rules="piece-movement", fen="4k3/8/2n5/8/4P3/8/8/4K3 w - - 0 1", depth=3)
class PawnCapturesSideways(Generator):
    """A pawn may capture a piece next to it on the same rank."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        theirs = board.occupied_co[not board.turn] & ~board.kings
        for pawn in own_pawns(board):
            beside = chess.BB_KING_ATTACKS[pawn] & chess.BB_RANKS[chess.square_rank(pawn)] & theirs
            if not board.is_check():
                yield from (chess.Move(pawn, target) for target in chess.scan_forward(beside))


@fault(ids="SL01", effect="extra", rules="wraps-edge", fen="4k3/8/5n2/8/P7/8/8/4K3 w - - 0 1", depth=3)
class PawnCaptureWraps(Generator):
    """Pawn captures use offsets without a file test, so they wrap around the edge of the board."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        theirs = board.occupied_co[not board.turn] & ~board.kings
        for pawn in own_pawns(board):
            for step in (-1, 1):
                target = pawn + forward_of(board) + step
                if not board.is_check() and 8 <= target < 56 and chess.BB_SQUARES[target] & theirs:
                    yield chess.Move(pawn, target)


@fault(ids="SL03", effect="missing", rules="plain-move", fen="8/P6k/8/8/8/8/8/K7 w - - 0 1", depth=3)
class SliderStopsBeforeTheEdge(Generator):
    """The attack table of sliders lacks the last square of each ray."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        sliders = board.bishops | board.rooks | board.queens
        if not sliders & chess.BB_SQUARES[move.from_square]:
            return True
        files = chess.square_file(move.to_square) - chess.square_file(move.from_square)
        ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
        return not (_is_last(chess.square_file(move.to_square), files) or _is_last(move.to_square // 8, ranks))


def _is_last(coordinate: int, step: int) -> bool:
    """Return True if this is the last file or rank in the direction of `step`."""
    return (step > 0 and coordinate == 7) or (step < 0 and coordinate == 0)


PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


class UnpromotedPawns(Generator):
    """Generates each promotion that `keeps` refuses as a move after which the pawn is still a pawn."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        for move in board.legal_moves:
            if move.promotion == chess.QUEEN and not self.keeps(board, move):
                yield chess.Move(move.from_square, move.to_square)


@fault(
    ids="PR01",
    effect="missing",
    rules="promotion-push promotion-piece-missing",
    fen="4k3/8/8/8/8/p7/8/4K3 b - - 0 1",
    depth=3,
)
class PromotionRankConstant(Generator):
    """Pushes promote only on the eighth rank, so Black's promotions are missing."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or board.turn == chess.WHITE or board.is_capture(move)


@fault(
    ids="PR02 PR04", effect="missing", rules="promotion-answers-check", fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1", depth=3
)
class PromotionBlocksMissing(Generator):
    """A promotion that blocks a check is missing."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or board.is_capture(move)


@fault(
    ids="PR03",
    effect="extra",
    rules="promotion-piece-missing promotion-answers-check",
    fen="8/1k4PK/8/8/8/8/8/r7 w - - 0 1",
    depth=3,
)
class PromotionBlocksPlain(UnpromotedPawns, PromotionBlocksMissing):
    """A push that blocks a check on the last rank is generated without promotion."""


@fault(
    ids="PR05",
    effect="extra",
    rules="promotion-piece-missing promotion-answers-check",
    fen="8/2K1P2n/8/8/4k3/8/8/8 w - - 0 1",
    depth=3,
)
class PromotionTakesCheckerPlain(UnpromotedPawns):
    """A pawn that captures the checker on the last rank does not promote."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion is None or not board.is_check() or not board.is_capture(move)


@fault(ids="PR08", effect="missing", rules="promotion-piece-missing", fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1", depth=3)
class PromotionNoBishop(Generator):
    """Promotions to a bishop are missing."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return move.promotion != chess.BISHOP


@fault(
    ids="PR10",
    effect="duplicate",
    rules="duplicate promotion-piece-missing",
    fen="4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
    depth=4,
)
class PromotionFlagsJoined(Generator):
    """Promotion flags accumulate with OR from piece to piece, so the queen is listed twice and the rook is missing."""

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


@fault(ids="PR11", effect="extra", rules="promotion-not-last-rank", fen="4k3/8/8/P7/8/8/8/4K3 w - - 0 1", depth=3)
class PromotionBeforeLastRank(Generator):
    """A pawn may promote on the seventh rank."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        seventh = chess.BB_RANK_7 if board.turn == chess.WHITE else chess.BB_RANK_2
        for move in board.generate_legal_moves(board.pawns, seventh):
            yield from (chess.Move(move.from_square, move.to_square, piece) for piece in PIECES)


@fault(ids="SL04", effect="hang", fen=chess.STARTING_FEN)
class TablesNeverReady(Generator):
    """The slider tables are built from tables that are not ready, so the initialization never ends."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        raise Hang("tables that are never ready")
