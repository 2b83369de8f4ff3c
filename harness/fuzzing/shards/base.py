"""What a shard is, and what all who play its games have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from ....generator.chess960 import STANDARD, chess960_start
from ....generator.kernels.machine.control import Control
from ....generator.position import Position
from ....generator.soaking import SoakResult, soak
from ....strategies.seeds import tricky_positions

STARTS = 40
"""How many of the 960 starting positions of Chess960 games start from, besides the tricky positions."""


@dataclass(frozen=True)
class Shard:
    """A part of a soak."""

    number: int
    positions: int
    seed: int


class Players(Protocol):
    """Those who play the games of shards."""

    is_here: bool
    """Whether they play in this process."""

    @property
    def are_busy(self) -> bool:
        """Whether any shard is under way."""

    @property
    def positions(self) -> int:
        """Positions of the shards under way that were met so far, where that is known."""

    def give(self, next_shard: Callable[[], Shard | None]) -> None:
        """Give idle players a shard each, until `next_shard` returns None."""

    def done(self) -> Iterator[tuple[Shard, SoakResult]]:
        """Yield the shards that are done within a moment. Raises ClusterError, EngineCrash."""

    def news(self) -> list[str]:
        """Return what the user should know."""

    def stop(self) -> None:
        """End the shards under way early."""

    def close(self) -> None:
        """Free what is held."""


def play(shard: Shard, control: Control) -> SoakResult:
    """Play the games of a shard."""
    return soak(starts(), shard.positions, shard.seed, control=control)


@cache
def starts() -> tuple[Position, ...]:
    """Return the positions from which games start."""
    numbers = range(0, 960, 960 // STARTS)
    setups = [chess960_start(number, (number * 7) % 960) for number in numbers]
    return (Position.start(), chess960_start(STANDARD), *tricky_positions(), *setups)
