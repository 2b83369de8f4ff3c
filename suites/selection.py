"""Choose the positions of the bundled suites: known ones, and seeded random games and walks.

The same seed chooses the same positions on every machine and Python version.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from ..generator.chess960 import chess960_start
from ..generator.position import Position
from ..generator.types.moves import Move, MoveKind

GAME_PLIES = 140
WALK_PLIES = 12


class PositionChooser:
    """A seeded source of positions, none of them twice."""

    def __init__(self, seed: int, known: list[Position]) -> None:
        # Only `random()` is promised to stay the same from one Python version to the next.
        self._draw = random.Random(seed).random
        self._seen = {_key(position) for position in known}

    def below(self, number: int) -> int:
        """Return a random whole number from 0 to `number` - 1."""
        return int(self._draw() * number)

    def game(self, start: Position, plies: int) -> Position:
        """Return the position after `plies` random moves, or earlier where the game has ended."""
        position = start
        for _ in range(plies):
            moves = sorted(position.legal_moves, key=Move.uci)
            if not moves:
                break
            position = position.play_unchecked(moves[self.below(len(moves))])
        return position

    def take(
        self, number: int, candidate: Callable[[], Position], wanted: Callable[[Position], bool]
    ) -> Iterator[Position]:
        """Yield `number` new positions that are `wanted`, out of what `candidate` proposes."""
        taken = 0
        while taken < number:
            position = candidate()
            if _key(position) in self._seen or not wanted(position):
                continue
            self._seen.add(_key(position))
            taken += 1
            yield position

    def standard(self, number: int) -> Iterator[Position]:
        """Yield positions from random games of standard chess, of every length."""
        yield from self.take(
            number, lambda: self.game(Position.start(), 4 + self.below(GAME_PLIES)), lambda p: bool(p.legal_moves)
        )

    def chess960(self, number: int, double: bool) -> Iterator[Position]:
        """Yield positions from random games of Chess960, most of them young enough to castle still."""

        def candidate() -> Position:
            start = chess960_start(self.below(960), self.below(960) if double else None)
            return self.game(start, self.below(24 if self.below(3) else GAME_PLIES // 2))

        yield from self.take(number, candidate, lambda p: bool(p.legal_moves) and bool(p.castling))

    def special(self, number: int, seeds: list[Position]) -> Iterator[Position]:
        """Yield positions a short random walk away from tricky ones, in which something rare is at hand."""
        yield from self.take(
            number, lambda: self.game(seeds[self.below(len(seeds))], 1 + self.below(WALK_PLIES)), is_special
        )


def _key(position: Position) -> str:
    return " ".join(position.fen().split()[:4])


def is_special(position: Position) -> bool:
    """Tell whether a position has moves and something in it that needs a rule of its own.

    That is a check to answer with more than king moves, a double check, castling, a promotion, and
    en passant that is allowed or that a pawn stands ready for in vain.
    """
    if not position.legal_moves:
        return False
    kinds = {move.kind for move in position.legal_moves}
    king, board = position.king(position.turn), position.board
    answered = position.in_check and any(move.origin != king for move in position.legal_moves)
    return (
        answered
        or position.checkers.bit_count() > 1
        or bool(kinds & {MoveKind.EN_PASSANT, MoveKind.CASTLING, MoveKind.PROMOTION})
        or (board.en_passant != 0 and position.legal_en_passant is None)
    )
