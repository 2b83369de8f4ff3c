"""The confidence interval that is valid after every round: false alarms and power, in seeded simulations."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, repeat

import pytest
from perft_check.harness.model.results.bench import median_interval

RUNS = 400
LOOKS = 60
Draw = Callable[[random.Random], float]

EVEN: dict[str, Draw] = {
    "even": lambda draw: draw.gauss(0, 1),
    "with outliers": lambda draw: draw.gauss(0, 1) / max(1e-3, draw.random()),
    "of two values": lambda draw: draw.choice((-1.0, 1.0)),
    "skew": lambda draw: draw.expovariate(1) - math.log(2),
    "in steps": lambda draw: float(round(draw.gauss(0, 1))),
}
"""Noise whose median is 0."""


def has_alarm(draw: Draw, source: random.Random, shift: float = 0.0) -> bool:
    """Return True if the interval, computed after each value, excludes a median of 0 at any time."""
    seen = accumulate(repeat(None, LOOKS), lambda values, _: [*values, draw(source) + shift], initial=list[float]())
    limits = (median_interval(values, 0.05) for values in seen)
    return any(one is not None and not one[0] <= 0 <= one[1] for one in limits)


def share_of_alarms(draw: Draw, seed: int, shift: float = 0.0) -> float:
    """Return the fraction of simulations in which the true median is excluded."""
    source = random.Random(seed)
    return sum(has_alarm(draw, source, shift) for _ in range(RUNS)) / RUNS


@pytest.mark.parametrize("noise", EVEN)
def test_false_alarms_are_at_most_one_in_twenty(noise: str) -> None:
    assert share_of_alarms(EVEN[noise], seed=2026) <= 0.05


def test_the_exact_error_probability_for_a_fair_coin() -> None:
    """All sequences of 60 tosses, weighted, so that the result does not depend on a seed."""
    states, alarms = {0: Fraction(1)}, Fraction(0)
    for number in range(1, LOOKS + 1):
        tossed: dict[int, Fraction] = {}
        for heads, weight in states.items():
            for more in (0, 1):
                tossed[heads + more] = tossed.get(heads + more, Fraction(0)) + weight / 2
        states = {}
        for heads, weight in tossed.items():
            limits = median_interval([-1.0] * heads + [1.0] * (number - heads), 0.05)
            if limits is not None and not limits[0] <= 0 <= limits[1]:
                alarms += weight
            else:
                states[heads] = weight
    assert 0.02 < float(alarms) <= 0.05


@pytest.mark.parametrize(("shift", "least"), [(0.5, 0.5), (1.0, 0.99), (2.0, 1.0)])
def test_a_difference_is_detected(shift: float, least: float) -> None:
    """The shift is given in standard deviations of a round."""
    assert share_of_alarms(EVEN["even"], seed=7, shift=shift) >= least


@pytest.mark.parametrize(("chance", "fewest"), [(0.05, 7), (0.025, 8), (0.01, 10)])
def test_the_least_number_of_values(chance: float, fewest: int) -> None:
    ordered = [float(number) for number in range(fewest)]
    assert median_interval(ordered[:-1], chance) is None
    assert median_interval(ordered[::-1], chance) == (0.0, fewest - 1)
