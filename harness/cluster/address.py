"""Addresses of schedulers."""

from __future__ import annotations

import re

from ...errors import UsageError


def check_address(address: str) -> None:
    """Raise UsageError for what cannot be the address of a scheduler."""
    found = re.fullmatch(r"(?:tcp|tls|ws|wss)://(?:[^\s/:]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})", address)
    if found is None or not 0 < int(found[1]) < 1 << 16:
        raise UsageError(f"{address!r} is no address of a scheduler: write tcp://HOST:8786")
