"""Faults that are visible only after a special move was played. From its FEN, the same position is counted correctly.

The sweep plays every special move with each of its possible effects (`suites/played.epd`), so these faults need no
other cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import chess

from ..boards import attackers_of_king, bits, castling_by, origin_of, target_of
from ..fault import PLAYED_MOVES, fault
from ..generator import Generator

played_fault = partial(fault, fault_class=PLAYED_MOVES)


class AfterSpecialMove(Generator):
    """Misses attacks on the king in the replies to certain moves. Faults override which attacks are missed."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        """Yield the illegal moves, except king moves, that are allowed because attacks are missed."""
        before = board.copy(stack=1)
        if not before.move_stack:
            return
        last = before.pop()
        blocked, unseen = self.wrong_squares(before, last)
        if blocked or unseen:
            for move in board.generate_pseudo_legal_moves(~board.kings):
                target = target_of(move)
                occupied = board.occupied & ~origin_of(move) | target | blocked
                if not board.is_en_passant(move) and not attackers_of_king(board, occupied, target | unseen):
                    yield move

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        """Return the squares wrongly treated as occupied after a move, and the pieces whose attacks are missed."""
        raise NotImplementedError


@played_fault(effect="extra", rules="check-not-answered", fen="8/8/2p4B/5Pp1/1K6/8/8/2k5 w - g6 0 1", moves="f5g6")
class EpVictimStillBlocks(AfterSpecialMove):
    """In the replies to en passant, the square of the captured pawn still counts as occupied and shields the king."""

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        if not before.is_en_passant(last):
            return 0, 0
        return bits(chess.square(chess.square_file(last.to_square), chess.square_rank(last.from_square))), 0


@played_fault(effect="extra", rules="check-not-answered", fen="8/8/8/1P6/8/8/3p4/5K1k b - - 0 1", moves="d2d1q")
class PromotedPieceGivesNoCheck(AfterSpecialMove):
    """In the replies to a promotion, the new piece still counts as a pawn and neither gives check nor pins."""

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        return 0, target_of(last) if last.promotion else 0


@played_fault(effect="extra", rules="check-not-answered", fen="3kb3/3p4/8/8/K4P2/8/8/8 b - - 0 1", moves="d7d5")
class DoubleStepOpensNoLine(AfterSpecialMove):
    """In the replies to a double step, the pawn's origin still counts as occupied, so that no line is opened."""

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        is_pawn = before.piece_type_at(last.from_square) == chess.PAWN
        return origin_of(last) if is_pawn and abs(last.to_square - last.from_square) == 16 else 0, 0


@played_fault(effect="extra", rules="pinned", fen="8/8/6p1/8/8/8/8/k2bK2R w K - 0 1", moves="e1g1")
class CastledRookPinsNothing(AfterSpecialMove):
    """In the replies to castling, pins by the castled rook are not detected."""

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        castling = castling_by(before, last)
        after = before.copy(stack=False)
        after.push(last)
        return 0, bits(castling.rook_to) if castling is not None and not after.is_check() else 0


@played_fault(effect="extra", rules="check-not-answered", fen="4r3/8/8/8/1P1pb3/8/8/4K1kR b K - 0 1", moves="e4h1")
class CornerCaptureOpensNoLine(AfterSpecialMove):
    """In the replies to the capture of a rook with a castling right, the capturer's origin still counts as occupied."""

    def wrong_squares(self, before: chess.Board, last: chess.Move) -> tuple[int, int]:
        is_corner = target_of(last) & before.castling_rights & before.occupied_co[not before.turn]
        return origin_of(last) if is_corner else 0, 0


@played_fault(effect="missing", rules="plain-move", fen="8/8/8/8/8/4k3/8/R3KB1r w Q - 0 1", moves="e1c1 e3e4")
class PinsOutliveSpecialMoves(Generator):
    """Special moves do not recompute pins, so that a piece that such a move unpins stays pinned."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        if len(board.move_stack) < 2:
            return True
        before = board.copy(stack=2)
        before.pop()
        special = before.pop()
        is_pawn = before.piece_type_at(special.from_square) == chess.PAWN
        is_special = special.promotion or before.is_castling(special) or before.is_en_passant(special)
        if not (is_special or (is_pawn and abs(special.to_square - special.from_square) == 16)):
            return True
        return bool(before.pin_mask(board.turn, move.from_square) & target_of(move))
