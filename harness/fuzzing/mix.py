"""The strategies of a run, by the names that users give, and in which order they take turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from ...generator.line import Line

NAMES = ("templates", "placements", "mutations", "walks", "games", "castlings")
"""What users may choose from; `castlings` are of Chess960 only."""


@dataclass(frozen=True)
class Turn:
    """A strategy, for standard chess or for Chess960."""

    strategy: str
    chess960: bool

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.strategy} (Chess960)" if self.chess960 else self.strategy


_STANDARD, _CHESS960 = False, True
_TURNS = (
    Turn("templates", _STANDARD),
    Turn("walks", _STANDARD),
    Turn("templates", _CHESS960),
    Turn("placements", _STANDARD),
    Turn("castlings", _CHESS960),
    Turn("templates", _STANDARD),
    Turn("mutations", _STANDARD),
    Turn("games", _STANDARD),
    Turn("walks", _CHESS960),
    Turn("templates", _STANDARD),
    Turn("placements", _CHESS960),
    Turn("games", _CHESS960),
    Turn("mutations", _CHESS960),
)
"""Rare events by construction come most often: there are many of them, and they find most."""


def turns(chosen: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[Turn, ...]:
    """Return the turns that batches take one after another; `variants` says whether they are of Chess960."""
    return tuple(turn for turn in _TURNS if turn.chess960 in variants and (not chosen or turn.strategy in chosen))


def lines(turn: Turn, impossible: bool) -> SearchStrategy[Line]:
    """Return the Hypothesis strategy of a turn."""
    from ... import strategies
    from ...generator.line import Line
    from ...strategies.seeds import tricky_positions

    chess960 = turn.chess960
    seeds = [position for position in tricky_positions() if position.chess960 is chess960]
    table: dict[str, Callable[[], SearchStrategy[Line]]] = {
        "templates": lambda: strategies.templates(chess960=chess960, impossible=impossible).map(Line),
        "placements": lambda: strategies.placements(chess960=chess960, impossible=impossible).map(Line),
        "mutations": lambda: strategies.mutations(seeds, impossible=impossible).map(Line),
        "walks": lambda: strategies.walks(seeds),
        "games": lambda: strategies.chess960_games() if chess960 else strategies.games(),
        "castlings": lambda: strategies.chess960_castlings().map(Line),
    }
    return table[turn.strategy]()
