"""Where things stand on a curve: seconds on a logarithmic axis, a number such as that of families on a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log

SHORTEST = 0.1
"""Seconds at which the axis begins, unless the budget is too small for that."""


@dataclass(frozen=True)
class Axes:
    """The two axes; a time before the first one shown stands at the left edge."""

    budget: float
    """Seconds at which the axis of time ends."""
    families: int
    """Families at which the other one ends."""

    @property
    def shortest(self) -> float:
        """Seconds at which the axis of time begins."""
        return min(SHORTEST, self.budget / 10)

    def across(self, seconds: float) -> float:
        """Return where a time stands, from 0 to 1."""
        if seconds <= self.shortest:
            return 0.0
        return min(1.0, log(seconds / self.shortest) / log(self.budget / self.shortest))

    def up(self, families: float) -> float:
        """Return where a number of families stands, from 0 to 1."""
        return families / self.families

    @property
    def second_ticks(self) -> list[float]:
        """Ones, twos and fives within the axis of time."""
        decades = range(floor(log(self.shortest, 10)) - 1, ceil(log(self.budget, 10)) + 1)
        ticks = [float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)]
        return [tick for tick in ticks if self.shortest <= tick <= self.budget]

    @property
    def family_ticks(self) -> list[int]:
        """At most six round numbers within the other axis, from 0 on."""
        steps = (digit * 10**decade for decade in range(5) for digit in (1, 2, 5))
        step = next(step for step in steps if self.families <= 5 * step)
        return list(range(0, self.families + 1, step))


def spread(wanted: Sequence[float], gap: float, lowest: float, highest: float) -> list[float]:
    """Return places for labels near those wanted, at least `gap` apart and within the limits if there is room."""
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number], number))
    places = [0.0] * len(wanted)
    least = lowest
    for number in order:
        places[number] = max(wanted[number], least)
        least = places[number] + gap
    most = highest
    for number in reversed(order):
        places[number] = min(places[number], most)
        most = places[number] - gap
    return places
