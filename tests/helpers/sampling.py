"""Examples of a Hypothesis strategy as a list."""

from __future__ import annotations

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def examples_of(strategy: SearchStrategy[T], number: int, seed: int = 1) -> list[T]:
    """Return `number` examples, or all if there are fewer; always the same for a seed."""
    found: list[T] = []

    @seeded(seed)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found
