"""Faults of making and unmaking moves; some show only three to seven plies later."""

from __future__ import annotations

import chess

from ..boards import back_rank_of, castling_by, origin_of, target_of
from ..fault import fault
from ..generator import Crash, Generator
from .counting import EarlyLeaf
from .rights import RightsGenerator, RookPresent, kept_right_fault, lost_right_fault, rook_leaving


@fault(ids="MU09", effect="count", rules="undo-castling-right", fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class RightLostByUndo(Generator):
    """Unmaking castling does not restore the castling rights, so later moves of the same search lack castling."""

    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if board.is_castling(last):
            board.castling_rights &= ~back_rank_of(board)


@kept_right_fault(ids="MU08", fen="4k3/8/8/8/8/8/8/N3K2R w - - 62 80", depth=3)
class ClockOverruns(RookPresent):
    """The halfmove clock overflows its six bits into the castling rights, so White may castle again."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return chess.BB_H1 if board.halfmove_clock >= 63 and not board.is_zeroing(move) else 0


@fault(ids="MV04", effect="crash", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", moves="e1g1")
class CastlingNotFound(Generator):
    """Moves are compared with their flags, so castling given as text is not found and the program crashes."""

    def find(self, board: chess.Board, text: str) -> chess.Move | None:
        move = super().find(board, text)
        if move is not None and board.is_castling(move):
            raise Crash(f"no move {text}")
        return move


CASTLING_RIGHTS = "castling rights"
"""The class of those faults that are not in the catalogue."""
KING_HOMES = chess.BB_E1 | chess.BB_E8
KEPT_PLIES = 4


def king_leaving(board: chess.Board, move: chess.Move) -> int:
    """Return the origin of a king move as a bitboard, or 0 for other moves."""
    return board.kings & origin_of(move)


def rook_arriving(board: chess.Board, move: chess.Move) -> int:
    """Return the target of a rook move on its own back rank, where programs only expect captures."""
    return target_of(move) & back_rank_of(board) if rook_leaving(board, move) else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/4K2R w K - 0 1", depth=5)
class RightBackWithKing(RookPresent):
    """A king move does not end the castling rights, so they are valid again when the king returns."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        is_step = king_leaving(board, move) and castling_by(board, move) is None
        return board.castling_rights & board.occupied_co[board.turn] if is_step else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/4K2R w K - 0 1", depth=5)
class RightBackWithRook(RookPresent):
    """A rook that leaves its corner without a capture keeps its castling right until it returns."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        if board.is_capture(move):
            return 0
        return board.castling_rights & (rook_leaving(board, move) | rook_arriving(board, move))


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p2p3p/P2P3P/R3K2R w KQ - 0 1", depth=7)
class RightSurvivesCastling(RookPresent):
    """Castling ends only the right of its own rook, so the king may walk back and castle with the other one."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        castling, own = castling_by(board, move), board.castling_rights & board.occupied_co[board.turn]
        if castling is not None:
            return own & ~chess.BB_SQUARES[castling.rook]
        return own if king_leaving(board, move) & ~KING_HOMES else 0


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="4k1br/3p1p2/3P1P2/8/8/p2p4/P2P4/4K2R w Kk - 0 1", depth=5)
class RightOfTakingRook(RookPresent):
    """A move ends only one castling right, so a rook that captures a rook with a right keeps its own."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        takes_right = board.castling_rights & board.occupied_co[not board.turn] & target_of(move)
        leaving = rook_leaving(board, move) if takes_right else 0
        return board.castling_rights & (leaving | (0 if board.is_capture(move) else rook_arriving(board, move)))


@kept_right_fault(fault_class=CASTLING_RIGHTS, fen="r3k3/rP1p2p1/p2P2P1/P7/8/7p/7P/7K w q - 0 1", depth=4)
class RightSurvivesPromotion(RookPresent):
    """A promotion that captures a rook does not end its castling right, which another rook in the corner inherits."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        taken = board.occupied_co[not board.turn] & target_of(move) if move.promotion else 0
        return board.castling_rights & (taken | rook_arriving(board, move))


@lost_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/8/8/p6p/P6P/3QK2R w K - 0 1", depth=3)
class RightLostByQueen(RightsGenerator):
    """The queen's start square is confused with the king's, so a queen that leaves it ends both castling rights."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        home = chess.BB_D1 if board.turn == chess.WHITE else chess.BB_D8
        is_queen = board.queens & origin_of(move) & home
        return board.castling_rights & board.occupied_co[board.turn] if is_queen else 0


@lost_right_fault(fault_class=CASTLING_RIGHTS, fen="7k/6p1/6P1/2n5/8/pR1p3p/P2P3P/4K2R w K - 0 1", depth=3)
class RightLostWithOtherRook(RightsGenerator):
    """The slot of a captured rook is reused for the last rook of the piece list, which loses its castling right."""

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
    """A king move does not clear the en passant square, so a pawn may be captured after two king moves."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        is_king, before = king_leaving(board, move), board.ep_square
        board.push(move)
        if is_king and before is not None:
            board.ep_square = before


@fault(fault_class="perft harness", effect="count", fen="7k/6p1/6P1/8/8/8/8/K7 w - - 0 1", depth=6)
class RepetitionEndsTheTree(EarlyLeaf):
    """A repeated position is treated as a draw and counted as a leaf node."""

    def is_leaf(self, board: chess.Board) -> bool:
        return board.is_repetition(2)


@fault(fault_class="make/unmake", effect="count", fen="7k/6p1/6P1/8/5p2/p2p3p/P2P1P1P/4K2R w K - 0 1", depth=6)
class RightsKeptForFourPlies(Generator):
    """The castling rights are saved for four plies only, so a deeper search restores the wrong ones."""

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
            board.castling_rights = rights
