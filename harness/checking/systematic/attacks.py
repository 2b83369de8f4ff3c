"""What an engine counts that overlooks attacks on its king, or sees attacks that are none: one mistake, many moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from ....generator.position import Position
from ....generator.types.pieces import Kind

if TYPE_CHECKING:
    import chess

AttackRule = Callable[["chess.Board", bool, int, int], int]
"""Returns the pieces of a color that an engine takes to attack a square, given those that do attack it."""


def _pawns_backwards(board: chess.Board, color: bool, square: int, attackers: int) -> int:
    import chess

    backwards = board.pawns & board.occupied_co[color] & chess.BB_PAWN_ATTACKS[color][square]
    return attackers & ~board.pawns | backwards


def _without(kind: Kind) -> AttackRule:
    return lambda board, color, _square, attackers: attackers & ~board.pieces_mask(kind + 1, color)


ATTACK_RULES: dict[str, AttackRule] = {
    "its pawns attack backwards when the safety of the king is tested": _pawns_backwards,
    **{
        f"it overlooks all attacks on the king by {name}": _without(kind)
        for kind, name in zip(Kind, ("pawns", "knights", "bishops", "rooks", "queens", "the other king"), strict=True)
    },
}
"""What may be wrong with attacks on kings; each is the whole rule by which moves are legal."""


def count_by_attacks(position: Position, depth: int, rule: AttackRule) -> int:
    """Return the leaf nodes if moves are legal that leave no attack on the king by this rule."""
    board = _board_class()(position.fen(castling="shredder"), rule)
    return _count(board, depth)


def _count(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in list(board.legal_moves):
        board.push(move)
        nodes += _count(board, depth - 1)
        board.pop()
    return nodes


@cache
def _board_class() -> Callable[[str, AttackRule], chess.Board]:
    import chess

    class Board(chess.Board):
        """A board whose kings are attacked by a rule."""

        def __init__(self, fen: str, rule: AttackRule) -> None:
            self._rule = rule
            super().__init__(fen, chess960=True)

        def attackers_mask(self, color: bool, square: int, occupied: int | None = None) -> int:
            """Return the attackers by the rule."""
            return self._rule(self, color, square, super().attackers_mask(color, square, occupied))

        def generate_legal_moves(
            self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
        ) -> Iterator[chess.Move]:
            """Yield the pseudo-legal moves after which the king is not attacked."""
            for move in list(self.generate_pseudo_legal_moves(from_mask, to_mask)):
                self.push(move)
                is_attacked = self.was_into_check()
                self.pop()
                if not is_attacked:
                    yield move

    return Board
