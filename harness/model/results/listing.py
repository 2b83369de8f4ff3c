"""The result of `moves`: the moves of a position."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ListedMove:
    """One move of a list."""

    uci: str
    """UCI text, with castling in the notation of the position."""
    san: str | None
    """The move in algebraic notation; None if it leaves the king in check."""
    value: int
    """The value by which the list is ordered, or 0."""
    landing: str
    """The square on which the piece arrives."""


@dataclass(frozen=True)
class MoveListing:
    """The moves of one GenType, or the moves found by one technique."""

    title: str
    """The name of the GenType, such as "CAPTURES"."""
    moves: tuple[ListedMove, ...]
    """The moves of a GenType in descending order of value, or a technique's moves in the order of discovery."""


@dataclass(frozen=True)
class MoveLists:
    """The move lists of a position."""

    engine: str
    fen: str
    chess960: bool
    oddities: tuple[str, ...]
    """Reasons why no game leads to the position."""
    lists: tuple[MoveListing, ...]
