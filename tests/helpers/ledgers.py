"""What a ledger has, read by SQLite alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any


def rows(ledger: Path, statement: str) -> list[tuple[Any, ...]]:
    """Return what a statement selects from a ledger, which somebody may be writing."""
    with closing(sqlite3.connect(f"{ledger.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as connection:
        return connection.execute(statement).fetchall()


def results(ledger: Path) -> int:
    """Return how many pieces have a result."""
    try:
        return int(rows(ledger, "SELECT count(*) FROM result")[0][0])
    except sqlite3.Error:  # not yet made
        return 0


def is_whole(ledger: Path) -> bool:
    """Tell whether each piece has one result, of the right piece, and SQLite finds no fault."""
    (pieces,), (kept,) = rows(ledger, "SELECT pieces FROM count")[0], rows(ledger, "SELECT count(*) FROM piece")[0]
    counted = [piece for (piece,) in rows(ledger, "SELECT piece FROM result ORDER BY piece")]
    fine = rows(ledger, "PRAGMA integrity_check") == [("ok",)]
    return bool(fine and pieces == kept and counted == list(range(1, pieces + 1)))


def workers(ledger: Path) -> dict[str, int]:
    """Return how many pieces each worker has counted."""
    statement = "SELECT worker, count(*) FROM result JOIN origin ON origin.id = origin GROUP BY worker"
    return dict(rows(ledger, statement))
