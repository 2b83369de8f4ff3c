"""The result of `moves`: the moves of a position, listed and not compared."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ListedMove:
    """One move of a list."""

    uci: str
    """UCI text, castling in the notation of the position."""
    san: str | None
    """The move in algebraic notation; None if it leaves the king in check."""
    value: int
    """The value by which it is ordered, or 0."""
    landing: str
    """The square on which the piece arrives."""


@dataclass(frozen=True)
class MoveListing:
    """The moves of one kind."""

    title: str
    """The GenType, such as "CAPTURES"."""
    moves: tuple[ListedMove, ...]
    """For a GenType the highest value first, for a technique in the order in which it finds them."""


@dataclass(frozen=True)
class MoveLists:
    """The lists of moves of a position."""

    engine: str
    fen: str
    chess960: bool
    oddities: tuple[str, ...]
    """Why no game leads to the position."""
    lists: tuple[MoveListing, ...]
