"""Check many cases in one test, and report every case that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def check_each(check: Callable[[T], None], cases: Iterable[T], name: Callable[[T], str] = str) -> None:
    """Call `check` with every case; fail at the end with the names and messages of all failures."""
    failures, checked = [], 0
    for case in cases:
        checked += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            failures.append(f"{name(case)}: {type(error).__name__}: {error}")
    assert checked, "no case to check"
    if failures:
        pytest.fail(f"{len(failures)} of {checked} fail:\n" + "\n".join(failures), pytrace=False)
