"""Complaints of ours as those of pytest: in one line, and without our code in a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

import pytest

from ...errors import Complaint, shorten

P = ParamSpec("P")
T = TypeVar("T")

LONGEST = 1_000
"""Characters of a complaint; what the user has written may be longer than that."""


@contextmanager
def as_usage_errors() -> Iterator[None]:
    """Have a complaint end pytest, with its exit status 4."""
    try:
        yield
    except Complaint as complaint:
        raise pytest.UsageError(shorten(str(complaint), LONGEST)) from None


@contextmanager
def as_failures() -> Iterator[None]:
    """Have a complaint fail the test."""
    __tracebackhide__ = True
    try:
        yield
    except Complaint as complaint:
        raise pytest.fail.Exception(shorten(str(complaint), LONGEST), pytrace=False) from None


def raising_for_the_test(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function that a test calls raise what it raises as if it had no inside: the line of the test is shown."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return function(*arguments, **named)
        except (Complaint, TypeError, ValueError) as error:
            raise error.with_traceback(None) from None

    return call
