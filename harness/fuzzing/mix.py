"""The order in which the strategies of a run take turns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """A strategy, for standard chess or for Chess960."""

    strategy: str
    chess960: bool

    @property
    def name(self) -> str:
        """The name that reports show."""
        return f"{self.strategy} (Chess960)" if self.chess960 else self.strategy


_STANDARD, _CHESS960 = False, True
_TURNS = (
    Turn("templates", _STANDARD),
    Turn("walks", _STANDARD),
    Turn("sequences", _STANDARD),
    Turn("setups", _STANDARD),
    Turn("templates", _CHESS960),
    Turn("placements", _STANDARD),
    Turn("castlings", _CHESS960),
    Turn("sequences", _CHESS960),
    Turn("setups", _CHESS960),
    Turn("templates", _STANDARD),
    Turn("mutations", _STANDARD),
    Turn("games", _STANDARD),
    Turn("walks", _CHESS960),
    Turn("locked", _STANDARD),
    Turn("setups", _STANDARD),
    Turn("templates", _STANDARD),
    Turn("placements", _CHESS960),
    Turn("games", _CHESS960),
    Turn("mutations", _CHESS960),
)
"""Templates of rare events come most often: there are many of them, and they find most."""


def turns(chosen: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[Turn, ...]:
    """Return the turns that batches take one after another; `variants` has True for Chess960, False for standard."""
    return tuple(turn for turn in _TURNS if turn.chess960 in variants and (not chosen or turn.strategy in chosen))
