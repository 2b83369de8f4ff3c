"""Faults of perft itself: the moves are right, and the count is wrong, also by the keys of a table of counts."""

from __future__ import annotations

from collections.abc import Hashable

import chess
import chess.polyglot

from ..fault import fault
from ..seeded.boards import is_en_passant_of_no_use
from ..seeded.generator import Generator
from .rights import RightSurvivesCapture


@fault(ids="PF02", effect="count", fen="k3r3/8/8/8/8/8/4N3/4K3 b - - 0 1", depth=2)
class LastPlyPseudoLegal(Generator):
    """Counting in bulk at the last ply leaves out the test of legality."""

    def perft(self, board: chess.Board, depth: int) -> int:
        if depth != 1:
            return super().perft(board, depth)
        self.note_reached()
        return board.pseudo_legal_moves.count()


class EarlyLeaf(Generator):
    """Counts some positions as leaves, however deep it is to go on."""

    def perft(self, board: chess.Board, depth: int) -> int:
        """Return the number of leaf nodes."""
        if not self.is_leaf(board):
            return super().perft(board, depth)
        self.note_reached()
        return 1

    def is_leaf(self, board: chess.Board) -> bool:
        """Return True if a position is counted as a leaf."""
        raise NotImplementedError


@fault(ids="PF03", effect="count", fen="k7/8/1K6/8/8/8/7R/8 b - - 0 1", depth=3)
class MateIsALeaf(EarlyLeaf):
    """The test for the end of the game comes before that of the depth, so a mate counts as one leaf."""

    def is_leaf(self, board: chess.Board) -> bool:
        return not any(board.legal_moves)


@fault(ids="PF03", effect="count", fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", depth=3)
class DrawEndsTheTree(EarlyLeaf):
    """Positions that are drawn by rule, for want of pieces or by fifty moves, are not counted further."""

    def is_leaf(self, board: chess.Board) -> bool:
        return board.is_insufficient_material() or board.halfmove_clock >= 100


@fault(ids="PF08", effect="count", fen="4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class PerftDrifts(Generator):
    """Perft has a make-move of its own, in which a right survives the capture of its rook."""

    def __init__(self) -> None:
        super().__init__()
        self._own = RightSurvivesCapture()

    def perft(self, board: chess.Board, depth: int) -> int:
        count = self._own.perft(board, depth)
        self.tally.reached += self._own.tally.reached
        self._own.tally.reached = 0
        return count


@fault(ids="PF07", effect="count", fen="4k3/7p/8/8/4P3/8/8/4K3 b - e3 0 1")
class StaleResult(Generator):
    """A FEN whose en passant square no pawn can use is refused in silence, and the last position counted again."""

    def __init__(self) -> None:
        super().__init__()
        self._last = chess.Board()

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if is_en_passant_of_no_use(board):
            self.note_reached()
        else:
            self._last = board
        return self._last.copy()


class HashedGenerator(Generator):
    """Counts with a hash table that is emptied for each FEN; a fault overrides the key."""

    def __init__(self) -> None:
        super().__init__()
        self._table: dict[tuple[Hashable, int], int] = {}

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Read a FEN, and forget the counts of the last one."""
        self._table.clear()
        return super().set_up(fen, chess960)

    def perft(self, board: chess.Board, depth: int) -> int:
        """Count, or look the count up in the table."""
        if depth == 0:
            return 1
        entry = self.key(board), depth
        if entry in self._table:
            self.note_reached()
        else:
            self._table[entry] = super().perft(board, depth)
        return self._table[entry]

    def key(self, board: chess.Board) -> Hashable:
        """Return the key of a position in the table."""
        return *self.pieces(board), board.turn, board.castling_rights, board.ep_square

    def pieces(self, board: chess.Board) -> tuple[int, ...]:
        """Return the part of the key that depends on the pieces."""
        kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        return *kinds, board.occupied_co[chess.WHITE]


@fault(ids="HA01", effect="count", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", depth=4)
class KeyWithoutEnPassant(HashedGenerator):
    """The en passant square enters the key only if there was one before, which is never."""

    def key(self, board: chess.Board) -> Hashable:
        return *self.pieces(board), board.turn, board.castling_rights


@fault(ids="HA02", effect="count", fen="k7/8/1PP5/8/8/4p2p/4P2P/1N2K2R w K - 0 1", depth=5)
class KeyWithoutRights(HashedGenerator):
    """The keys of all castling rights are the same, and cancel each other."""

    def key(self, board: chess.Board) -> Hashable:
        return *self.pieces(board), board.turn, board.ep_square


@fault(ids="HA04", effect="count", fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1", depth=3)
class KeyWithoutKing(HashedGenerator):
    """The key is not brought up to date by moves of the king."""

    def pieces(self, board: chess.Board) -> tuple[int, ...]:
        return (
            *(board.pawns, board.knights, board.bishops, board.rooks, board.queens),
            board.occupied_co[chess.WHITE] & ~board.kings,
        )


@fault(ids="HA10", effect="count", fen=chess.STARTING_FEN, depth=3)
class KeySliced(HashedGenerator):
    """The table compares only the bits of the key that choose the entry, so it takes different positions for one."""

    def key(self, board: chess.Board) -> Hashable:
        return chess.polyglot.zobrist_hash(board) & 0xFFF
