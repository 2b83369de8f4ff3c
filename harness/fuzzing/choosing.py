"""Which moves of a position to play: those that an engine is likeliest to play wrongly, and another one."""

from __future__ import annotations

from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Kind


def moves_to_try(position: Position, most: int) -> list[Move]:
    """Return up to `most` legal moves: one that is like most moves, the others peculiar if there are any.

    Peculiar are castling, en passant, promotions, double steps and what changes a right to castle.
    Which of them come first differs from position to position, and is always the same for one.
    """
    peculiar: list[Move] = []
    plain: list[Move] = []
    own = position.pieces[position.turn]
    entitled = position.castling | (own[Kind.KING] if position.castling else 0)
    for move in sorted(position.legal_moves):
        changes_right = bool((1 << move.origin | 1 << move.target) & entitled)
        double = bool(own[Kind.PAWN] >> move.origin & 1) and abs(move.target - move.origin) == 16
        (peculiar if move.kind is not MoveKind.NORMAL or changes_right or double else plain).append(move)
    start = sum(position.legal_moves)
    chosen = _rotated(plain, start)[:1]
    chosen += _rotated(peculiar, start)[: most - len(chosen)]
    return chosen


def _rotated(moves: list[Move], start: int) -> list[Move]:
    place = start % len(moves) if moves else 0
    return moves[place:] + moves[:place]
