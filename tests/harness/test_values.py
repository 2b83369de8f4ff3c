"""Parsers of option values: counts, times and whole numbers."""

from __future__ import annotations

import importlib
import sys
from math import inf
from types import ModuleType
from typing import Any

import pytest
from perft_check.harness import values
from perft_check.harness.fuzzing.hypothesis_batch import _no_constants_of_modules


def test_counts() -> None:
    counts = {
        "0": 0,
        "250000": 250_000,
        "250_000": 250_000,
        "1,000,000": 10**6,
        "250k": 250_000,
        "1K": 1000,
        "1M": 10**6,
        "1.5M": 1_500_000,
        "2G": 2 * 10**9,
        "2g": 2 * 10**9,
    }
    assert {text: values.count(0)(text) for text in counts} == counts


@pytest.mark.parametrize("text", ["", "M", "-1", "1.5", "1.0005k", "1T", "1 M M", "1e6", "10,00", "9" * 30])
def test_invalid_counts(text: str) -> None:
    with pytest.raises(ValueError, match="is not a count") as raised:
        values.count(0)(text)
    assert str(raised.value) == f"{text!r} is not a count of 0 or more: write 250000, 250k, 1.5M or 2G"


def test_times_and_whole_numbers() -> None:
    spans = {"60": 60, "60s": 60, "2m": 120, "1.5h": 5400, " 0.5 s": 0.5, "inf": inf}
    assert {text: values.seconds(0.1)(text) for text in spans} == spans
    for text in ("", "0", "s", "-1", "1d", "nan"):
        with pytest.raises(ValueError, match=r" is not a time of 0.1 s or more: write seconds, or 90s, 2m, 1h$"):
            values.seconds(0.1)(text)
    assert [values.whole(1, 64)(text) for text in ("1", " 64 ", "+7")] == [1, 64, 7]
    for text in ("0", "65", "x", "1.0", "", "9" * 30):
        with pytest.raises(ValueError, match=r"is not a whole number from 1 to 64$"):
            values.whole(1, 64)(text)
    with pytest.raises(ValueError, match=r"^'-1' is not a whole number of 0 or more$"):
        values.whole(0)("-1")


providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")


def test_numbers_of_modules_are_left_out_where_hypothesis_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    before = providers._get_local_constants
    with _no_constants_of_modules():
        assert providers._get_local_constants is providers.Constants
    assert providers._get_local_constants is before
    monkeypatch.setitem(sys.modules, providers.__name__, ModuleType(providers.__name__))
    with _no_constants_of_modules():
        assert providers._get_local_constants is before
