"""The number of random examples of a test, few every time and many with `pytest -m long`, and both kinds of chess."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

CHESS960 = pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
"""Both kinds of chess."""


def budget(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test its `number` of examples."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.long)])


def properties(number: int) -> settings:
    """Let a property be tried on so many examples, the same ones each time."""
    return settings(
        max_examples=number, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
