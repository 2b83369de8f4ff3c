"""What is listed and not compared: the moves of a position."""

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
    """What it is ordered by; 0 if it has no value."""
    landing: str
    """The square on which the piece comes to stand."""


@dataclass(frozen=True)
class MoveListing:
    """The moves of one kind."""

    title: str
    """The GenType, such as "CAPTURES"."""
    moves: tuple[ListedMove, ...]
    """By a GenType the highest value first; by a technique in the order in which it finds them."""


@dataclass(frozen=True)
class Listed:
    """All that was asked for about a position."""

    engine: str
    fen: str
    chess960: bool
    oddities: tuple[str, ...]
    """Why no game leads to the position."""
    lists: tuple[MoveListing, ...]
