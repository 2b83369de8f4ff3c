"""Faults of perft and its hash table: the moves are correct, but the count is not."""

from __future__ import annotations

from collections.abc import Hashable

import chess
import chess.polyglot

from ..boards import is_en_passant_of_no_use
from ..fault import fault
from ..generator import Generator
from .rights import RightSurvivesCapture


@fault(ids="PF02", effect="count", fen="k3r3/8/8/8/8/8/4N3/4K3 b - - 0 1", depth=2)
class LastPlyPseudoLegal(Generator):
    """Bulk counting at the last ply counts pseudo-legal moves."""

    def perft(self, board: chess.Board, depth: int) -> int:
        return board.pseudo_legal_moves.count() if depth == 1 else super().perft(board, depth)


class EarlyLeaf(Generator):
    """Counts some positions as leaf nodes, whatever the remaining depth."""

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the number of leaf nodes."""
        return 1 if self.is_leaf(board) else super().perft(board, depth)

    def is_leaf(self, board: chess.Board) -> bool:
        """Return True if a position is counted as a leaf node."""
        raise NotImplementedError


@fault(ids="PF03", effect="count", fen="k7/8/1K6/8/8/8/7R/8 b - - 0 1", depth=3)
class MateIsALeaf(EarlyLeaf):
    """The end of the game is tested before the depth, so a mate above the last ply counts as one leaf node."""

    def is_leaf(self, board: chess.Board) -> bool:
        return not any(board.legal_moves)


@fault(ids="PF03", effect="count", fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", depth=3)
class DrawEndsTheTree(EarlyLeaf):
    """Positions that are drawn by insufficient material or the fifty-move rule are counted as leaf nodes."""

    def is_leaf(self, board: chess.Board) -> bool:
        return board.is_insufficient_material() or board.halfmove_clock >= 100


@fault(ids="PF08", effect="count", fen="4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class PerftDrifts(Generator):
    """Perft uses a separate make-move, in which a castling right survives the capture of its rook."""

    def __init__(self) -> None:
        super().__init__()
        self._own = RightSurvivesCapture()

    def perft(self, board: chess.Board, depth: int) -> int:
        return self._own.perft(board, depth)


@fault(ids="PF07", effect="count", fen="4k3/7p/8/8/4P3/8/8/4K3 b - e3 0 1")
class StaleResult(Generator):
    """A FEN with an unusable en passant square is silently refused, and the previous position is counted again."""

    def __init__(self) -> None:
        super().__init__()
        self._last = chess.Board()

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if not is_en_passant_of_no_use(board):
            self._last = board
        return self._last.copy()


class HashedGenerator(Generator):
    """Counts with a hash table that is cleared for each FEN; faults override the key."""

    def __init__(self) -> None:
        super().__init__()
        self._table: dict[tuple[Hashable, int], int] = {}

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Read a FEN, and clear the hash table."""
        self._table.clear()
        return super().set_up(fen, chess960)

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the count, from the hash table if it is stored there."""
        if depth == 0:
            return 1
        entry = self.key(board), depth
        if entry not in self._table:
            self._table[entry] = super().perft(board, depth)
        return self._table[entry]

    def key(self, board: chess.Board) -> Hashable:
        """Return the hash table key of a position."""
        return *self.pieces(board), board.turn, board.castling_rights, board.ep_square

    def pieces(self, board: chess.Board) -> tuple[int, ...]:
        """Return the part of the key that depends on the pieces."""
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        return *kinds, board.occupied_co[chess.WHITE]


@fault(ids="HA01", effect="count", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", depth=4)
class KeyWithoutEnPassant(HashedGenerator):
    """The en passant square enters the hash key only if there was one before, which is never the case."""

    def key(self, board: chess.Board) -> Hashable:
        return *self.pieces(board), board.turn, board.castling_rights


@fault(ids="HA02", effect="count", fen="k7/8/1PP5/8/8/4p2p/4P2P/1N2K2R w K - 0 1", depth=5)
class KeyWithoutRights(HashedGenerator):
    """All castling rights have the same hash key, so they cancel each other out."""

    def key(self, board: chess.Board) -> Hashable:
        return *self.pieces(board), board.turn, board.ep_square


@fault(ids="HA04", effect="count", fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1", depth=3)
class KeyWithoutKing(HashedGenerator):
    """King moves do not update the hash key."""

    def pieces(self, board: chess.Board) -> tuple[int, ...]:
        return (
            *(board.pawns, board.knights, board.bishops, board.rooks, board.queens),
            board.occupied_co[chess.WHITE] & ~board.kings,
        )


@fault(ids="HA10", effect="count", fen=chess.STARTING_FEN, depth=3)
class KeySliced(HashedGenerator):
    """The hash table compares only the index bits of the key, so it confuses different positions."""

    def key(self, board: chess.Board) -> Hashable:
        return chess.polyglot.zobrist_hash(board) & 0xFFF
