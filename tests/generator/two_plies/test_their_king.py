"""Their king, their castling and the limits of simple moves, against python-chess."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import numpy as np
import pytest
from helpers import two_plies
from helpers.two_plies import NOTHING, WORD, word
from perft_check.generator.kernels.counting.two_plies.our_pieces import Mover
from perft_check.generator.kernels.counting.two_plies.position import NOTES
from perft_check.generator.kernels.counting.two_plies.simple_moves import PositionInfo
from perft_check.generator.kernels.tables import tables

CASTLING = (
    "r3k2r/8/8/8/8/8/8/4K1NB w kq - 0 1",
    "r3k2r/pppppppp/8/8/1B6/3N4/8/R3K2R w KQkq - 0 1",
    "1r1k3r/8/8/8/3N4/8/8/QR2K3 w - - 0 1",
    "4k2r/8/8/8/4N1N1/8/B7/4K1Q1 w k - 0 1",
)
CHESS960 = (
    # The castling rook stands on the path of its king.
    "1rk5/8/8/8/8/8/8/R2QK3 w b - 0 1",
    "1k1r4/pp1n4/8/8/8/2N5/8/1R1Q1K2 w d - 0 1",
    "5kr1/8/8/8/8/5N2/8/Q4K1R w g - 0 1",
    # The rook is pinned on the back rank.
    "Rrk5/8/8/8/8/8/8/4K3 w b - 0 1",
    # Once our king has left, we attack nothing but what is beside it, and there is one castling right alone.
    "1kr5/3K4/8/8/8/8/8/8 w c - 0 1",
)


CHECKS = (
    # Pushes stop the check, a double push among them; a pawn takes what gives check, and promotes.
    "8/1p1p3p/8/k7/8/4K3/6R1/8 w - - 0 1",
    "8/8/8/8/7k/K5R1/3p1p2/8 w - - 0 1",
    "8/k4p2/4r3/8/1Q6/2B1P3/5K1R/3q4 w - - 0 1",
    "4k3/8/8/8/8/K7/3p4/3R4 w - - 0 1",
    # The piece taken would have stopped the check, or taken back.
    "8/8/3k4/8/3p4/3r4/3Q4/3K4 w - - 0 1",
    "2r5/k7/2n5/8/8/3N4/6B1/2R1K2Q w - - 0 1",
    # By the pinner, which takes what it pinned, and beside a piece that stays pinned.
    "6k1/5p2/8/8/2B5/8/8/K7 w - - 0 1",
    "3rk3/4p3/8/4R3/8/8/8/K3R2Q w - - 0 1",
    "k2r4/1n6/8/8/8/5B2/8/K6Q w - - 0 1",
    # A pawn stops a slider of ours, or lets it through.
    "5k2/8/8/1B6/8/8/3PP3/2R1K3 w - - 0 1",
    "4k3/8/8/3p4/2P3B1/8/1B2P3/4K2R w - - 0 1",
)


def _boards() -> Iterator[chess.Board]:
    yield from two_plies.boards()
    yield from map(chess.Board, CASTLING)
    yield from (chess.Board(fen, chess960=True) for fen in CHESS960)


def _movers() -> Iterator[tuple[chess.Board, PositionInfo, Mover]]:
    """Yield our pieces that are no pawns, with what is known about the position."""
    notes = np.zeros(NOTES, dtype=np.uint64)
    for board in (*_boards(), *map(chess.Board, CHECKS)):
        look = two_plies.info_of(board, notes)
        for mover in two_plies.movers(board, look, notes):
            yield board, look, mover


def _king_moves(board: chess.Board) -> int:
    return sum(board.piece_type_at(move.from_square) == chess.KING for move in board.legal_moves)


def test_the_king_before_we_move() -> None:
    for board in _boards():
        assert two_plies.info_of(board).watch.replies == _king_moves(two_plies.theirs_to_move(board)), board.fen()


@pytest.mark.slow
def test_simple_moves_give_no_check_and_change_the_king_as_said() -> None:
    simple = changed = 0
    for board, look, mover in _movers():
        targets, together = two_plies.simple_targets(look, mover), 0
        for target in chess.SquareSet(int(targets)):
            move = chess.Move(int(mover.square), target)
            child = two_plies.after(board, move)
            assert not child.is_check(), (board.fen(), move)
            change = int(two_plies.king_changes(tables(), look, mover, word(1 << target), NOTHING))
            assert (int(look.watch.replies) + change) % WORD == _king_moves(child), (board.fen(), move)
            simple, changed, together = simple + 1, changed + (change != 0), together + change
        assert two_plies.king_changes(tables(), look, mover, targets, NOTHING) == together % WORD, board.fen()
    assert simple > 1500
    assert changed > 300


def test_replies_to_checks_are_evasions() -> None:
    checks = taken = 0
    for board, look, mover in _movers():
        for target in chess.SquareSet(int(two_plies.check_targets(look, mover))):
            move = chess.Move(int(mover.square), target)
            child = two_plies.after(board, move)
            assert child.checkers_mask() == 1 << target, (board.fen(), move)
            replies = two_plies.king_changes(tables(), look, mover, NOTHING, word(1 << target))
            assert replies == child.legal_moves.count(), (board.fen(), move)
            checks, taken = checks + 1, taken + board.is_capture(move)
    assert checks > 150
    assert taken > 30


def test_what_pawns_change_where_our_sliders_are_asked_anew() -> None:
    changed = 0
    for board in (*_boards(), *map(chess.Board, CHECKS)):
        look = two_plies.info_of(board)
        for move in [*two_plies.plain_moves(board, captures=False), *two_plies.plain_moves(board, captures=True)]:
            origin, target = word(1 << move.from_square), word(1 << move.to_square)
            is_held = origin & look.limits.held or target & look.limits.closed
            if board.piece_type_at(move.from_square) != chess.PAWN or board.gives_check(move) or is_held:
                continue
            change = int(two_plies.pawn_king_change(tables(), look, origin, target, target))
            expected = _king_moves(two_plies.after(board, move))
            assert (int(look.watch.replies) + change) % WORD == expected, (board.fen(), move)
            changed += change != 0
    assert changed > 30
