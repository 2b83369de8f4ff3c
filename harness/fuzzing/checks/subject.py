"""The interface of a generator whose lists, validator, positions and FENs are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ....generator.position import Position
from ....generator.types.moves import GenType, Move

if TYPE_CHECKING:
    from ....generator.kernels.tables import Backend


class Subject(Protocol):
    """A generator that gives more than counts."""

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the moves of a GenType. Raises ValueError where its precondition fails."""

    def accepted_moves(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves that the validator accepts."""

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""

    def fen(self, position: Position) -> str:
        """Print a position."""

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position of a FEN. Raises FenError where it describes none."""


class OwnSubject:
    """Our own generator. Kernels are loaded when they are first asked: many faults of the zoo do without."""

    def lists(self, position: Position, gentype: GenType, backend: Backend | None = None) -> list[Move]:
        """Return the moves of a GenType. Raises ValueError where its precondition fails."""
        from ....generator.movelist import MoveList

        return MoveList(position, gentype, backend).moves

    def accepted_moves(self, position: Position, backend: Backend | None = None) -> list[Move]:
        """Return the moves that the validator accepts, of all patterns of 16 bits."""
        from ....generator.generation import accepted_moves

        return accepted_moves(position, backend)

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        return position.play_unchecked(move)

    def fen(self, position: Position) -> str:
        """Print a position."""
        return position.fen()

    def read(self, fen: str, chess960: bool) -> Position:
        """Return the position of a FEN. Raises FenError where it describes none."""
        return Position.from_fen(fen, chess960)
