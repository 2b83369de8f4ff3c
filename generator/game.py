"""A position and the way to it: where it starts from and which moves lead there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from .position import Position, Printer
from .types.moves import Move


@dataclass(frozen=True, repr=False)
class Game:
    """A position and how to get there: from a base position, by moves.

    The way matters: a generator that forgets a castling right when it plays a move counts a position
    right from its FEN and wrong from the moves that lead there.
    """

    base: Position
    moves: tuple[Move, ...] = ()

    @classmethod
    def from_uci(cls, base: Position, moves: str) -> Game:
        """Return the line of moves in UCI notation, with spaces between them.

        Raises ValueError if one of them is no move, or is not legal.
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
        """Return the FEN, and the moves behind it if there are any: "FEN moves e2e4 e7e5"."""
        return " ".join([self.base.fen(), "moves", *self.uci_moves()]) if self.moves else self.base.fen()

    def __repr__(self) -> str:
        """Return the expression that makes the line: it can be pasted."""
        return f"Game.from_uci({self.base!r}, {' '.join(self.uci_moves())!r})" if self.moves else f"Game({self.base!r})"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:
        """Let Hypothesis and IPython print what `repr` does."""
        printer.text(repr(self))

    def __getstate__(self) -> dict[str, object]:
        """Pickle the base and the moves alone: the position at the end is quickly computed again."""
        return {"base": self.base, "moves": self.moves}

    def uci_moves(self) -> list[str]:
        """Return the moves as UCI text, castling in the notation of the base position."""
        return [move.uci(self.base.chess960) for move in self.moves]

    def after(self, move: Move) -> Game:
        """Return the line one move longer."""
        return replace(self, moves=(*self.moves, move))

    def without_moves(self) -> Game:
        """Return the same position from its own FEN, without moves."""
        return Game(self.position)
