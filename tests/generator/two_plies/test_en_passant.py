"""Double pushes that may be taken en passant, against python-chess."""

from __future__ import annotations

import chess
from helpers import two_plies
from helpers.two_plies import word
from perft_check.generator.kernels.tables import tables

BESIDE = (
    "4k3/8/8/8/1p1p3p/8/P1P3P1/4K3 w - - 0 1",
    "4k3/8/8/8/1p1p3p/8/P1P3P1/4K2R w - - 0 1",
    "8/8/8/8/kp1p1ppR/8/P1P1P2P/4K3 w - - 0 1",
    "8/8/1k6/8/1p1p3p/8/P1P3P1/4K1B1 w - - 0 1",
)


def test_what_is_offered_is_counted_or_left_to_be_tried() -> None:
    offered = 0
    for board in (*two_plies.boards(), *map(chess.Board, BESIDE)):
        look = two_plies.outlook(board)
        doubles = {m.to_square: m for m in board.legal_moves if _is_double(board, m) and not board.gives_check(m)}
        found = two_plies.offers(tables(), look.scene, word(sum(1 << square for square in doubles)))
        captures = 0
        for square, move in doubles.items():
            child = board.copy(stack=False)
            child.push(move)
            if int(found.simple) >> square & 1:
                captures += sum(child.is_en_passant(reply) for reply in child.legal_moves)
            else:
                assert child.has_pseudo_legal_en_passant(), (board.fen(), move)
        assert found.captures == captures, board.fen()
        offered += captures
    assert offered > 5


def _is_double(board: chess.Board, move: chess.Move) -> bool:
    return board.piece_type_at(move.from_square) == chess.PAWN and move.to_square - move.from_square == 16
