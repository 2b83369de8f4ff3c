"""How fast engines count, side by side, and what each technique takes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from .verdict import ExitCode, Verdict, exit_code


@dataclass(frozen=True)
class Speed:
    """How fast one engine counted one position."""

    engine: str
    position: str
    depth: int
    nodes: int
    rounds: tuple[float, ...] = ()
    """Millions of leaf nodes a second, in each round."""
    verdict: Verdict = Verdict.AGREE

    @property
    def median(self) -> float:
        """Millions of leaf nodes a second."""
        return statistics.median(self.rounds)


@dataclass(frozen=True)
class TechniqueCost:
    """What one of our techniques takes."""

    name: str
    table_bytes: int
    squares: float | None
    """Squares visited for each legal move; None where its steps are not recorded."""
    look_ups: float | None
    """Look-ups in tables for each legal move, likewise."""
    remark: str
    """What its speed comes from."""
    lists_moves: bool
    """Whether it lists moves, and does not only count them."""

    @property
    def engine(self) -> str:
        """The technique as an engine."""
        return f"own:{self.name}"


@dataclass(frozen=True)
class BenchFinished:
    """Everything that a report of a bench needs."""

    speeds: tuple[Speed, ...]
    """Those of positions that every engine was asked about: position by position, engine by engine."""
    techniques: tuple[TechniqueCost, ...] = ()
    """All techniques, where they are compared."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether a fault of ours has ended it early."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the counts call for."""
        return exit_code([one.verdict for one in self.speeds], self.interrupted, self.internal_error)
