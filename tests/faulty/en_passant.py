"""Faults of en passant: which captures are generated, and what making one does to the board."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from faulty.base import (
    Fault,
    Generator,
    attackers_of_king,
    origin_of,
    pin_allows,
    pushed_pawn,
    put,
    remove,
    target_of,
)


class PinnedAlong(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not (board.is_en_passant(move) and board.is_pinned(board.turn, move.from_square))


class DestinationOpen(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        if not board.is_en_passant(move):
            return True
        victim = chess.BB_SQUARES[pushed_pawn(board)]
        return not attackers_of_king(board, board.occupied & ~origin_of(move) & ~victim, gone=victim)


class NoEvasion(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        return not (board.is_en_passant(move) and board.is_check())


class SquareStopsCheck(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is None or not board.is_check():
            return
        to_ep_square = board.generate_pseudo_legal_moves(~board.kings, chess.BB_SQUARES[board.ep_square])
        yield from (move for move in to_ep_square if pin_allows(board, move))


class AnyPieceTakes(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        victim = pushed_pawn(board) if move.to_square == board.ep_square else None
        board.push(move)
        if victim is not None:
            remove(board, victim)


class DiscoveredCheckUnseen(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.is_check():
            yield from (move for move in board.generate_pseudo_legal_ep() if pin_allows(board, move))


class Unsafe(Generator):
    """En passant whose safety is judged by a test of its own."""

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


class RookLinesOnly(Unsafe):
    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        if king is None:
            return True
        cross = chess.BB_RANK_MASKS[king] | chess.BB_FILE_MASKS[king]
        return not attackers_of_king(board, self.occupied_after(board, move), self.victim(board)) & cross


class BishopLinesOnly(Unsafe):
    def is_safe(self, board: chess.Board, move: chess.Move) -> bool:
        king = board.king(board.turn)
        if king is None:
            return True
        diagonals = chess.BB_DIAG_MASKS[king]
        return not attackers_of_king(board, self.occupied_after(board, move), self.victim(board)) & diagonals


class OperatorsSwapped(Unsafe):
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


class NullIsA8(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        pawn = chess.BB_B7 & board.pawns & board.occupied_co[board.turn]
        if board.turn == chess.WHITE and board.ep_square is None and pawn and not board.occupied & chess.BB_A8:
            for piece in (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT):
                move = chess.Move(chess.B7, chess.A8, piece)
                if not board.is_into_check(move):
                    yield move


class AcrossTheEdge(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.ep_square is None:
            return
        forward = 1 if board.turn == chess.WHITE else -1
        for step in (7, 9):
            move = chess.Move(board.ep_square - forward * step, board.ep_square)
            is_own_pawn = origin_of(move) & board.pawns & board.occupied_co[board.turn]
            if is_own_pawn and chess.square_distance(move.from_square, move.to_square) > 1:
                yield move


class VictimRankInverted(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        victim = pushed_pawn(board) if board.is_en_passant(move) else None
        board.push(move)
        if victim is not None:
            put(board, victim, chess.PAWN, board.turn)
            remove(board, 2 * move.to_square - victim)


class MarkerBlocks(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        for move in board.generate_pseudo_legal_moves(board.pawns):
            if abs(move.to_square - move.from_square) == 16:
                marker = chess.BB_SQUARES[(move.from_square + move.to_square) // 2]
                if not attackers_of_king(board, board.occupied & ~origin_of(move) | target_of(move) | marker):
                    yield move


class SquareOutlives(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        before = board._stack[-1].ep_square if board._stack else None
        board.push(move)
        if board.ep_square is None:
            board.ep_square = before


FAULTS = [
    Fault(
        name="ep_pinned_along",
        catalogue=("EP04", "EP05", "EP06"),
        story="A pinned pawn never captures en passant, not even along the line of its pin.",
        generator=PinnedAlong,
        fen="7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("en-passant-along-pin",),
    ),
    Fault(
        name="ep_destination_open",
        catalogue=("EP08", "EP09"),
        story="The occupancy after en passant lacks the arriving pawn, so a line that it blocks looks open.",
        generator=DestinationOpen,
        fen="k3r3/4p3/8/3P4/8/8/8/3K4 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("en-passant-closes-line", "en-passant"),
    ),
    Fault(
        name="ep_no_evasion",
        catalogue=("EP10", "EP11"),
        story="The evasions take the en passant square for the checker, so the checking pawn is not taken en passant.",
        generator=NoEvasion,
        fen="3k4/3p4/8/2P5/8/3K4/8/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("en-passant-takes-checker",),
    ),
    Fault(
        name="ep_square_stops_check",
        catalogue=("EP12", "EP13"),
        story="In check every piece may move to the en passant square, as if that took the checking pawn.",
        generator=SquareStopsCheck,
        fen="7k/2p5/R7/3P4/8/3K4/8/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("check-not-answered",),
    ),
    Fault(
        name="ep_any_piece_takes",
        catalogue=("EP14", "EP15"),
        story="Any piece that moves to the en passant square deletes the pawn that passed it.",
        generator=AnyPieceTakes,
        fen="4k3/8/8/5n2/8/8/4P3/2K5 w - - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("placement", "plain-move"),
    ),
    Fault(
        name="ep_discovered_check_unseen",
        catalogue=("EP17",),
        story="En passant is allowed in a check that the double push has discovered and the capture does not end.",
        generator=DiscoveredCheckUnseen,
        fen="1k6/8/8/8/5p2/8/6P1/K6B b - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("en-passant-ignores-check", "check-not-answered"),
    ),
    Fault(
        name="ep_rook_lines_only",
        catalogue=("EP18",),
        story="The safety of en passant is tested on files and ranks only, so a pawn leaves the diagonal of its pin.",
        generator=RookLinesOnly,
        fen="8/4k3/8/8/2p5/8/B2P4/4K3 b - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("en-passant-pinned", "pinned"),
    ),
    Fault(
        name="ep_bishop_lines_only",
        catalogue=("EP18",),
        story="The safety of en passant is tested on diagonals only, so two pawns leave the rank of the king at once.",
        generator=BishopLinesOnly,
        fen="6k1/3p4/8/2P4r/K7/8/8/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("en-passant-uncovers-rank",),
    ),
    Fault(
        name="ep_operators_swapped",
        catalogue=("EP29",),
        story="AND and OR are swapped in the king test of en passant, so a harmless bishop forbids it.",
        generator=OperatorsSwapped,
        fen="6k1/3p4/8/2P5/K7/8/b7/8 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("en-passant",),
    ),
    Fault(
        name="ep_null_is_a8",
        catalogue=("EP22",),
        story="No en passant square is stored as square 0, so a pawn on b7 captures on an empty a8.",
        generator=NullIsA8,
        fen="8/8/1P6/3k4/8/8/8/5K2 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("pawn-capture-empty", "en-passant-not-available"),
    ),
    Fault(
        name="ep_across_the_edge",
        catalogue=("EP24",),
        story="Capturers en passant are found without a mask of files, so a pawn on a5 takes on h3.",
        generator=AcrossTheEdge,
        fen="4k3/8/8/p7/8/8/7P/4K3 b - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("wraps-edge",),
    ),
    Fault(
        name="ep_victim_rank_inverted",
        catalogue=("EP26", "EP27"),
        story="The rank of the pawn taken en passant is inverted, so it stays on the board.",
        generator=VictimRankInverted,
        fen="4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("placement", "no-piece"),
    ),
    Fault(
        name="ep_marker_blocks",
        catalogue=("EP31",),
        story="The en passant square is stored as a piece, so a double push seems to block a line that it passes.",
        generator=MarkerBlocks,
        fen="5k2/2p5/8/8/8/8/Q7/6K1 b - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("check-not-answered",),
    ),
    Fault(
        name="ep_square_outlives",
        catalogue=(),
        story="The en passant square is kept for one more move of each side.",
        generator=SquareOutlives,
        fen="4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        depth=4,
        chess960=False,
        kind="state",
        rules=("en-passant-square", "en-passant-not-available"),
    ),
]
