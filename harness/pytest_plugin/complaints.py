"""Complaints of ours as those of pytest: one line, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ...errors import Complaint, shortened

LONGEST = 1_000
"""Characters of a complaint; what the user has written may be longer than that."""


@contextmanager
def as_usage_errors() -> Iterator[None]:
    """Have a complaint end pytest, with its exit status 4."""
    try:
        yield
    except Complaint as complaint:
        raise pytest.UsageError(shortened(str(complaint), LONGEST)) from None


@contextmanager
def as_failures() -> Iterator[None]:
    """Have a complaint fail the test."""
    __tracebackhide__ = True
    try:
        yield
    except Complaint as complaint:
        pytest.fail(shortened(str(complaint), LONGEST), pytrace=False)
