"""The value of a task."""

from __future__ import annotations

import pytest
from perft_check.harness.work.pool import value_of
from perft_check.harness.work.tasks import Done


def test_a_failure_is_raised() -> None:
    assert value_of(Done(1, value=7), ValueError) == 7
    with pytest.raises(ValueError, match=r"^it broke$"):
        value_of(Done(1, failure="it broke"), ValueError)
