"""How fast engines count, side by side, and against an older one; and what each technique takes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log, pi

from .verdict import ExitCode, Verdict, exit_code

CHANCE = 0.05
"""How often, at most, noise alone is taken for a difference."""
ALIKE = 0.005
"""Engines whose speeds differ by no more than this part are alike: a smaller difference is not looked for."""


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
    """Squares visited for each legal move; None if its steps are not recorded."""
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
class SpeedRatio:
    """How fast one position is counted, as a multiple of the speed of an older engine."""

    position: str
    depth: int
    ratios: tuple[float, ...]
    """In each round."""
    saved: tuple[float, ...] = ()
    """The rounds of the older engine around their median, which is 1; none if it was timed in the same rounds."""

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
    positions: tuple[SpeedRatio, ...]
    """Those that both counted right."""
    fail_below: float | None = None
    """The ratio below which the engine is too slow."""
    notes: tuple[str, ...] = ()
    """What makes the comparison less sure, a line each."""

    @property
    def rounds(self) -> tuple[float, ...]:
        """For each round the geometric mean over the positions: each of them counts."""
        return _means([one.ratios for one in self.positions])

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Half of the rounds are between them."""
        return quartiles(self.rounds)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the ratio is, but for a chance of 5 % in all looks together; None as long as there are too few rounds.

        Where figures were saved, their rounds and the new ones have half of the chance each.
        """
        saved = _means([one.saved for one in self.positions])
        chance = CHANCE / 2 if saved else CHANCE
        ours, theirs = median_interval(self.rounds, chance), median_interval(saved, chance) if saved else (1.0, 1.0)
        return (ours[0] / theirs[1], ours[1] / theirs[0]) if ours and theirs else None

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the two engines differ by more than chance."""
        return self.interval is not None and not self.interval[0] <= 1 <= self.interval[1]

    @property
    def is_clear(self) -> bool:
        """Whether more rounds are not needed.

        With a least ratio, that is outside the interval. Otherwise the interval leaves out all that is nearer to 1
        than half of the difference, or the engines are alike.
        """
        if self.interval is None:
            return False
        low, high = self.interval
        if self.fail_below is not None:
            return not low <= self.fail_below <= high
        if self.is_beyond_noise:
            return min(abs(log(low)), abs(log(high))) >= abs(log(self.median)) / 2
        return low >= 1 - ALIKE and high <= 1 + ALIKE

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


def median_interval(values: Sequence[float], chance: float) -> tuple[float, float] | None:
    """Return limits outside of which the median ever is with at most this chance; None if there are too few values.

    5 % take 7 values, 2.5 % take 8. The limits hold however often one looks while the measurement goes on: whoever
    looks after each value, and stops as soon as a usual interval leaves out 1, finds differences where there are none.
    """
    # Under a median m, each value is a fair coin: below m or above it. A gambler who bets on both biases of the coin
    # (with the prior of Jeffreys, as Krichevsky and Trofimov do) wins more than 1/chance at any time with no more than
    # that chance (Ville's inequality). The interval has those m against which he has not won so much. So it holds for
    # all numbers of values at once, and whatever the distribution of the values.
    ordered, number = sorted(values), len(values)
    left_out = 0
    while 2 * left_out < number and _log_winnings(left_out, number) >= -log(chance):
        left_out += 1
    return (ordered[left_out - 1], ordered[-left_out]) if left_out else None


def _log_winnings(below: int, number: int) -> float:
    """Return the logarithm of what the gambler has of each unit, after so many of the values were below the median."""
    heads, tails = below + 0.5, number - below + 0.5
    return number * log(2) + lgamma(heads) + lgamma(tails) - lgamma(number + 1) - log(pi)


def _means(positions: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """Return the geometric mean over the positions, round by round."""
    return tuple(map(statistics.geometric_mean, zip(*positions, strict=False)))


@dataclass(frozen=True)
class BenchProgress:
    """How far a bench is."""

    rounds: int
    """Those that are complete."""
    planned_rounds: int | None
    """None if it ends by time, or as soon as the comparison is clear."""
    seconds: float
    """Since it began."""
    left_seconds: float
    """At most, where it ends by time; guessed, where it ends after some rounds."""
    speeds: tuple[Speed, ...]
    comparison: Comparison | None = None
    """As it stands."""


@dataclass(frozen=True)
class BenchFinished:
    """Everything that a report of a bench needs."""

    speeds: tuple[Speed, ...]
    """Those of positions that every engine was asked about: position by position, engine by engine."""
    techniques: tuple[TechniqueCost, ...] = ()
    """All techniques, where they are compared."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether an internal error has ended it early."""
    comparison: Comparison | None = None
    """The first engine against an older one, where that was asked for."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that the counts call for, and the comparison."""
        code = exit_code([one.verdict for one in self.speeds], self.interrupted, self.internal_error)
        is_too_slow = self.comparison is not None and self.comparison.is_too_slow
        return ExitCode.MISMATCH if code is ExitCode.AGREE and is_too_slow else code
