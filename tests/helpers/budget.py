"""Numbers of random examples, few by default and many with `pytest -m long`, and marks for both variants."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

CHESS960 = pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
"""Parametrize a test with standard chess and Chess960."""


def budget(few: int, many: int) -> pytest.MarkDecorator:
    """Parametrize a test with a `number` of examples."""
    return pytest.mark.parametrize("number", [few, pytest.param(many, marks=pytest.mark.long)])


def properties(number: int) -> settings:
    """Return settings for `number` examples, always the same ones."""
    return settings(
        max_examples=number, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
