"""Faults of making and unmaking moves, and what they leave behind: some show three to seven plies later."""

from __future__ import annotations

import chess

from ..fault import fault
from ..seeded.boards import back_rank_of, castling_by, origin_of, target_of
from ..seeded.generator import Crash, Generator
from .counting import EarlyLeaf
from .rights import RightsGenerator, RookPresent, kept_right_fault, lost_right_fault, rook_leaving


@fault(ids="MU09", effect="count", rules="undo-castling-right", fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class RightLostByUndo(Generator):
    """Unmaking castling does not bring the rights back, so later moves of the same search miss it."""

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if board.is_castling(last):
            self.note_reached()
            board.castling_rights &= ~back_rank_of(board)


@kept_right_fault(ids="MU08", fen="4k3/8/8/8/8/8/8/N3K2R w - - 62 80", depth=3)
class ClockOverruns(RookPresent):
    """The halfmove clock runs out of its six bits into the rights beside it, and White may castle again."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return chess.BB_H1 if board.halfmove_clock >= 63 and not board.is_zeroing(move) else 0


@fault(ids="MV04", effect="crash", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", moves="e1g1")
class CastlingNotFound(Generator):
    """Moves are equal only with equal flags, so castling given as text is not found, and the program crashes."""

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        move = super().find(board, text)
        if move is not None and board.is_castling(move):
            raise Crash(f"no move {text}")
        return move


CASTLING_RIGHTS = "castling rights"
"""The class of faults that are in no catalogue."""
KING_HOMES = chess.BB_E1 | chess.BB_E8
KEPT_PLIES = 4


def king_leaving(board: chess.Board, move: chess.Move) -> int:
    """Return the square that a king leaves."""
    return board.kings & origin_of(move)


def rook_arriving(board: chess.Board, move: chess.Move) -> int:
    """Return the square of its own side to which a rook comes: programs look there only for a capture."""
    return target_of(move) & back_rank_of(board) if rook_leaving(board, move) else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/4K2R w K - 0 1", depth=5)
class RightBackWithKing(RookPresent):
    """A right is only asked whether king and rook are at home, so it is there again when the king comes back."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        is_step = king_leaving(board, move) and castling_by(board, move) is None
        return board.castling_rights & board.occupied_co[board.turn] if is_step else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/4K2R w K - 0 1", depth=5)
class RightBackWithRook(RookPresent):
    """The rook that leaves its corner without a capture keeps its right, which is there again when it comes back."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        if board.is_capture(move):
            return 0
        return board.castling_rights & (rook_leaving(board, move) | rook_arriving(board, move))


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/R3K2R w KQ - 0 1", depth=7)
class RightSurvivesCastling(RookPresent):
    """Castling ends the right of its own rook alone, so the king walks back and castles with the other one."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        castling, own = castling_by(board, move), board.castling_rights & board.occupied_co[board.turn]
        if castling is not None:
            return own & ~chess.BB_SQUARES[castling.rook]
        return own if king_leaving(board, move) & ~KING_HOMES else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="4k1br/3p1p2/3P1P2/8/8/p2p4/P2P4/4K2R w Kk - 0 1", depth=5)
class RightOfTakingRook(RookPresent):
    """A move ends one right only, so a rook that takes a rook with a right keeps its own."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        takes_right = board.castling_rights & board.occupied_co[not board.turn] & target_of(move)
        leaving = rook_leaving(board, move) if takes_right else 0
        return board.castling_rights & (leaving | (0 if board.is_capture(move) else rook_arriving(board, move)))


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="r3k3/rP1p2p1/p2P2P1/P7/8/7p/7P/7K w q - 0 1", depth=4)
class RightSurvivesPromotion(RookPresent):
    """A pawn that takes a rook and promotes leaves the right of that rook to another one that comes to the corner."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        taken = board.occupied_co[not board.turn] & target_of(move) if move.promotion else 0
        return board.castling_rights & (taken | rook_arriving(board, move))


@lost_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p6p/P6P/3QK2R w K - 0 1", depth=3)
class RightLostByQueen(RightsGenerator):
    """The home of the queen is taken for that of the king, so a queen that leaves it ends both rights."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        home = chess.BB_D1 if board.turn == chess.WHITE else chess.BB_D8
        is_queen = board.queens & origin_of(move) & home
        return board.castling_rights & board.occupied_co[board.turn] if is_queen else 0


@lost_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/2n5/8/pR1p3p/P2P3P/4K2R w K - 0 1", depth=3)
class RightLostWithOtherRook(RightsGenerator):
    """The slot of a rook that is taken goes to the last rook of the piece list, whose right ends with it."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        rooks = board.rooks & board.occupied_co[not board.turn]
        others = rooks & ~target_of(move)
        is_other = rooks != others and others and not board.castling_rights & target_of(move)
        return chess.BB_SQUARES[chess.msb(others)] & board.castling_rights if is_other else 0


@fault(
    fault_class="en passant",
    effect="state",
    rules="en-passant-square en-passant-not-available",
    fen="7k/6p1/6P1/8/3p4/8/4P3/K7 w - - 0 1",
    depth=4,
)
class EpSquareSurvivesKing(Generator):
    """A move of a king leaves the en passant square as it was, so a pawn is taken two king moves later."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        is_king, before = king_leaving(board, move), board.ep_square
        board.push(move)
        if is_king and before is not None:
            self.note_reached()
            board.ep_square = before


@fault(fault_class="perft harness", effect="count", fen="7k/6p1/6P1/8/8/8/8/K7 w - - 0 1", depth=6)
class RepetitionEndsTheTree(EarlyLeaf):
    """A position that has come before is taken for a draw and not counted further."""

    def is_leaf(self, board: chess.Board) -> bool:
        return board.is_repetition(2)


@fault(fault_class="make/unmake", effect="count", fen="7k/6p1/6P1/8/5p2/p2p3p/P2P1P1P/4K2R w K - 0 1", depth=6)
class RightsKeptForFourPlies(Generator):
    """The rights before each move are kept for four plies alone, so a deeper search takes back others."""

    def __init__(self) -> None:
        super().__init__()
        self._rights = [0] * KEPT_PLIES

    def play(self, board: chess.Board, move: chess.Move) -> None:
        self._rights[len(board.move_stack) % KEPT_PLIES] = board.castling_rights
        board.push(move)

    def undo(self, board: chess.Board) -> None:
        board.pop()
        rights = self._rights[len(board.move_stack) % KEPT_PLIES]
        if rights != board.castling_rights:
            self.note_reached()
            board.castling_rights = rights
