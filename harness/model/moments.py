"""Moments in UTC, as files keep them and as people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return the time as ISO 8601 writes it: "2026-11-22T11:58:03Z"."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def readable(moment: str) -> str:
    """Return what `now` has returned as people read it: "2026-11-22 11:58:03"."""
    return moment.replace("T", " ").removesuffix("Z")
