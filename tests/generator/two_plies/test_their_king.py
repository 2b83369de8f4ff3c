"""Their king, their castling and the limits of simple moves, against python-chess."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import numpy as np
from helpers import two_plies
from helpers.two_plies import NOTHING, WORD, word
from perft_check.generator.kernels.counting.two_plies.notes import DIAGONAL, NOTES, ORTHOGONAL
from perft_check.generator.kernels.counting.two_plies.ours.pieces import KING, KNIGHT, SLIDER, Mover
from perft_check.generator.kernels.counting.two_plies.outlook import Outlook
from perft_check.generator.kernels.tables import tables

ALL = 2**64 - 1
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
)


def _boards() -> Iterator[chess.Board]:
    yield from two_plies.boards()
    yield from map(chess.Board, CASTLING)
    yield from (chess.Board(fen, chess960=True) for fen in CHESS960)


def _king_moves(board: chess.Board) -> int:
    return sum(board.piece_type_at(move.from_square) == chess.KING for move in board.legal_moves)


def _mover(look: Outlook, board: chess.Board, square: chess.Square, notes: np.ndarray) -> tuple[Mover, int]:
    """Return a piece of ours, and the squares on which no simple move of it ends."""
    kind, origin, limits = board.piece_type_at(square), word(1 << square), look.limits
    if kind in (chess.KING, chess.KNIGHT):
        is_king = kind == chess.KING
        barred = two_plies.leaper_limits(limits, look.sight) | (limits.kings if is_king else limits.knights)
        barred |= two_plies.fixed(limits, look.sight, look.watch.near, origin)
        places = look.watch.kings if is_king else look.watch.knights
        attacks = word(board.attacks_mask(square))
        return Mover(KING if is_king else KNIGHT, word(square), NOTHING, NOTHING, attacks, places), int(barred)
    ways = [word(ALL * (kind in kinds)) for kinds in ((chess.BISHOP, chess.QUEEN), (chess.ROOK, chess.QUEEN))]
    seen = [notes[int(place) + square] & way for place, way in zip((DIAGONAL, ORTHOGONAL), ways, strict=True)]
    barred = two_plies.slider_limits(look, origin, *ways, *seen)
    places = look.watch.bishops & ways[0] | look.watch.rooks & ways[1]
    return Mover(SLIDER, word(square), ways[0], ways[1], seen[0] | seen[1], places), int(barred)


def test_the_king_before_we_move() -> None:
    for board in _boards():
        assert two_plies.outlook(board).watch.replies == _king_moves(two_plies.theirs_to_move(board)), board.fen()


def test_simple_moves_give_no_check_and_change_the_king_as_said() -> None:
    simple, changed, notes = 0, 0, np.zeros(NOTES, dtype=np.uint64)
    for board in _boards():
        look = two_plies.outlook(board, notes)
        for move in [*two_plies.plain_moves(board, captures=False), *two_plies.plain_moves(board, captures=True)]:
            if board.piece_type_at(move.from_square) == chess.PAWN:
                continue
            mover, barred = _mover(look, board, move.from_square, notes)
            if barred >> move.to_square & 1:
                continue
            child = two_plies.after(board, move)
            assert not child.is_check(), (board.fen(), move)
            change = int(two_plies.king_changes(tables(), look, mover, word(1 << move.to_square)))
            assert (int(look.watch.replies) + change) % WORD == _king_moves(child), (board.fen(), move)
            simple, changed = simple + 1, changed + (change != 0)
    assert simple > 1500
    assert changed > 300
