"""Controls: permitted changes; reporting one of them is a false alarm."""

from __future__ import annotations

from collections.abc import Hashable

import chess

from ..boards import castling_by
from ..fault import fault
from ..generator import Generator
from .counting import HashedGenerator

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"


@fault(fen=KIWIPETE)
class ControlOtherOrder(Generator):
    """The moves are listed in another order."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        return super().moves(board)[::-1]


@fault(fen="3kr3/8/8/8/8/8/4N3/4K3 w - - 0 1")
class ControlPinsLeftToTheFilter(Generator):
    """Illegal moves of pinned pieces are generated, and the legality test removes them."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        return [move for move in board.generate_pseudo_legal_moves() if not board.is_into_check(move)]


@fault(ids="MU07", fen=EN_PASSANT, depth=3)
class ControlUndoWritesToNoPiece(Generator):
    """Unmaking a move also changes a bitboard for no piece type, which is never read."""

    def __init__(self) -> None:
        super().__init__()
        self._no_piece = 0

    def undo(self, board: chess.Board) -> None:
        self._no_piece ^= chess.BB_SQUARES[board.pop().to_square]


@fault(ids="F12", fen="4k3/8/8/8/8/8/8/6KR w H - 0 1", depth=3)
class ControlUndoClearsMailbox(Generator):
    """Unmaking castling clears the square of a king that has not moved, but only in an array that is never read."""

    def __init__(self) -> None:
        super().__init__()
        self._mailbox: dict[int, int] = {}

    def play(self, board: chess.Board, move: chess.Move) -> None:
        if castling_by(board, move) is not None:
            self._mailbox[move.from_square] = chess.KING
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if castling_by(board, last) is not None:
            self._mailbox.pop(last.from_square, None)


@fault(ids="HA05", fen=EN_PASSANT, depth=4)
class ControlKeyWithUselessEp(HashedGenerator):
    """The hash key includes unusable en passant squares, so there are fewer hits, but all of them are correct."""


@fault(ids="HA09", fen="4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", depth=3)
class ControlKeyZeroIsEmpty(HashedGenerator):
    """A hash key of 0 marks an empty entry, so a position with that key is always counted again."""

    def perft(self, board: chess.Board, depth: int) -> int:
        if hash(self.key(board)) % 64:
            return super().perft(board, depth)
        return Generator.perft(self, board, depth)

    def key(self, board: chess.Board) -> Hashable:
        return *self.pieces(board), board.turn, board.castling_rights, board.ep_square or 0


@fault(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", depth=3)
class ControlEpOnlyIfLegal(Generator):
    """The en passant square is stored and printed only if an en passant capture is legal."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        board.push(move)
        if board.ep_square is not None and not board.has_legal_en_passant():
            board.ep_square = None


@fault(fen=KIWIPETE)
class ControlFenWithoutCounters(Generator):
    """The printed FEN ends after the en passant square."""

    def fen(self, board: chess.Board) -> str:
        return super().fen(board).rsplit(" ", 2)[0]
