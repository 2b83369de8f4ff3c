"""A position and the moves that lead to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .position import Position, Printer
from .types.moves import Move


@dataclass(frozen=True, repr=False)
class Game:
    """A base position and the moves played from it.

    The moves matter: an engine that forgets to clear a castling right when it plays a move returns a correct count for
    the FEN of the final position, but an incorrect count after the moves.
    """

    base: Position
    moves: tuple[Move, ...] = ()

    @classmethod
    def from_uci(cls, base: Position, moves: str) -> Game:
        """Return a game from moves in UCI notation, separated by spaces.

        Raises ValueError if a move is malformed or illegal.
        """
        position, played = base, []
        for text in moves.split():
            played.append(position.parse_uci(text))
            position = position.play_unchecked(played[-1])
        return cls(base, tuple(played))

    @cached_property
    def position(self) -> Position:
        """The position that the moves lead to."""
        position = self.base
        for move in self.moves:
            position = position.play_unchecked(move)
        return position

    def __str__(self) -> str:
        """Return the FEN, followed by the moves if there are any: "FEN moves e2e4 e7e5"."""
        return " ".join([self.base.fen(), "moves", *self.uci_moves()]) if self.moves else self.base.fen()

    def __repr__(self) -> str:
        """Return an expression that recreates the game."""
        return f"Game.from_uci({self.base!r}, {' '.join(self.uci_moves())!r})" if self.moves else f"Game({self.base!r})"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:
        """Print the repr in Hypothesis and IPython."""
        printer.text(repr(self))

    def __getstate__(self) -> dict[str, object]:
        """Pickle only the base and the moves: the final position is quick to recompute."""
        return {"base": self.base, "moves": self.moves}

    def uci_moves(self) -> list[str]:
        """Return the moves as UCI text, with castling in the notation of the base position."""
        return [move.uci(self.base.chess960) for move in self.moves]

    def after(self, move: Move) -> Game:
        """Return the game with one more move."""
        return replace(self, moves=(*self.moves, move))

    def without_moves(self) -> Game:
        """Return a game that starts from the final position and has no moves."""
        return Game(self.position)
