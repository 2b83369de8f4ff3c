"""Read the JSON lines of a ledger."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any


def lines(ledger: Path) -> list[dict[str, Any]]:
    """Return the complete lines of a ledger, which may be being written or not exist."""
    if not ledger.exists():
        return []
    return [json.loads(line) for line in ledger.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def head(ledger: Path) -> dict[str, Any]:
    """Return the first line."""
    return lines(ledger)[0]


def counted(ledger: Path) -> list[dict[str, Any]]:
    """Return the lines with results."""
    return [line for line in lines(ledger)[1:] if "worker" in line]


def result_count(ledger: Path) -> int:
    """Return the number of results."""
    return len(counted(ledger))


def is_complete(ledger: Path) -> bool:
    """Return True if each piece has exactly one result."""
    pieces = sorted(line["piece"] for line in counted(ledger))
    return pieces == list(range(1, head(ledger)["pieces"] + 1))


def workers(ledger: Path) -> dict[str, int]:
    """Return the number of pieces that each worker has counted."""
    return dict(Counter(line["worker"] for line in counted(ledger)))
