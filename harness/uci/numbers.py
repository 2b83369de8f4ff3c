"""Whole numbers in commands."""

from __future__ import annotations

from ...errors import UsageError


def whole(text: str, least: int, most: int, what: str) -> int:
    """Return a whole number within bounds. Raises UsageError, which says what it is."""
    is_short = len(text) <= len(str(most))  # Python refuses to read very long numbers
    number = int(text) if is_short and text.isascii() and text.isdigit() else least - 1
    if not least <= number <= most:
        raise UsageError(f"{what} is a whole number from {least} to {most}, not {text!r}")
    return number
