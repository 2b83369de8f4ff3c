"""SQLite files of ours, opened so that many processes may write them, and any may be killed."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from .shutdown import is_overdue

STOPPED_SECONDS = 2.0
"""How long a query may go on after a signal has asked for the end of the program."""
INSTRUCTIONS = 1_000_000
"""After so many steps of SQLite, some milliseconds, Python handles signals."""
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
    "interrupted": "it takes too long to read: name another file",
    "malformed": "it is damaged: put a copy in its place, or name another file",
}
"""What users read in place of the messages of SQLite."""


class DatabaseError(UsageError):
    """A file that cannot be opened, read or written; the message is one line that says why."""


@dataclass(frozen=True)
class Database:
    """A kind of SQLite file."""

    name: str
    """What messages call it."""
    application: int
    """Marks a file as one of these (`PRAGMA application_id`)."""
    version: int
    """Raised when an older perft-check could not read or write the tables any more (`PRAGMA user_version`)."""
    tables: tuple[str, ...]
    """The statements that make its tables."""
    absent: str
    """What is said where there is no such file."""
    empty: str
    """What is said where there is one without tables."""

    def refusal(self, path: Path, why: str) -> DatabaseError:
        """Return what to raise about a file."""
        return DatabaseError(f"{self.name} {str(path)!r}: {why}", str(path))

    @contextmanager
    def adding(self, path: Path) -> Iterator[sqlite3.Connection]:
        """Open a file, made anew where there is none, and write all that the block adds, or nothing of it.

        Others who write wait meanwhile. Raises DatabaseError.
        """
        with self.connect(path, "rwc") as connection:
            if self.is_new(path, connection):
                self.enter_wal(path, connection)
            else:
                self.check_whole(path, connection)
            with transaction(connection):
                if self.is_new(path, connection):  # no other process has made the tables meanwhile
                    self.make_tables(connection)
                yield connection

    @contextmanager
    def reading(self, path: Path) -> Iterator[sqlite3.Connection]:
        """Open a file that is there, to read it. Raises DatabaseError."""
        if not path.exists():
            raise self.refusal(path, self.absent)
        with self.connect(path, _reading_mode(path)) as connection:
            self.check_whole(path, connection)
            yield connection

    def check_whole(self, path: Path, connection: sqlite3.Connection) -> None:
        """Raise DatabaseError where a file has no tables yet, or its pages do not fit together."""
        if self.is_new(path, connection):
            raise self.refusal(path, self.empty)
        # SQLite itself notices some damage only: rows that are out of order are counted, and not found.
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise self.refusal(path, _REASONS["malformed"])

    @contextmanager
    def connect(self, path: Path, mode: str) -> Iterator[sqlite3.Connection]:
        """Open a file; `mode` is one of SQLite: "rw", "rwc", "ro". Raises DatabaseError, also for the block."""
        self.check_place(path)
        try:
            address = f"{path.absolute().as_uri()}?mode={mode}"
            connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
            # A transaction is short, and goes to its end.
            connection.set_progress_handler(
                lambda: not connection.in_transaction and is_overdue(STOPPED_SECONDS), INSTRUCTIONS
            )
            try:
                yield connection
            finally:
                connection.close()
        except sqlite3.Error as error:
            raise self.refusal(path, _reason(error)) from None
        except UnicodeDecodeError:  # in a name or a text, or in what SQLite says about one
            raise self.refusal(path, "it is damaged: it has text that is not UTF-8") from None

    def check_place(self, path: Path) -> None:
        """Raise DatabaseError where a file of ours cannot be; a pipe would be waited for without end."""
        try:
            if path.is_symlink() and not path.exists():
                raise self.refusal(path, f"it is a link to {os.readlink(path)!r}, which is not there")
            if path.is_dir():
                raise self.refusal(path, "it is a folder: name a file in it")
            if path.exists() and not path.is_file():
                raise self.refusal(path, "it is no regular file")
            if not path.absolute().parent.is_dir():
                raise self.refusal(path, f"there is no folder {str(path.parent)!r}")
        except (OSError, ValueError) as error:  # a name that is too long, or with a NUL
            raise self.refusal(path, f"it cannot be opened: {error}") from None

    def is_new(self, path: Path, connection: sqlite3.Connection) -> bool:
        """Tell whether a file has no tables yet. Raises DatabaseError where it is not one of these."""
        if not _number(connection, "SELECT count(*) FROM sqlite_master"):
            return True
        if _number(connection, "PRAGMA application_id") != self.application:
            raise self.refusal(path, "it is a database of another program: name another file")
        version = _number(connection, "PRAGMA user_version")
        if version > self.version:
            why = f"it is of version {version}, and this perft-check knows {self.version}: update perft-check"
            raise self.refusal(path, why)
        # A view in the place of a table could have rows without end, a trigger could write anything.
        statements = connection.execute(_STATEMENTS).fetchmany(len(self.tables) + 1)
        if sorted(_words(text) for (text,) in statements) != sorted(map(_words, self.tables)):
            raise self.refusal(path, f"its tables are not those of a {self.name}: name another file")
        return False

    def enter_wal(self, path: Path, connection: sqlite3.Connection) -> None:
        """Have a file written through a log beside it: readers go on while others write. Raises DatabaseError.

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
            raise self.refusal(
                path, "its file system has no shared memory for SQLite's log: name a file on a local disk"
            )

    def make_tables(self, connection: sqlite3.Connection) -> None:
        """Make the tables of a new file."""
        marks = f"PRAGMA application_id = {self.application}", f"PRAGMA user_version = {self.version}"
        for statement in (*self.tables, *marks):
            connection.execute(statement)


_STATEMENTS = """SELECT sql FROM sqlite_master
    WHERE sql IS NOT NULL AND NOT (name = 'sqlite_sequence' AND sql = 'CREATE TABLE sqlite_sequence(name,seq)')"""
"""What has made the tables and all else, less what SQLite makes itself."""


def _words(statement: object) -> list[str]:
    return str(statement).split()


def _reading_mode(path: Path) -> str:
    """Return how SQLite opens a file to read it: if it may write, it takes the files beside it away in the end."""
    if os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK):
        return "rw"
    return "ro" if path.with_name(f"{path.name}-wal").exists() else "ro&immutable=1"


def _reason(error: sqlite3.Error) -> str:
    said = str(error)
    return next((reason for part, reason in _REASONS.items() if part in said), said)


def _number(connection: sqlite3.Connection, statement: str) -> int:
    return int(connection.execute(statement).fetchone()[0])


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all that the block writes, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled back itself
            connection.execute("ROLLBACK")
        raise
