"""The hash key of a position, as engines print it when they are asked to display the position (`d`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = r"(?:zobrist|hash|position|board)?[ _-]*(?:key|hash|zobrist|signature)(?:[ _-]*(?:key|hash|value))?"
_KEY = re.compile(
    rf"^\W*{_NAME}\s*(?:[:=]|\bis\b)\s*(?:0x(?P<prefixed>[0-9a-f_]{{1,20}})|(?P<bare>[0-9a-f]{{5,20}}))\b",
    re.IGNORECASE,
)
"""Such as "Key: 8F8F01D4562F59FB", "Hash key = 0x463b96181691fc9c", "zobrist: 5060803636482931868"."""


def read_key(lines: Iterable[str]) -> str | None:
    """Return the key that a display of the position has, in upper case and without leading zeros; None for none."""
    for line in lines:
        if (match := _KEY.match(line)) is not None:
            text = match["prefixed"] or match["bare"]
            return text.replace("_", "").upper().lstrip("0") or "0"
    return None
