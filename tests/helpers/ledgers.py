"""What a ledger has, read as JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any


def lines(ledger: Path) -> list[dict[str, Any]]:
    """Return the whole lines of a ledger, which somebody may be writing; none of one that is not there."""
    if not ledger.exists():
        return []
    return [json.loads(line) for line in ledger.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def head(ledger: Path) -> dict[str, Any]:
    """Return what the first line says."""
    return lines(ledger)[0]


def counted(ledger: Path) -> list[dict[str, Any]]:
    """Return the lines of results, also of those that were discarded."""
    return [line for line in lines(ledger)[1:] if "worker" in line]


def results(ledger: Path) -> int:
    """Return how many results were written."""
    return len(counted(ledger))


def is_whole(ledger: Path) -> bool:
    """Return True if each piece has one result, where none was discarded."""
    pieces = sorted(line["piece"] for line in counted(ledger))
    return pieces == list(range(1, head(ledger)["pieces"] + 1))


def workers(ledger: Path) -> dict[str, int]:
    """Return how many pieces each worker has counted."""
    return dict(Counter(line["worker"] for line in counted(ledger)))
