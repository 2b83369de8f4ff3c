"""How many random examples a test looks at: few every time, many with `pytest -m long`."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings


def budget(few: int, many: int) -> pytest.MarkDecorator:
    """Give a test its `number` of examples."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.long)])


def properties(number: int) -> settings:
    """Let a property be tried on so many examples, the same ones each time."""
    return settings(
        max_examples=number, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
