"""Faults of king safety: pins, evasions, double checks, and steps of the king."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from faulty.base import Fault, Generator, pin_allows, pushed_pawn


class PinsForgottenInCheck(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king, checkers = board.king(board.turn), board.checkers_mask()
        if king is not None and chess.popcount(checkers) == 1:
            answers = checkers | chess.between(king, chess.msb(checkers))
            yield from board.generate_pseudo_legal_moves(~board.kings, answers)


class PinsForgotten(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if not board.is_check():
            officers = ~board.kings & ~board.pawns
            yield from board.generate_pseudo_legal_moves(officers)


class PinnedFrozen(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_pinned(board.turn, move.from_square)


class StaleCheckers(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        stale = self._checkers_before(board)
        if not stale or king is None or board.is_check() or move.from_square == king:
            return True
        return bool(chess.between(king, chess.msb(stale)) & chess.BB_SQUARES[move.to_square])

    def _checkers_before(self, board: chess.Board) -> int:
        """Return the pieces, now to move, that gave check before the last move."""
        if not board.move_stack:
            return 0
        last = board.pop()
        checkers = board.checkers_mask()
        board.push(last)
        return checkers & board.occupied_co[board.turn]


class PawnEvasionsLost(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_check() or board.piece_type_at(move.from_square) != chess.PAWN


class PushedPawnGivesNoCheck(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is not None and board.checkers_mask() == chess.BB_SQUARES[pushed_pawn(board)]:
            pushes = board.generate_pseudo_legal_moves(board.pawns, ~board.occupied)
            yield from (move for move in pushes if pin_allows(board, move) and not board.is_en_passant(move))


class OneOfTwoCheckers(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king, checkers = board.king(board.turn), board.checkers_mask()
        if king is not None and chess.popcount(checkers) == 2:
            first = chess.lsb(checkers)
            answers = chess.BB_SQUARES[first] | chess.between(king, first)
            moves = board.generate_pseudo_legal_moves(~board.kings, answers)
            yield from (move for move in moves if pin_allows(board, move))


class KingSteps(Generator):
    """Steps of the king, judged by a test of its own."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        king = board.king(board.turn)
        if king is None:
            return
        targets = chess.BB_KING_ATTACKS[king] & ~board.occupied_co[board.turn]
        yield from (chess.Move(king, to) for to in chess.scan_forward(targets) if self.is_safe(board, king, to))

    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return not board.attackers_mask(not board.turn, to, board.occupied & ~chess.BB_SQUARES[king])


class BesideTheKing(KingSteps):
    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        without_king = board.occupied & ~chess.BB_SQUARES[king]
        return not board.attackers_mask(not board.turn, to, without_king) & ~board.kings


class AlongTheCheck(KingSteps):
    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return not board.attackers_mask(not board.turn, to)


class ProtectedTaken(KingSteps):
    def is_safe(self, board: chess.Board, king: int, to: int) -> bool:
        return bool(board.occupied & chess.BB_SQUARES[to]) or super().is_safe(board, king, to)


class CompactedWrongly(Generator):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        legal = super().moves(board)
        pseudo = list(board.pseudo_legal_moves)
        compacted = []
        for place, move in enumerate(pseudo):
            overwritten = next((later for later in pseudo[place + 1 :] if later in legal), None)
            compacted += [move] if move in legal else [overwritten] if overwritten else []
        return compacted[: len(legal)]


FAULTS = [
    Fault(
        name="pins_forgotten_in_check",
        catalogue=("PI01",),
        story="Pins are tested only when not in check, so a pinned piece blocks or takes the checker.",
        generator=PinsForgottenInCheck,
        fen="3k4/8/3b4/8/4R3/8/7B/6K1 b - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("pinned",),
    ),
    Fault(
        name="pins_forgotten",
        catalogue=(),
        story="Pinned pieces move freely.",
        generator=PinsForgotten,
        fen="k7/8/8/7r/8/8/3N4/3K4 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("pinned",),
    ),
    Fault(
        name="pinned_frozen",
        catalogue=(),
        story="Pinned pieces do not move at all, not even along the line of their pin.",
        generator=PinnedFrozen,
        fen="k7/8/8/7r/8/8/3R4/3K4 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("pinned-along-line",),
    ),
    Fault(
        name="stale_checkers",
        catalogue=("KS05",),
        story="The checkers are not cleared by a move that gives no check, so the side that gave one must answer it.",
        generator=StaleCheckers,
        fen="4k3/8/8/8/8/8/8/R5K1 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("plain-move",),
    ),
    Fault(
        name="pawn_evasions_lost",
        catalogue=("KS07",),
        story="The end of the list is not moved on, so the evasions of pawns are overwritten.",
        generator=PawnEvasionsLost,
        fen="r3k3/8/8/8/8/8/1P4K1/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("blocks-check", "takes-checker"),
    ),
    Fault(
        name="pushed_pawn_gives_no_check",
        catalogue=("KS08",),
        story="The pawn that may be taken en passant is left out of the attackers, so pushes ignore its check.",
        generator=PushedPawnGivesNoCheck,
        fen="7k/2p5/8/8/8/3K4/7P/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("check-not-answered",),
    ),
    Fault(
        name="one_of_two_checkers",
        catalogue=("KS09",),
        story="The evasions look at the first checker only, so a piece answers a double check.",
        generator=OneOfTwoCheckers,
        fen="k3r3/8/8/4n3/8/8/6P1/3K4 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("double-check",),
    ),
    Fault(
        name="king_beside_king",
        catalogue=("KS02",),
        story="The king may step next to the enemy king.",
        generator=BesideTheKing,
        fen="8/3k4/8/8/8/3K4/8/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("king-next-to-king",),
    ),
    Fault(
        name="king_along_the_check",
        catalogue=(),
        story="The king shades the squares behind it, so it steps back along the line of a check.",
        generator=AlongTheCheck,
        fen="7r/8/8/8/4K3/8/8/k7 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("king-along-check-line",),
    ),
    Fault(
        name="king_takes_protected",
        catalogue=(),
        story="The king takes protected pieces.",
        generator=ProtectedTaken,
        fen="k3r3/8/8/q7/8/8/8/6K1 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("king-takes-protected",),
    ),
    Fault(
        name="list_compacted_wrongly",
        catalogue=("KS10",),
        story="Removing illegal moves in place copies the next move over each and drops the last ones.",
        generator=CompactedWrongly,
        fen="4k3/8/8/4n3/6p1/8/7P/K7 w - - 0 1",
        depth=4,
        chess960=False,
        kind="duplicate",
        rules=("duplicate", "plain-move", "double-push", "king-step"),
    ),
]
