"""What simple promotions change, all together, against python-chess."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import pytest
from helpers import oracle, two_plies
from helpers.two_plies import WORD, word
from perft_check.generator.kernels.tables import tables

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


def _boards() -> Iterator[chess.Board]:
    yield from two_plies.boards()
    for board in oracle.random_boards(21, 3000, chess960=False):
        mine = board if board.turn else board.mirror()
        if mine.pawns & mine.occupied_co[chess.WHITE] & chess.BB_RANK_7 and not mine.is_check():
            yield mine.copy(stack=False)


@pytest.mark.slow
def test_simple_promotions_change_the_replies_as_said() -> None:
    simple = unsafe_ones = 0
    for board in _boards():
        moves = {(move.from_square, move.to_square) for move in board.legal_moves if move.promotion}
        look = two_plies.info_of(board) if moves else None
        for origin, target in moves:
            arguments = (tables(), look, word(1 << origin), word(1 << target))
            unsafe = int(two_plies.unsafe_promotions(*arguments))
            safe = [piece for bit, piece in enumerate(PIECES) if not unsafe >> bit & 1]
            unsafe_ones += 4 - len(safe)
            if not safe:
                continue
            now = two_plies.theirs_to_move(board).legal_moves.count()
            then = [two_plies.after(board, chess.Move(origin, target, piece)) for piece in safe]
            change = sum(child.legal_moves.count() - now for child in then)
            assert int(two_plies.promotion_change(*arguments, word(unsafe))) == change % WORD, (board.fen(), origin)
            simple += len(safe)
    assert simple > 200
    assert unsafe_ones > 100
