"""What our pieces attack, against python-chess."""

from __future__ import annotations

from collections import Counter

import chess
import numpy as np
from helpers import two_plies
from perft_check.generator.kernels.counting.two_plies.position import DIAGONAL, NOTES, ORTHOGONAL, AttackedSquares

DIAGONALS, ORTHOGONALS = (chess.BISHOP, chess.QUEEN), (chess.ROOK, chess.QUEEN)


def _twice(sets: list[int]) -> AttackedSquares:
    attackers = Counter(square for squares in sets for square in chess.SquareSet(squares))
    once = sum(1 << square for square in attackers)
    return AttackedSquares(
        np.uint64(once), np.uint64(sum(1 << square for square, number in attackers.items() if number > 1))
    )


def _seen(board: chess.Board, kind: chess.PieceType, square: chess.Square) -> int:
    """Return what a bishop or rook on a square attacks."""
    other = board.copy(stack=False)
    other.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return other.attacks_mask(square)


def test_what_is_attacked_once_and_twice() -> None:
    for board in two_plies.boards():
        notes = np.zeros(NOTES, dtype=np.uint64)
        our_attacks = two_plies.info_of(board, notes).our_attacks
        ours = chess.SquareSet(board.occupied_co[chess.WHITE])
        lines: dict[int, dict[int, int]] = {}
        for kind, kinds in ((chess.BISHOP, DIAGONALS), (chess.ROOK, ORTHOGONALS)):
            lines[kind] = {s: _seen(board, kind, s) for s in ours if board.piece_type_at(s) in kinds}
        leapers = [board.attacks_mask(s) for s in ours if board.piece_type_at(s) not in (*DIAGONALS, chess.ROOK)]
        bishops, rooks = list(lines[chess.BISHOP].values()), list(lines[chess.ROOK].values())
        assert (our_attacks.diagonals, our_attacks.orthogonals) == (_twice(bishops), _twice(rooks)), board.fen()
        assert our_attacks.leapers == _twice(leapers), board.fen()
        # A square that a pawn and its neighbor attack is attacked twice; so is one by a queen in one way only.
        assert our_attacks.all == _twice([*leapers, *bishops, *rooks]), board.fen()
        for place, seen in ((DIAGONAL, lines[chess.BISHOP]), (ORTHOGONAL, lines[chess.ROOK])):
            assert {s: int(notes[int(place) + s]) for s in seen} == seen
