"""Faults of en passant: the conditions of a capture, and how it changes the board."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from ..boards import attackers_of_king, forward_of, origin_of, pin_allows, pushed_pawn, put, remove, target_of
from ..fault import fault
from ..generator import Generator


@fault(
    ids="EP04 EP05 EP06",
    effect="missing",
    rules="en-passant-along-pin",
    fen="7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1",
    depth=3,
)
class EpPinnedAlong(Generator):
    """A pinned pawn cannot capture en passant, not even along the line of its pin."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not (board.is_en_passant(move) and board.is_pinned(board.turn, move.from_square))


@fault(
    ids="EP08 EP09",
    effect="missing",
    rules="en-passant-closes-line en-passant-along-pin en-passant",
    fen="k3r3/4p3/8/3P4/8/8/8/3K4 w - - 0 1",
    depth=3,
)
class EpDestinationOpen(Generator):
    """The occupancy after en passant lacks the capturing pawn, so a line that it blocks looks open."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        if not board.is_en_passant(move):
            return True
        victim = chess.BB_SQUARES[pushed_pawn(board)]
        return not attackers_of_king(board, board.occupied & ~origin_of(move) & ~victim, gone=victim)


@fault(
    ids="EP10 EP11",
    effect="missing",
    rules="en-passant-takes-checker",
    fen="3k4/3p4/8/2P5/8/3K4/8/8 w - - 0 1",
    depth=3,
)
class EpNoEvasion(Generator):
    """The evasions look for the checker on the en passant square, so a checking pawn is not captured en passant."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not (board.is_en_passant(move) and board.is_check())


@fault(
    ids="EP12 EP13",
    effect="extra",
    rules="check-not-answered en-passant-ignores-check",
    fen="7k/2p5/R7/3P4/8/3K4/8/8 w - - 0 1",
    depth=3,
)
class EpSquareStopsCheck(Generator):
    """In check every piece may move to the en passant square, as if that captured the checking pawn."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is None or not board.is_check():
            return
        to_ep_square = board.generate_pseudo_legal_moves(~board.kings, chess.BB_SQUARES[board.ep_square])
        yield from (move for move in to_ep_square if pin_allows(board, move))


@fault(ids="EP14 EP15", effect="state", rules="placement plain-move", fen="4k3/8/8/5n2/8/8/4P3/2K5 w - - 0 1", depth=3)
class EpAnyPieceTakes(Generator):
    """Any piece that moves to the en passant square removes the pawn that passed it."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        victim = pushed_pawn(board) if move.to_square == board.ep_square else None
        board.push(move)
        if victim is not None:
            remove(board, victim)


@fault(
    ids="EP17",
    effect="extra",
    rules="en-passant-ignores-check check-not-answered",
    fen="1k6/8/8/8/5p2/8/6P1/K6B b - - 0 1",
    depth=3,
)
class EpDiscoveredCheckUnseen(Generator):
    """En passant is allowed in check, even if the double step discovered a check that the capture does not end."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.is_check():
            yield from (move for move in board.generate_pseudo_legal_ep() if pin_allows(board, move))


class EnPassantGenerator(Generator):
    """Tests the legality of en passant with a method that faults override."""

    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not board.is_en_passant(move) or self.is_safe(board, move)

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        yield from (move for move in board.generate_pseudo_legal_ep() if self.is_safe(board, move))

    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        return not attackers_of_king(board, self.occupied_after(board, move), self.victim(board))

    def victim(self, board: chess.Board) -> int:
        return chess.BB_SQUARES[pushed_pawn(board)]

    def occupied_after(self, board: chess.Board, move: chess.Move) -> int:
        return board.occupied & ~origin_of(move) & ~self.victim(board) | target_of(move)


class SomeLinesOnly(EnPassantGenerator):
    """Tests the legality of en passant only on some lines through the king."""

    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        attackers = attackers_of_king(board, self.occupied_after(board, move), self.victim(board))
        return king is None or not attackers & self.seen_lines(king)

    def seen_lines(self, king: int) -> int:
        """Return the squares on which attackers of the king are detected."""
        raise NotImplementedError


@fault(
    ids="EP18",
    effect="extra",
    rules="en-passant-pinned en-passant-uncovers-line pinned",
    fen="8/4k3/8/8/2p5/8/B2P4/4K3 b - - 0 1",
    depth=3,
)
class EpRookLinesOnly(SomeLinesOnly):
    """The legality of en passant is tested on ranks and files only, so a pawn may leave a diagonal pin."""

    def seen_lines(self, king: int) -> int:
        return chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]


@fault(
    ids="EP18",
    effect="extra",
    rules="en-passant-uncovers-rank en-passant-pinned",
    fen="6k1/3p4/8/2P4r/K7/8/8/8 w - - 0 1",
    depth=3,
)
class EpBishopLinesOnly(SomeLinesOnly):
    """The legality of en passant is tested on diagonals only, so both pawns may leave the rank of the king."""

    def seen_lines(self, king: int) -> int:
        return chess.BB_DIAG_ATTACKS[king][0]


@fault(ids="EP29", effect="missing", rules="en-passant", fen="6k1/3p4/8/2P5/K7/8/b7/8 w - - 0 1", depth=3)
class EpOperatorsSwapped(EnPassantGenerator):
    """AND and OR are swapped in the legality test of en passant, so a harmless bishop prevents the capture."""

    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        if king is None:
            return True
        occupied = self.occupied_after(board, move)
        theirs = board.occupied_co[not board.turn]
        files_and_ranks = (
            chess.BB_RANK_ATTACKS[king][chess.BB_RANK_MASKS[king] & occupied]
            | chess.BB_FILE_ATTACKS[king][chess.BB_FILE_MASKS[king] & occupied]
        )
        diagonals = chess.BB_DIAG_ATTACKS[king][chess.BB_DIAG_MASKS[king] & occupied]
        rooks, bishops = (board.rooks | board.queens) & theirs, (board.bishops | board.queens) & theirs
        return not (files_and_ranks | rooks) & (diagonals | bishops) & theirs


@fault(
    ids="EP22",
    effect="extra",
    rules="pawn-capture-empty en-passant-not-available",
    fen="8/8/1P6/3k4/8/8/8/5K2 w - - 0 1",
    depth=3,
)
class EpNullIsA8(Generator):
    """A missing en passant square is stored as square 0, so a pawn on b7 may capture on an empty a8."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        pawn = chess.BB_B7 & board.pawns & board.occupied_co[board.turn]
        if board.turn == chess.WHITE and board.ep_square is None and pawn and not board.occupied & chess.BB_A8:
            for piece in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT):
                move = chess.Move(chess.B7, chess.A8, piece)
                if not board.is_into_check(move):
                    yield move


@fault(ids="EP24", effect="extra", rules="wraps-edge", fen="4k3/8/8/p7/8/8/7P/4K3 b - - 0 1", depth=3)
class EpAcrossTheEdge(Generator):
    """En passant lacks a file mask, so a pawn on the a-file may capture across the edge of the board."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is None:
            return
        for sideways in (-1, 1):
            move = chess.Move(board.ep_square - forward_of(board) + sideways, board.ep_square)
            is_own_pawn = origin_of(move) & board.pawns & board.occupied_co[board.turn]
            if is_own_pawn and chess.square_distance(move.from_square, move.to_square) > 1:
                yield move


@fault(ids="EP26 EP27", effect="state", rules="placement no-piece", fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", depth=3)
class EpVictimRankInverted(Generator):
    """The rank of the pawn captured en passant is mirrored, so the pawn stays on the board."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        victim = pushed_pawn(board) if board.is_en_passant(move) else None
        board.push(move)
        if victim is not None:
            put(board, victim, chess.PAWN, board.turn)
            remove(board, 2 * move.to_square - victim)


@fault(ids="EP31", effect="extra", rules="check-not-answered", fen="5k2/2p5/8/8/8/8/Q7/6K1 b - - 0 1", depth=3)
class EpMarkerBlocks(Generator):
    """The en passant square is stored as a piece, so a double step seems to block a line that it only crosses."""

    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        for move in board.generate_pseudo_legal_moves(board.pawns):
            if abs(move.to_square - move.from_square) == 16:
                marker = chess.BB_SQUARES[(move.from_square + move.to_square) // 2]
                if not attackers_of_king(board, board.occupied & ~origin_of(move) | target_of(move) | marker):
                    yield move


def _square_before(board: chess.Board) -> chess.Square | None:
    """Return the en passant square before the last move."""
    before = board.copy(stack=1)
    if before.move_stack:
        before.pop()
        return before.ep_square
    return None


@fault(
    fault_class="en passant",
    effect="state",
    rules="en-passant-square en-passant-not-available",
    fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
    depth=4,
)
class EpSquareOutlives(Generator):
    """The en passant square remains valid for one more move of each side."""

    def play(self, board: chess.Board, move: chess.Move) -> None:
        before = _square_before(board)
        board.push(move)
        if board.ep_square is None and before is not None:
            board.ep_square = before


@fault(ids="EP21", effect="extra", rules="en-passant-uncovers-line", fen="7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1")
class EpVictimNoShield(EnPassantGenerator):
    """The legality test of en passant ignores diagonals that the captured pawn blocked."""

    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        attackers = attackers_of_king(board, self.occupied_after(board, move), self.victim(board))
        if king is None:
            return True
        seen = (square for square in chess.scan_forward(attackers) if not self._is_opened(board, king, square))
        return next(seen, None) is None

    def _is_opened(self, board: chess.Board, king: int, attacker: int) -> bool:
        diagonal = chess.BB_DIAG_ATTACKS[king][0] & chess.BB_SQUARES[attacker]
        return bool(diagonal and chess.between(king, attacker) & self.victim(board))
