"""Faults of reading and printing FENs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import chess

from ..boards import CastlingSquares, is_en_passant_of_no_use, pin_allows, pushed_pawn
from ..fault import fault
from ..generator import EVERY_CASTLING, CastlingGenerator, Crash, Generator


@fault(ids="KS06", effect="extra", rules="check-not-answered", fen="4k3/8/8/8/4r3/8/8/1N2K3 w - - 0 1")
class CheckUnseenOnLoad(Generator):
    """Check is detected when a move is made, but not when a FEN is read."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if not board.move_stack and board.is_check():
            officers = board.generate_pseudo_legal_moves(~board.kings & ~board.pawns)
            yield from (move for move in officers if pin_allows(board, move))


@fault(ids="CA08", effect="extra", rules="castling-in-check", fen="4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
class CastlingFromCheckOnLoad(CastlingGenerator):
    """The attacked squares are not computed when a FEN is read, so the king may castle out of check."""

    def is_in_check(self, board: chess.Board, castling: CastlingSquares) -> bool:
        return bool(board.move_stack) and super().is_in_check(board, castling)


@fault(ids="EP26 EP27", effect="missing", rules="fen-en-passant", fen="4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")
class EpRankInvertedOnLoad(Generator):
    """The rank of the en passant square is mirrored when a FEN is read, but not when a move is made."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if board.ep_square is not None:
            board.ep_square = chess.square_mirror(board.ep_square)
        return board


@fault(ids="FE07", effect="crash", fen="4k3/7p/8/8/4P3/8/8/4K3 b - e3 0 1")
class EpSquareCrashes(Generator):
    """Reading an en passant square looks up the first pawn that may capture, even if there is none."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if is_en_passant_of_no_use(board):
            raise Crash("square index 64")
        return board


@fault(ids="FE08", effect="missing", rules=EVERY_CASTLING, fen="r3k3/8/8/8/8/8/8/4K3 b a - 0 1")
class ShredderLowercaseUnread(Generator):
    """Black's castling rights are not read if they are written as files."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if set("abcdefgh") & set(fen.split()[2]):
            board.castling_rights &= chess.BB_RANK_1
        return board


@fault(
    ids="FE05",
    effect="state",
    rules="move-not-played not-own-piece no-piece plain-move king-step double-push",
    fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    moves="e2e4",
)
class FirstMoveSkipped(Generator):
    """One word too many is skipped between the FEN and its moves, so the first move is not played."""

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        return super().line(fen, list(moves)[1:], chess960)


@fault(ids="FE03", effect="fen", rules="en-passant-square", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
class EpPrintedAsPawn(Generator):
    """The printed en passant square is that of the pawn instead of the one that it passed."""

    def fen(self, board: chess.Board) -> str:
        fields = super().fen(board).split()
        if board.ep_square is not None:
            fields[3] = chess.square_name(pushed_pawn(board))
        return " ".join(fields)


def is_beyond(other: int, rook: int, king: int) -> bool:
    """Return True if `rook` is between the rook `other` and `king`, all on the same rank."""
    return other // 8 == rook // 8 and (other > rook > king or other < rook < king)


@fault(ids="FE10", effect="fen", rules="castling-right-lost", fen="4krr1/8/8/8/8/8/8/4K3 w f - 0 1")
class InnerRightNotPrinted(Generator):
    """The printed FEN lacks the right to castle with a rook that is not the outermost one."""

    def fen(self, board: chess.Board) -> str:
        printed = board.copy(stack=False)
        for rook in chess.scan_forward(board.castling_rights):
            king, rooks = board.king(rook < 8), board.pieces(chess.ROOK, rook < 8)
            if king is not None and any(is_beyond(other, rook, king) for other in rooks):
                printed.castling_rights &= ~chess.BB_SQUARES[rook]
        return super().fen(printed)
