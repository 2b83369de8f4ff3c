"""Default values of options, and parsers of values such as 2M (a count), 512M (memory) and 90s (a time).

Each parser returns a default unchanged, and raises ValueError with a message that gives the value and the allowed
values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from math import inf

FUZZ_DEPTH = 2
DEEPEST_FUZZ = 6
"""Maximum depth of fuzzing. Instead of counting deeper, it is better to check more positions."""
EXPLAINED = 3
"""Default number of failures of one cause to explain."""
SUITE_DEPTH = 4
BENCH_ROUNDS = 3
BENCH_SECONDS = 20.0
"""Total time of a bench in seconds."""
GUARD_ROUNDS = 30
"""Number of rounds that should fit into the total time if speeds are compared with an older engine's."""
LEAST_GUARD_ROUNDS = 8
"""Minimum number of rounds that can distinguish a difference from noise: fewer may all agree by chance."""
GUARD_SECONDS = 0.2
"""Maximum time in seconds per engine in one of these rounds: many short rounds are better than a few long ones."""
SHORTEST_COUNT_SECONDS = 0.02
"""Minimum time to repeat short counts if engines are timed side by side without a comparison."""

_COUNT = re.compile(r"(\d+(?:[_,]\d{3})*|\d+\.\d+)([kmg]?)", re.IGNORECASE)
_COUNT_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_MEMORY = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([MGT])(?:i?B)?", re.IGNORECASE)
_MEMORY_UNITS = {"m": 2**20, "g": 2**30, "t": 2**40}
_TIME = re.compile(r"(\d+(?:\.\d+)?|inf)\s*([smh]?)")
_TIME_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


def whole(least: int, most: int | None = None) -> Callable[[str | int], int]:
    """Return a parser of whole numbers within limits."""
    limits = f"of {least} or more" if most is None else f"from {least} to {most}"

    def number(text: str | int) -> int:
        digits = str(text).strip()
        if re.fullmatch(r"[+-]?\d{1,18}", digits) and least <= int(digits) and (most is None or int(digits) <= most):
            return int(digits)
        raise ValueError(f"{text!r} is not a whole number {limits}")

    return number


def count(least: int) -> Callable[[str | int], int]:
    """Return a parser of counts of nodes or positions, such as 250000, 250,000, 250k, 1.5M or 2G."""

    def number(text: str | int) -> int:
        parts = _COUNT.fullmatch(str(text).strip())
        if parts is not None:
            digits = re.sub("[_,]", "", parts[1])
            size = Decimal(digits) * _COUNT_UNITS[parts[2].lower()]
            if size == int(size) and least <= size < 10**18:
                return int(size)
        raise ValueError(f"{text!r} is not a count of {least} or more: write 250000, 250k, 1.5M or 2G")

    return number


def memory(least: int) -> Callable[[str | int], int]:
    """Return a parser of memory sizes in bytes, such as 512M, 1.5G or 2T."""

    def size(text: str | int) -> int:
        parts = _MEMORY.fullmatch(str(text).strip())
        if parts is not None:
            number = int(Decimal(parts[1]) * _MEMORY_UNITS[parts[2].lower()])
            if number >= least:
                return number
        raise ValueError(f"{text!r} is not a size of {least >> 20} MiB or more, such as 512M or 2G")

    return size


def factor(least: float, most: float) -> Callable[[str | float], float]:
    """Return a parser of numbers within limits, such as 0.95 or 1.25."""

    def number(text: str | float) -> float:
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", str(text).strip()) and least <= float(text) <= most:
            return float(text)
        raise ValueError(f"{text!r} is not a number from {least:g} to {most:g}")

    return number


def seconds(least: float, endless: bool = True) -> Callable[[str | float], float]:
    """Return a parser of times in seconds, such as 60, 60s, 2m or 1.5h, and inf if `endless`."""

    def span(text: str | float) -> float:
        parts = _TIME.fullmatch(str(text).strip())
        length = float(parts[1]) * _TIME_UNITS[parts[2]] if parts else -inf
        if length < least or (length == inf and not endless):
            raise ValueError(f"{text!r} is not a time of {least:g} s or more: write seconds, or 90s, 2m, 1h")
        return length

    return span
