"""Their pawns, and captures en passant that double pushes offer, against python-chess."""

from __future__ import annotations

import chess
import numpy as np
import pytest
from helpers import two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.counting.two_plies.position import NOTES
from perft_check.generator.kernels.tables import tables


@pytest.mark.slow
def test_a_quiet_move_blocks_frees_offers_and_withdraws() -> None:
    notes, changed = np.zeros(NOTES, dtype=np.uint64), 0
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        pawns = two_plies.loose(board, chess.PAWN)
        now = two_plies.moves_from(two_plies.theirs_to_move(board), pawns)
        assert two_plies.pawn_replies(look.sides, look.pawns) == now, board.fen()
        for move in two_plies.plain_moves(board, captures=False):
            tally = two_plies.tally_of(board, move, notes)
            target = word(1 << move.to_square)
            change = int(two_plies.pawn_arrivals(look.pawns, tally.counters))
            change += int(two_plies.pawn_departures(look.pawns, tally.origins, target))
            then = two_plies.moves_from(two_plies.after(board, move), pawns)
            assert change % WORD == (then - now) % WORD, (board.fen(), move)
            changed += then != now
    assert changed > 400


def test_no_quiet_move_changes_what_their_knights_do() -> None:
    for board in two_plies.boards():
        look = two_plies.info_of(board)
        moves = two_plies.moves_from(two_plies.theirs_to_move(board), two_plies.loose(board, chess.KNIGHT))
        assert two_plies.knight_replies(tables(), look.sides, look.pins) == moves, board.fen()


BESIDE = (
    "4k3/8/8/8/1p1p3p/8/P1P3P1/4K3 w - - 0 1",
    "4k3/8/8/8/1p1p3p/8/P1P3P1/4K2R w - - 0 1",
    "8/8/8/8/kp1p1ppR/8/P1P1P2P/4K3 w - - 0 1",
    "8/8/1k6/8/1p1p3p/8/P1P3P1/4K1B1 w - - 0 1",
    # The capture opens a rank, where both pawns leave it, or a diagonal.
    "8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1",
    "8/8/8/8/R3p2k/8/5P2/4K3 w - - 0 1",
    "8/6k1/8/8/3p4/8/4P3/B3K3 w - - 0 1",
    "8/1k6/8/8/4p3/8/3P2B1/4K3 w - - 0 1",
)


def test_the_captures_that_double_pushes_offer() -> None:
    offered = refused = 0
    for board in (*two_plies.boards(), *map(chess.Board, BESIDE)):
        look = two_plies.info_of(board)
        doubles = [m for m in board.legal_moves if _is_double(board, m) and not board.gives_check(m)]
        for move in doubles:
            child = board.copy(stack=False)
            child.push(move)
            legal = sum(child.is_en_passant(reply) for reply in child.legal_moves)
            pseudo_legal = sum(child.is_en_passant(reply) for reply in child.pseudo_legal_moves)
            found = two_plies.captures_offered(tables(), look.sides, word(1 << move.to_square))
            assert found == legal, (board.fen(), move)
            offered, refused = offered + legal, refused + pseudo_legal - legal
    assert offered > 15
    assert refused > 3


def _is_double(board: chess.Board, move: chess.Move) -> bool:
    return board.piece_type_at(move.from_square) == chess.PAWN and move.to_square - move.from_square == 16
