"""Faults of castling rights: kept, lost, or given to the wrong side."""

from __future__ import annotations

from functools import partial

import chess

from ..boards import bits, castling_by, origin_of, target_of
from ..fault import fault
from ..generator import Generator

kept_right_fault = partial(fault, effect="state", rules="castling-right-kept castling-no-right")
lost_right_fault = partial(fault, effect="state", rules="castling-right-lost castling")
OTHER_SIDE = {chess.A1: chess.H1, chess.H1: chess.A1, chess.A8: chess.H8, chess.H8: chess.A8}


class RightsGenerator(Generator):
    """Changes the rights after a move; faults override which rights are wrongly kept or lost."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        """Make a move."""
        kept, lost = self.extra_rights(board, move), self.missing_rights(board, move)
        board.push(move)
        rights = (board.castling_rights | kept) & ~lost
        if rights != board.castling_rights:
            board.castling_rights = rights

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the rooks that incorrectly keep or gain a right after the move."""
        return 0

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the rooks that incorrectly lose a right after the move."""
        return 0


class RookPresent(RightsGenerator):
    """Castles only if king and rook are on their squares, even if there is a right without them."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        """Return True if a move permitted by the rights is generated."""
        castling = castling_by(board, move)
        if castling is None:
            return True
        at_home = board.chess960 or castling.king in (chess.E1, chess.E8)
        return at_home and bool(bits(castling.rook) & board.rooks & board.occupied_co[board.turn])


def rook_leaving(board: chess.Board, move: chess.Move) -> int:
    """Return the origin of a rook move as a bitboard, or 0 for other moves."""
    return board.rooks & origin_of(move)


def side_of(king: int, square: int) -> int:
    """Return the squares on the rank of `square` and on the same side of the king."""
    rank = chess.BB_RANKS[chess.square_rank(square)]
    beyond = (chess.BB_FILES[file] for file in range(8) if (file < king % 8) == (square % 8 < king % 8))
    return rank & sum(beyond)


@kept_right_fault(ids="CR01 CR02 CR03", fen="4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1", depth=3)
class RightSurvivesCapture(RightsGenerator):
    """A castling right survives the capture of its rook."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return board.castling_rights & board.occupied_co[not board.turn] & target_of(move)


@kept_right_fault(ids="CA19", fen="4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1", depth=4)
class RightByRookPresence(RookPresent, RightSurvivesCapture):
    """A castling right survives the capture of its rook, and another rook that moves to the corner can use it."""


@kept_right_fault(ids="CR06", fen="r3k3/1K5p/8/8/8/8/8/8 b q - 0 1", depth=3)
class RightSurvivesKing(RightSurvivesCapture):
    """A castling right survives the capture of its rook by the king."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return super().extra_rights(board, move) if board.kings & origin_of(move) else 0


@lost_right_fault(ids="CR09", fen="4k3/8/8/8/8/7R/8/4K2R w K - 0 1", depth=3)
class RightByFileOnly(RightsGenerator):
    """Castling rights are stored by file, so a rook that leaves any square of the h-file ends that right."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        file = chess.BB_FILES[chess.square_file(move.from_square)]
        return file & board.occupied_co[board.turn] if rook_leaving(board, move) else 0


@kept_right_fault(ids="CR12", fen="4k3/8/8/8/8/8/7R/4K3 w - - 0 1", depth=3)
class RightToggled(RookPresent):
    """Castling rights are cleared with XOR, so a rook that moves to a corner creates a right."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        absent = chess.BB_CORNERS & ~board.castling_rights
        return (origin_of(move) | target_of(move)) & absent if rook_leaving(board, move) else 0


@lost_right_fault(ids="CR14", fen="4k2r/8/8/7p/7P/8/8/4K2R b Kk - 0 1", depth=3)
class RightOfWrongColor(RightsGenerator):
    """A rook that leaves its corner also ends the opponent's castling right on that wing."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        return chess.flip_vertical(board.castling_rights & rook_leaving(board, move))


@fault(
    ids="CR15",
    effect="state",
    rules="castling-right-kept castling-right-lost castling-no-right castling",
    fen="r3k2r/p6p/8/8/8/8/8/4K3 b kq - 0 1",
    depth=3,
)
class RightShiftedForBlack(RightsGenerator):
    """A mask is shifted the wrong way, so a black rook that moves ends the right of the other rook, not its own."""

    def extra_rights(self, board: chess.Board, move: chess.Move) -> int:
        return chess.BB_RANK_8 & chess.BB_CORNERS & board.castling_rights & rook_leaving(board, move)

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        return bits(OTHER_SIDE[move.from_square]) if self.extra_rights(board, move) else 0


class LostByCapture(RightsGenerator):
    """A capture on certain squares ends the right on that side of the king."""

    def missing_rights(self, board: chess.Board, move: chess.Move) -> int:
        """Return the rooks on the same side of the king as the captured piece."""
        king = board.king(not board.turn)
        is_taken = board.occupied_co[not board.turn] & target_of(move) & self.squares_of_capture(board)
        return side_of(king, move.to_square) if is_taken and king is not None else 0

    def squares_of_capture(self, board: chess.Board) -> int:
        """Return the squares on which a capture ends the right."""
        raise NotImplementedError


@lost_right_fault(ids="CR10", fen="4k3/1b6/8/8/8/8/P7/4K1RN w G - 0 1", depth=3)
class Chess960RightByCorner(LostByCapture):
    """The capture of any piece in a corner ends the castling right of that wing, even if its rook stands elsewhere."""

    def squares_of_capture(self, board: chess.Board) -> int:
        return chess.BB_CORNERS


@lost_right_fault(ids="F17", fen="4k3/1b6/8/8/8/8/P7/4K1RR w G - 0 1", depth=3)
class Chess960RightBySide(LostByCapture):
    """The capture of any rook on one side of the king ends the castling right of that side."""

    def squares_of_capture(self, board: chess.Board) -> int:
        return board.rooks & chess.BB_BACKRANKS
