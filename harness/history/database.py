"""Opening the SQLite file of a history, so that many processes may write it, and any may be killed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...errors import UsageError
from .schema import APPLICATION, TABLES, VERSION

PATIENCE = 60.0
"""Seconds that another process may keep the file locked."""
_RETRY_SECONDS = 0.05
_REASONS = {
    "file is not a database": "it is no SQLite database: name another file, or a new one",
    "unable to open": "it cannot be opened: look at its permissions, and at those of its folder",
    "readonly": "it may not be written: look at its permissions, and at those of its folder",
    "disk is full": "the disk is full",
    "disk I/O error": "the disk is full, or does not work",
    "is locked": f"another program has kept it locked for {PATIENCE:.0f} s",
    "malformed": "it is damaged: put a copy in its place, or name another file",
}
"""What users are told for the messages of SQLite."""


class HistoryError(UsageError):
    """A history that cannot be opened, read or written; the message is one line that says why."""


def refusal(path: Path, why: str) -> HistoryError:
    """Return what to raise about a history."""
    return HistoryError(f"history {str(path)!r}: {why}")


def prepare(path: Path) -> None:
    """Make a history, or check that a run can be added to the one that is there. Raises HistoryError."""
    with adding(path):
        pass


@contextmanager
def adding(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a history, made anew where there is none, and write all that the block adds, or nothing of it.

    Others who write wait meanwhile. Raises HistoryError.
    """
    with _opened(path, "rwc") as connection:
        if _is_new(path, connection):
            _enter_wal(path, connection)
        with _transaction(connection):
            if _is_new(path, connection):  # nobody else has made the tables meanwhile
                _make_tables(connection)
            yield connection


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a history that is there, to read it. Raises HistoryError."""
    if not path.exists():
        raise refusal(path, "there is no such file: perft-check run --history FILE makes one")
    with _opened(path, _reading_mode(path)) as connection:
        if _is_new(path, connection):
            raise refusal(path, "it is empty: no run has been kept")
        yield connection


def _reading_mode(path: Path) -> str:
    """Return how SQLite opens a file to read it: if it may write, it takes the files beside it away in the end."""
    if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK):
        return "rw"
    return "ro" if path.with_name(f"{path.name}-wal").exists() else "ro&immutable=1"


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    _check_place(path)
    try:
        address = f"{path.absolute().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise refusal(path, _reason(error)) from None


def _check_place(path: Path) -> None:
    """Raise HistoryError where a file of ours cannot be; a pipe would be waited for without end."""
    try:
        if path.is_dir():
            raise refusal(path, "it is a folder: name a file in it")
        if path.exists() and not path.is_file():
            raise refusal(path, "it is no regular file")
        if not path.absolute().parent.is_dir():
            raise refusal(path, f"there is no folder {str(path.parent)!r}")
    except (OSError, ValueError) as error:  # a name that is too long, or with a NUL
        raise refusal(path, f"it cannot be opened: {error}") from None


def _reason(error: sqlite3.Error) -> str:
    said = str(error)
    return next((reason for part, reason in _REASONS.items() if part in said), said)


def _is_new(path: Path, connection: sqlite3.Connection) -> bool:
    """Tell whether a file has no tables yet. Raises HistoryError where it is not one of ours."""
    if not _number(connection, "SELECT count(*) FROM sqlite_master"):
        return True
    if _number(connection, "PRAGMA application_id") != APPLICATION:
        raise refusal(path, "it is a database of another program: name another file")
    version = _number(connection, "PRAGMA user_version")
    if version > VERSION:
        raise refusal(path, f"it is of version {version}, and this perft-check knows {VERSION}: update perft-check")
    return False


def _number(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])


def _enter_wal(path: Path, connection: sqlite3.Connection) -> None:
    """Have a file written through a log beside it: readers go on while others write. Raises HistoryError.

    SQLite does not wait by itself for another process that does the same.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(_RETRY_SECONDS)
            continue
        if mode == "wal":
            return
        raise refusal(path, "its file system has no shared memory for SQLite's log: name a file on a local disk")


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in (*TABLES, f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {VERSION}"):
        connection.execute(statement)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled back itself
            connection.execute("ROLLBACK")
        raise
