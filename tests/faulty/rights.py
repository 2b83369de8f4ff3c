"""Faults of castling rights: kept, lost, or given to the wrong side."""

from __future__ import annotations

import chess
from faulty.base import Fault, Generator, origin_of, target_of
from faulty.castling import bits

CORNERS = chess.BB_CORNERS
OTHER_SIDE = {chess.A1: chess.H1, chess.H1: chess.A1, chess.A8: chess.H8, chess.H8: chess.A8}


class SurvivesCapture(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        theirs = board.castling_rights & board.occupied_co[not board.turn]
        board.push(move)
        board.castling_rights |= theirs & target_of(move)


class ByRookPresence(SurvivesCapture):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        if not board.is_castling(move):
            return True
        rook = move.from_square + (3 if move.to_square > move.from_square else -4)
        return bool(bits(rook) & board.rooks & board.occupied_co[board.turn])


class SurvivesKing(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        theirs = board.castling_rights & board.occupied_co[not board.turn]
        by_king = board.kings & origin_of(move)
        board.push(move)
        if by_king:
            board.castling_rights |= theirs & target_of(move)


class ByFileOnly(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        is_rook = board.rooks & origin_of(move)
        home = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
        board.push(move)
        if is_rook:
            board.castling_rights &= ~(home & chess.BB_FILES[chess.square_file(move.from_square)])


class Toggled(ByRookPresence):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        absent = CORNERS & ~board.castling_rights
        is_rook = board.rooks & origin_of(move)
        board.push(move)
        if is_rook:
            board.castling_rights |= (origin_of(move) | target_of(move)) & absent

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        at_home = move.from_square in (chess.E1, chess.E8)
        return not board.is_castling(move) or (at_home and super().keeps(board, move))


class WrongColour(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        right = board.castling_rights & origin_of(move) & board.rooks
        board.push(move)
        board.castling_rights &= ~chess.flip_vertical(right)


class ShiftedForBlack(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        right = board.castling_rights & origin_of(move) & board.occupied_co[chess.BLACK] & board.rooks
        board.push(move)
        if right:
            board.castling_rights |= right
            board.castling_rights &= ~bits(OTHER_SIDE[move.from_square])


class AnyPieceOnTheCorner(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        captures = board.occupied_co[not board.turn] & target_of(move) & CORNERS
        king = board.king(not board.turn)
        board.push(move)
        if captures and king is not None:
            board.castling_rights &= ~_side_of(king, move.to_square)


class AnyRookOfTheSide(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        captures = board.rooks & board.occupied_co[not board.turn] & target_of(move) & chess.BB_BACKRANKS
        king = board.king(not board.turn)
        board.push(move)
        if captures and king is not None:
            board.castling_rights &= ~_side_of(king, move.to_square)


class LostByUndo(Generator):
    def undo(self, board: chess.Board) -> None:
        last = board.pop()
        if board.is_castling(last):
            backrank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
            board.castling_rights &= ~backrank


def _side_of(king: int, square: int) -> int:
    """Return the squares of a rank that lie on the same side of the king as `square`."""
    rank = chess.BB_RANKS[chess.square_rank(square)]
    beyond = (chess.BB_FILES[file] for file in range(8) if (file < king % 8) == (square % 8 < king % 8))
    return rank & sum(beyond)


FAULTS = [
    Fault(
        name="right_survives_capture",
        catalogue=("CR01", "CR02", "CR03"),
        story="A castling right survives the capture of its rook.",
        generator=SurvivesCapture,
        fen="4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-kept", "castling-no-right"),
    ),
    Fault(
        name="right_by_rook_presence",
        catalogue=("CA19",),
        story="The rook is captured, the other rook comes to the corner, and castling is allowed again.",
        generator=ByRookPresence,
        fen="4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1",
        depth=4,
        chess960=False,
        kind="state",
        rules=("castling-right-kept", "castling-no-right"),
    ),
    Fault(
        name="right_survives_king",
        catalogue=("CR06",),
        story="A castling right survives the capture of its rook by the king.",
        generator=SurvivesKing,
        fen="r3k3/1K5p/8/8/8/8/8/8 b q - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-kept", "castling-no-right"),
    ),
    Fault(
        name="right_by_file_only",
        catalogue=("CR09",),
        story="Rights are kept by file, so a rook that leaves any square of the h-file loses the right of that side.",
        generator=ByFileOnly,
        fen="4k3/8/8/8/8/7R/8/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-lost", "castling"),
    ),
    Fault(
        name="right_toggled",
        catalogue=("CR12",),
        story="Rights are cleared by XOR, so a rook that comes to the corner gives a right.",
        generator=Toggled,
        fen="4k3/8/8/8/8/8/7R/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-kept", "castling-no-right"),
    ),
    Fault(
        name="right_of_wrong_colour",
        catalogue=("CR14",),
        story="The rook that leaves its corner takes the other side's right with it.",
        generator=WrongColour,
        fen="4k2r/8/8/7p/7P/8/8/4K2R b Kk - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-lost", "castling"),
    ),
    Fault(
        name="right_shifted_for_black",
        catalogue=("CR15",),
        story="A mask is shifted the wrong way, so Black's rook that moves loses the right of the other side.",
        generator=ShiftedForBlack,
        fen="r3k2r/p6p/8/8/8/8/8/4K3 b kq - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-kept", "castling-right-lost", "castling-no-right", "castling"),
    ),
    Fault(
        name="chess960_right_by_corner",
        catalogue=("CR10",),
        story="The capture of any piece in a corner takes the right of that side, though its rook stands elsewhere.",
        generator=AnyPieceOnTheCorner,
        fen="4k3/1b6/8/8/8/8/P7/4K1RN w G - 0 1",
        depth=3,
        chess960=True,
        kind="state",
        rules=("castling-right-lost", "castling"),
    ),
    Fault(
        name="chess960_right_by_side",
        catalogue=("F17",),
        story="The capture of any rook on one side of the king takes the right of that side.",
        generator=AnyRookOfTheSide,
        fen="4k3/1b6/8/8/8/8/P7/4K1RR w G - 0 1",
        depth=3,
        chess960=True,
        kind="state",
        rules=("castling-right-lost", "castling"),
    ),
]

UNDO_FAULTS = [
    Fault(
        name="right_lost_by_undo",
        catalogue=("MU09",),
        story="Unmaking castling does not bring the rights back, so later moves of the same search miss it.",
        generator=LostByUndo,
        fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("castling-right-lost", "castling"),
    ),
]
