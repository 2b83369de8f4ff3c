"""Results of a bench: speeds of engines, comparisons with older versions, and costs of techniques."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log, pi

from .verdict import ExitCode, Verdict, exit_code

CHANCE = 0.05
"""Maximum probability that noise alone is reported as a difference."""
ALIKE = 0.005
"""Speeds whose ratio differs from 1 by at most this much are considered equal."""


@dataclass(frozen=True)
class Speed:
    """The speed of one engine at one position."""

    engine: str
    position: str
    depth: int
    nodes: int
    rounds: tuple[float, ...] = ()
    """Millions of leaf nodes per second in each round."""
    verdict: Verdict = Verdict.AGREE

    @property
    def median(self) -> float:
        """Median over the rounds, in millions of leaf nodes per second."""
        return statistics.median(self.rounds)


@dataclass(frozen=True)
class TechniqueCost:
    """The cost of one of perft-check's techniques."""

    name: str
    table_bytes: int


@dataclass(frozen=True)
class SpeedRatio:
    """The speed at one position as a multiple of an older engine's speed."""

    position: str
    depth: int
    ratios: tuple[float, ...]
    """The ratio in each round."""

    @property
    def median(self) -> float:
        """The median ratio."""
        return statistics.median(self.ratios)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and third quartiles of the ratios."""
        return quartiles(self.ratios)


@dataclass(frozen=True)
class Comparison:
    """The speed of an engine as a multiple of an older engine's speed."""

    engine: str
    baseline: str
    """A description of the older engine."""
    positions: tuple[SpeedRatio, ...]
    """The positions that both engines counted correctly."""
    fail_below: float | None = None
    """The ratio below which the engine is too slow."""

    @property
    def rounds(self) -> tuple[float, ...]:
        """For each round, the geometric mean of the ratios over all positions."""
        ratios = zip(*(one.ratios for one in self.positions), strict=False)
        return tuple(map(statistics.geometric_mean, ratios))

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)

    @property
    def quartiles(self) -> tuple[float, float]:
        """The first and third quartiles of the rounds."""
        return quartiles(self.rounds)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Confidence interval of the ratio, or None if there are too few rounds.

        The interval is valid after every round, with an error probability of `CHANCE`.
        """
        return median_interval(self.rounds, CHANCE)

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the two engines differ by more than noise."""
        return self.interval is not None and not self.interval[0] <= 1 <= self.interval[1]

    @property
    def is_clear(self) -> bool:
        """Whether no more rounds are needed.

        If `fail_below` is given, it must lie outside the interval. Otherwise the interval must exclude all ratios that
        are closer to 1 than half of the measured difference, unless the engines are equally fast.
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
        """Whether the ratio is below the minimum allowed."""
        return self.fail_below is not None and self.median < self.fail_below


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the first and the third quartile."""
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


def median_interval(values: Sequence[float], chance: float) -> tuple[float, float] | None:
    """Return limits that contain the median with an error probability of at most `chance`.

    The probability applies to all sample sizes together, so the limits may be computed as often as desired while the
    measurement continues. With ordinary confidence intervals, stopping as soon as the interval excludes 1 would report
    differences that do not exist. The result is None if there are too few values: 5 % requires 7.
    """
    # If m is the median, whether a value lies below m is like tossing a fair coin. A gambler who bets on a bias in both
    # directions (Jeffreys' prior, the Krichevsky-Trofimov estimator) multiplies the capital by 1/chance at some time
    # with probability at most `chance` (Ville's inequality). The interval consists of those m against which the gambler
    # has not won that much. It is therefore valid for all sample sizes simultaneously and for any distribution.
    ordered, number = sorted(values), len(values)
    left_out = 0
    while 2 * left_out < number and _log_winnings(left_out, number) >= -log(chance):
        left_out += 1
    return (ordered[left_out - 1], ordered[-left_out]) if left_out else None


def _log_winnings(below: int, number: int) -> float:
    """Return the logarithm of the gambler's capital if `below` of `number` values lie below the median."""
    heads, tails = below + 0.5, number - below + 0.5
    return number * log(2) + lgamma(heads) + lgamma(tails) - lgamma(number + 1) - log(pi)


@dataclass(frozen=True)
class BenchProgress:
    """The progress of a bench."""

    rounds: int
    """Number of complete rounds."""
    planned_rounds: int | None
    """Number of planned rounds; None if the bench ends after a given time or when the comparison is clear."""
    seconds: float
    """Time since the bench began."""
    left_seconds: float
    """The maximum time left if the duration is limited, or an estimate if the number of rounds is."""
    speeds: tuple[Speed, ...]
    comparison: Comparison | None = None
    """The comparison so far."""


@dataclass(frozen=True)
class BenchFinished:
    """Everything that a report of a bench needs."""

    speeds: tuple[Speed, ...]
    """The speeds at positions at which all engines were timed, grouped by position."""
    techniques: tuple[TechniqueCost, ...] = ()
    """All techniques, if they are compared."""
    interrupted: bool = False
    internal_error: bool = False
    """Whether an internal error ended the bench early."""
    comparison: Comparison | None = None
    """The comparison of the first engine with an older one, if it was requested."""

    @property
    def exit_code(self) -> ExitCode:
        """The exit status that follows from the counts and the comparison."""
        code = exit_code([one.verdict for one in self.speeds], self.interrupted, self.internal_error)
        is_too_slow = self.comparison is not None and self.comparison.is_too_slow
        return ExitCode.MISMATCH if code is ExitCode.AGREE and is_too_slow else code
