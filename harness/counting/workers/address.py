"""Addresses of schedulers."""

from __future__ import annotations

import re

from ....errors import UsageError


def check_address(address: str) -> None:
    """Raise UsageError for what cannot be the address of a scheduler."""
    found = re.fullmatch(r"(?:tcp|tls|ws|wss)://(?:[^\s/:]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})", address)
    if found is None or not 0 < int(found[1]) < 1 << 16:
        raise UsageError(f"{address!r} is no address of a scheduler: write tcp://HOST:8786")


def no_certificates(address: str) -> UsageError:
    """Return what to raise where Dask is not told the certificates for TLS."""
    return UsageError(f"{address} needs certificates: give Dask its TLS settings, as docs/counting.md says")
