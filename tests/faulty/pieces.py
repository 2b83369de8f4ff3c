"""Faults of plain moves: pawns, sliders, and the length of the move list."""

from __future__ import annotations

from collections.abc import Iterator

import chess
from faulty.base import Fault, Generator


def own_pawns(board: chess.Board) -> Iterator[int]:
    return chess.scan_forward(board.pawns & board.occupied_co[board.turn])


def forward_of(board: chess.Board) -> int:
    return 8 if board.turn == chess.WHITE else -8


def is_free(board: chess.Board, square: int) -> bool:
    return not board.occupied & chess.BB_SQUARES[square]


class PushJumps(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        start = 1 if board.turn == chess.WHITE else 6
        for pawn in own_pawns(board):
            move = chess.Move(pawn, pawn + 2 * forward_of(board)) if chess.square_rank(pawn) == start else None
            if move is not None and is_free(board, move.to_square) and not board.is_check():
                yield move


class PushFromAnyRank(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if board.is_check():
            return
        for pawn in own_pawns(board):
            middle, target = pawn + forward_of(board), pawn + 2 * forward_of(board)
            on_board = 1 <= target // 8 <= 6
            if on_board and is_free(board, middle) and is_free(board, target):
                yield chess.Move(pawn, target)


class SidewaysCapture(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        theirs = board.occupied_co[not board.turn] & ~board.kings
        for pawn in own_pawns(board):
            beside = chess.BB_KING_ATTACKS[pawn] & chess.BB_RANKS[chess.square_rank(pawn)] & theirs
            if not board.is_check():
                yield from (chess.Move(pawn, target) for target in chess.scan_forward(beside))


class CaptureWraps(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        theirs = board.occupied_co[not board.turn] & ~board.kings
        for pawn in own_pawns(board):
            for step in (-1, 1):
                target = pawn + forward_of(board) + step
                if not board.is_check() and 8 <= target < 56 and chess.BB_SQUARES[target] & theirs:
                    yield chess.Move(pawn, target)


class SliderStopsBeforeTheEdge(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        sliders = board.bishops | board.rooks | board.queens
        if not sliders & chess.BB_SQUARES[move.from_square]:
            return True
        files = chess.square_file(move.to_square) - chess.square_file(move.from_square)
        ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
        return not (_is_last(chess.square_file(move.to_square), files) or _is_last(move.to_square // 8, ranks))


class ListOf200(Generator):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        return super().moves(board)[:200]


def _is_last(coordinate: int, step: int) -> bool:
    """Tell whether a step in this direction ends on the last file or rank."""
    return (step > 0 and coordinate == 7) or (step < 0 and coordinate == 0)


FAULTS = [
    Fault(
        name="push_jumps",
        catalogue=("SL06",),
        story="A double push tests only its target, so it jumps over a piece.",
        generator=PushJumps,
        fen="4k3/8/8/2n5/8/8/1P6/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("pawn-double-push-blocked",),
    ),
    Fault(
        name="push_from_any_rank",
        catalogue=("SL08",),
        story="A pawn makes a double push from any rank.",
        generator=PushFromAnyRank,
        fen="4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("pawn-double-push-rank",),
    ),
    Fault(
        name="pawn_captures_sideways",
        catalogue=("SL09",),
        story="A pawn takes the piece beside it.",
        generator=SidewaysCapture,
        fen="4k3/8/2n5/8/4P3/8/8/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("piece-movement",),
    ),
    Fault(
        name="pawn_capture_wraps",
        catalogue=("SL01",),
        story="Pawn captures are made by offset without a test of files, so they wrap around the edge.",
        generator=CaptureWraps,
        fen="4k3/8/5n2/8/P7/8/8/4K3 w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("wraps-edge",),
    ),
    Fault(
        name="slider_stops_before_the_edge",
        catalogue=("SL03",),
        story="The slider table leaves out the last square of each line.",
        generator=SliderStopsBeforeTheEdge,
        fen="8/P6k/8/8/8/8/8/K7 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("plain-move",),
    ),
    Fault(
        name="list_of_200",
        catalogue=("CP03", "CP01"),
        story="The move list is silently cut at 200.",
        generator=ListOf200,
        fen="R7/3Q4/1Q4Q1/4Q3/2Q4Q/Q3NQ2/pp1Q4/kB1N1KB1 w - - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("plain-move", "king-step"),
    ),
]
