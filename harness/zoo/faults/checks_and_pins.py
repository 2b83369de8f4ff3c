"""Faults of king safety: evasions, double checks, king steps, and pins."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..boards import pin_allows, pushed_pawn
from ..fault import fault
from ..generator import Generator


@fault(ids="KS05", effect="missing", rules="plain-move", fen="4k3/8/8/8/8/8/8/R5K1 w - - 0 1", depth=3)
class StaleCheckers(Generator):
    """A move without check does not clear the checkers, so the side that gave the check has to answer it."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        stale = self._checkers_before(board)
        if not stale or king is None or board.is_check() or move.from_square == king:
            return True
        return bool(chess.between(king, chess.msb(stale)) & chess.BB_SQUARES[move.to_square])

    def _checkers_before(self, board: chess.Board) -> int:
        """Return the pieces of the side to move that gave check before the last move."""
        if not board.move_stack:
            return 0
        last = board.pop()
        checkers = board.checkers_mask()
        board.push(last)
        return checkers & board.occupied_co[board.turn]


@fault(
    ids="KS07",
    effect="missing",
    rules="blocks-check takes-checker en-passant-takes-checker en-passant-blocks-check promotion-answers-check",
    fen="r3k3/8/8/8/8/8/1P4K1/8 w - - 0 1",
    depth=3,
)
class PawnEvasionsLost(Generator):
    """The end of the move list is not advanced, so pawn evasions are overwritten."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_check() or board.piece_type_at(move.from_square) != chess.PAWN


@fault(ids="KS08", effect="extra", rules="check-not-answered", fen="7k/2p5/8/8/8/3K4/7P/8 w - - 0 1", depth=3)
class PushedPawnGivesNoCheck(Generator):
    """The attackers lack the pawn that may be taken en passant, so pawn pushes ignore its check."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is not None and board.checkers_mask() == chess.BB_SQUARES[pushed_pawn(board)]:
            pushes = board.generate_pseudo_legal_moves(board.pawns, ~board.occupied)
            yield from (move for move in pushes if pin_allows(board, move) and not board.is_en_passant(move))


@fault(ids="KS09", effect="extra", rules="double-check", fen="k3r3/8/8/4n3/8/8/6P1/3K4 w - - 0 1", depth=3)
class OneOfTwoCheckers(Generator):
    """The evasions consider only the first checker, so other pieces than the king answer a double check."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king, checkers = board.king(board.turn), board.checkers_mask()
        if king is not None and chess.popcount(checkers) == 2:
            first = chess.lsb(checkers)
            answers = chess.BB_SQUARES[first] | chess.between(king, first)
            moves = board.generate_pseudo_legal_moves(~board.kings, answers)
            yield from (move for move in moves if pin_allows(board, move))


class KingStepGenerator(Generator):
    """Generates king steps with its own legality test, which faults override."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king = board.king(board.turn)
        if king is None:
            return
        targets = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]
        yield from (chess.Move(king, to) for to in chess.scan_forward(targets) if self.is_safe(board, king, to))

    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return not board.attackers_mask(not board.turn, to, board.occupied & ~chess.BB_SQUARES[king])


@fault(ids="KS02", effect="extra", rules="king-next-to-king", fen="8/3k4/8/8/8/3K4/8/8 w - - 0 1", depth=3)
class KingBesideKing(KingStepGenerator):
    """The king may step next to the enemy king."""

    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        without_king = board.occupied & ~chess.BB_SQUARES[king]
        return not board.attackers_mask(not board.turn, to, without_king) & ~board.kings


@fault(
    fault_class="check evasion",
    effect="extra",
    rules="king-along-check-line",
    fen="7r/8/8/8/4K3/8/8/k7 w - - 0 1",
    depth=3,
)
class KingAlongTheCheck(KingStepGenerator):
    """The king blocks the ray of a slider that gives check, so it may step back along that ray."""

    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return not board.attackers_mask(not board.turn, to)


@fault(
    fault_class="check evasion",
    effect="extra",
    rules="king-takes-protected king-next-to-king",
    fen="k3r3/8/8/q7/8/8/8/6K1 w - - 0 1",
    depth=3,
)
class KingTakesProtected(KingStepGenerator):
    """The king may capture protected pieces."""

    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return bool(board.occupied & chess.BB_SQUARES[to]) or super().is_safe(board, king, to)


@fault(ids="PI01", effect="extra", rules="pinned", fen="3k4/8/3b4/8/4R3/8/7B/6K1 b - - 0 1", depth=3)
class PinsForgottenInCheck(Generator):
    """Pins are not tested in check, so a pinned piece may block the check or capture the checker."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king, checkers = board.king(board.turn), board.checkers_mask()
        if king is not None and chess.popcount(checkers) == 1:
            answers = checkers | chess.between(king, chess.msb(checkers))
            yield from board.generate_pseudo_legal_moves(~board.kings, answers)


@fault(fault_class="pins", effect="extra", rules="pinned", fen="k7/8/8/7r/8/8/3N4/3K4 w - - 0 1", depth=3)
class PinsForgotten(Generator):
    """Pinned pieces may leave the line of their pin."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if not board.is_check():
            officers = ~board.kings & ~board.pawns
            yield from board.generate_pseudo_legal_moves(officers)


@fault(
    fault_class="pins",
    effect="missing",
    rules="pinned-along-line en-passant-along-pin",
    fen="k7/8/8/7r/8/8/3R4/3K4 w - - 0 1",
    depth=3,
)
class PinnedFrozen(Generator):
    """Pinned pieces cannot move, not even along the line of their pin."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_pinned(board.turn, move.from_square)
