"""How fast engines count, side by side, and against an older one; and what each technique takes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from .verdict import ExitCode, Verdict, exit_code

CHANCE = 0.05
"""How often, at most, noise alone is taken for a difference."""


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
class Pace:
    """How fast one position is counted, as a multiple of the speed of an older engine."""

    position: str
    depth: int
    ratios: tuple[float, ...]
    """In each round."""
    saved: tuple[float, ...] = ()
    """The rounds of the older engine around their median, which is 1; none where it was timed in the same rounds."""

    @property
    def median(self) -> float:
        """The ratio in the middle."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Half of the rounds are between them."""
        return quartiles(self.ratios)


@dataclass(frozen=True)
class Comparison:
    """How fast an engine is, as a multiple of the speed of an older one."""

    engine: str
    baseline: str
    """The older one, in words."""
    positions: tuple[Pace, ...]
    """Those that both counted right."""
    fail_below: float | None = None
    """The ratio below which the engine is too slow."""
    notes: tuple[str, ...] = ()
    """What makes the comparison less sure, a line each."""

    @property
    def rounds(self) -> tuple[float, ...]:
        """For each round the median over the positions."""
        return _medians([one.ratios for one in self.positions])

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Half of the rounds are between them."""
        return quartiles(self.rounds)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the ratio is, but for a chance of 5 %: that of the rounds, and of the saved ones."""
        low, high = _interval(self.rounds)
        saved = _medians([one.saved for one in self.positions])
        least, most = _interval(saved) if saved else (1.0, 1.0)
        return low / most, high / least

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the two engines differ by more than chance."""
        low, high = self.interval
        return not low <= 1 <= high

    @property
    def is_too_slow(self) -> bool:
        """Whether the ratio is below the least that is allowed."""
        return self.fail_below is not None and self.median < self.fail_below


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the first and the third quartile."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def _medians(positions: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return the median over the positions, round by round."""
    return tuple(map(statistics.median, zip(*positions, strict=False)))


def _interval(values: Sequence[float]) -> tuple[float, float]:
    """Return an interval that has the true median but for a chance of 5 %, whatever the distribution.

    It leaves out as many of the least and of the greatest values as a fair coin allows.
    """
    ordered, tosses = sorted(values), len(values)
    left_out, tail = 0, 1.0
    while 2 * (tail + comb(tosses, left_out + 1)) / 2**tosses <= CHANCE:
        left_out += 1
        tail += comb(tosses, left_out)
    return ordered[left_out], ordered[-1 - left_out]


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
    comparison: Comparison | None = None
    """The first engine against an older one, where that was asked for."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the counts call for, and the comparison."""
        code = exit_code([one.verdict for one in self.speeds], self.interrupted, self.internal_error)
        is_too_slow = self.comparison is not None and self.comparison.is_too_slow
        return ExitCode.MISMATCH if code is ExitCode.AGREE and is_too_slow else code
