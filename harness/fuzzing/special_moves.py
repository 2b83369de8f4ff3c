"""Which moves of a position to play: an ordinary one, and special ones, which engines often play wrongly."""

from __future__ import annotations

from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Kind


def moves_to_try(position: Position, most: int) -> list[Move]:
    """Return up to `most` legal moves: one ordinary move, and special moves as far as there are any.

    Special moves are castling, en passant, promotions, double steps, and moves that end a castling
    right. The choice varies from position to position, and is always the same for one position.
    """
    special: list[Move] = []
    ordinary: list[Move] = []
    for move in sorted(position.legal_moves):
        (special if _is_special(position, move) else ordinary).append(move)
    start = sum(position.legal_moves)
    chosen = _rotate(ordinary, start)[:1]
    chosen += _rotate(special, start)[: most - len(chosen)]
    return chosen


def _is_special(position: Position, move: Move) -> bool:
    own = position.pieces[position.turn]
    holders = position.castling | (own[Kind.KING] if position.castling else 0)
    ends_right = bool((1 << move.origin | 1 << move.target) & holders)
    is_double_step = bool(own[Kind.PAWN] >> move.origin & 1) and abs(move.target - move.origin) == 16
    return move.kind is not MoveKind.NORMAL or ends_right or is_double_step


def _rotate(moves: list[Move], start: int) -> list[Move]:
    first = start % len(moves) if moves else 0
    return moves[first:] + moves[:first]
