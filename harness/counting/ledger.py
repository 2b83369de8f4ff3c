"""The ledger of a count by pieces, a SQLite file: the pieces, one result of each at most, and who has counted it.

One process writes it. It is made under another name and then renamed, so that one that is there is whole. What is kept
is on the disk when the call returns, and a process that is killed leaves it as the last call did. `export_lines` writes
it as JSON.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import Timeout

from ... import __version__
from ...atomic import replace_file
from ...errors import UsageError
from ...generator.counting.records import RECORD_BYTES, records_in
from ...generator.position import Position
from ..model.database import Database, DatabaseError, transaction
from ..model.locks import locked
from .model import Count, CountedPiece, Cut, Piece, ResultOrigin, Verified, positions_in

TABLES = (
    """CREATE TABLE count (
        fen TEXT NOT NULL, chess960 INTEGER NOT NULL, depth INTEGER NOT NULL, split INTEGER NOT NULL,
        engine TEXT NOT NULL, positions INTEGER NOT NULL, games TEXT NOT NULL, pieces INTEGER NOT NULL,
        began TEXT NOT NULL)""",
    "CREATE TABLE piece (number INTEGER PRIMARY KEY, records BLOB NOT NULL)",
    """CREATE TABLE origin (
        id INTEGER PRIMARY KEY, worker TEXT NOT NULL, engine TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
        is_wrong INTEGER NOT NULL DEFAULT 0, UNIQUE (worker, engine, version, digest))""",
    """CREATE TABLE result (
        piece INTEGER PRIMARY KEY REFERENCES piece, nodes NOT NULL, microseconds INTEGER NOT NULL,
        origin INTEGER NOT NULL REFERENCES origin)""",
    """CREATE TABLE verified (
        piece INTEGER NOT NULL REFERENCES piece, engine TEXT NOT NULL, nodes NOT NULL, agrees INTEGER NOT NULL,
        PRIMARY KEY (piece, engine)) WITHOUT ROWID""",
    """CREATE TABLE discarded (
        piece INTEGER NOT NULL REFERENCES piece, nodes NOT NULL, origin INTEGER NOT NULL REFERENCES origin)""",
)
"""What is counted, one row; its pieces; who has counted; the result of each piece, one at most; those that another
generator has counted; results of a worker that was found to be wrong.

Nodes are an integer, or from 2**63 on its decimal digits.
"""

LEDGER = Database(
    name="ledger",
    application=0x50434C31,
    version=1,
    tables=TABLES,
    absent="there is no such file: perft-check count --ledger FILE makes one",
    empty="it is empty: nothing was counted with it",
)
"""The SQLite file of a ledger."""

_NODES = """(typeof(nodes) = 'integer' AND nodes >= 0
        OR typeof(nodes) = 'text' AND nodes GLOB '[1-9]*' AND nodes NOT GLOB '*[^0-9]*')"""
SELECT_DAMAGE = f"""SELECT (SELECT count(*) FROM count) <> 1
    OR (SELECT (count(*), coalesce(min(number), 1), coalesce(max(number), 0))
        IS NOT ((SELECT pieces FROM count), 1, count(*)) FROM piece)
    OR EXISTS (SELECT 1 FROM piece WHERE typeof(records) <> 'blob' OR length(records) % {RECORD_BYTES} <> 0)
    OR EXISTS (SELECT 1 FROM result WHERE NOT {_NODES} OR typeof(microseconds) <> 'integer'
        OR piece NOT IN (SELECT number FROM piece) OR origin NOT IN (SELECT id FROM origin))
    OR EXISTS (SELECT 1 FROM verified WHERE NOT {_NODES} OR piece NOT IN (SELECT number FROM piece))"""
"""Tells whether the tables do not fit together, or have what was never written into them."""
INSERT_COUNT = "INSERT INTO count VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PIECE = "INSERT INTO piece VALUES (?, ?)"
SELECT_COUNT = "SELECT fen, chess960, depth, split, engine, positions, games, pieces FROM count"
SELECT_UNCOUNTED = "SELECT number FROM piece WHERE number NOT IN (SELECT piece FROM result) ORDER BY number"
SELECT_RECORDS = "SELECT number, records FROM piece WHERE number = ?"
INSERT_ORIGIN = "INSERT OR IGNORE INTO origin (worker, engine, version, digest) VALUES (?, ?, ?, ?)"
SELECT_ORIGIN = "SELECT id, is_wrong FROM origin WHERE worker = ? AND engine = ? AND version = ? AND digest = ?"
INSERT_RESULT = "INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?)"
SELECT_DONE = "SELECT count(*), total(microseconds) FROM result"
SELECT_HALVES = """SELECT coalesce(sum(nodes >> 32), 0), coalesce(sum(nodes & 0xFFFFFFFF), 0)
    FROM result WHERE typeof(nodes) = 'integer'"""
SELECT_LARGE = "SELECT nodes FROM result WHERE typeof(nodes) = 'text'"
SELECT_NODES = "SELECT nodes FROM result WHERE piece = ?"
INSERT_VERIFIED = "INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)"
SELECT_VERIFIED = "SELECT piece FROM verified WHERE engine = ? AND agrees"
SELECT_ORIGIN_OF = """SELECT origin.id, worker, engine, version, digest FROM result JOIN origin ON origin.id = origin
    WHERE piece = ?"""
SELECT_DISPUTED = "SELECT piece, engine FROM verified WHERE NOT agrees ORDER BY piece, engine"
SELECT_DIGESTS = "SELECT DISTINCT digest FROM origin WHERE id IN (SELECT origin FROM result)"
MARK_WRONG = "UPDATE origin SET is_wrong = 1 WHERE id = ?"
MOVE_RESULTS = "INSERT INTO discarded SELECT piece, nodes, origin FROM result WHERE origin = ?"
DELETE_VERIFIED = "DELETE FROM verified WHERE piece IN (SELECT piece FROM result WHERE origin = ?)"
DELETE_RESULTS = "DELETE FROM result WHERE origin = ?"
SELECT_EXPORT = """SELECT piece.number, records, nodes, microseconds, worker, engine, version, digest
    FROM piece JOIN result ON piece.number = piece JOIN origin ON origin.id = origin ORDER BY piece.number"""
SELECT_ALL_VERIFIED = "SELECT piece, engine, nodes, agrees FROM verified ORDER BY piece, engine"
SELECT_WRONG = "SELECT worker FROM origin WHERE is_wrong ORDER BY id"
LARGEST = 2**63 - 1
"""The largest integer that SQLite keeps."""
EXPORT_SCHEMA = 1


class Ledger:
    """The pieces of a count and what has become of them. Each call raises DatabaseError where the file fails."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        try:
            fen, chess960, depth, split, engine, positions, games, pieces = connection.execute(SELECT_COUNT).fetchone()
            self.count = Count(str(fen), bool(chess960), int(depth), int(split), str(engine))
            self.cut = Cut(int(positions), int(games), int(pieces))
        except (TypeError, ValueError):
            raise LEDGER.refusal(path, "it is damaged: it does not say what is counted") from None
        self._origins: dict[ResultOrigin, int] = {}

    @cached_property
    def is_black(self) -> bool:
        """Whether Black is to move in the pieces."""
        root = Position.from_fen(self.count.fen, None if self.count.chess960 else False)
        return bool(root.turn) is (self.count.split % 2 == 0)

    def pieces_left(self) -> list[int]:
        """Return the numbers of the pieces that have no result."""
        return [number for (number,) in self._connection.execute(SELECT_UNCOUNTED)]

    def pieces(self, numbers: Iterable[int]) -> list[Piece]:
        """Return pieces by their numbers."""
        rows = [self._connection.execute(SELECT_RECORDS, (number,)).fetchone() for number in numbers]
        if None in rows:
            raise LEDGER.refusal(self.path, "it is damaged: a piece is listed and not there")
        return [Piece(number, records) for number, records in rows]

    def keep(self, results: Sequence[tuple[ResultOrigin, Sequence[CountedPiece]]]) -> list[int]:
        """Keep results, all or none; a piece that has one keeps it. Return the numbers of those that are new.

        Those of a worker that was found to be wrong are left out.
        """
        new: list[int] = []
        with transaction(self._connection):
            for origin, counted in results:
                if (number := self._origin(origin)) is None:
                    continue
                for one in counted:
                    row = (one.number, _column(one.nodes), round(1e6 * one.seconds), number)
                    if self._connection.execute(INSERT_RESULT, row).rowcount:
                        new.append(one.number)
        return new

    def _origin(self, origin: ResultOrigin) -> int | None:
        """Return the number of an origin, or None where it was found to be wrong."""
        if origin not in self._origins:
            row = (origin.worker, origin.engine, origin.version, origin.digest)
            self._connection.execute(INSERT_ORIGIN, row)
            number, is_wrong = self._connection.execute(SELECT_ORIGIN, row).fetchone()
            if is_wrong:
                return None
            self._origins[origin] = number
        return self._origins[origin]

    def done(self) -> tuple[int, float]:
        """Return how many pieces have a result, and the seconds that they took, one after the other."""
        number, microseconds = self._connection.execute(SELECT_DONE).fetchone()
        return number, microseconds / 1e6

    def nodes(self) -> int:
        """Return the leaf nodes of all results."""
        high, low = self._connection.execute(SELECT_HALVES).fetchone()
        large = sum(int(nodes) for (nodes,) in self._connection.execute(SELECT_LARGE))
        return (int(high) << 32) + int(low) + large

    def nodes_of(self, piece: int) -> int | None:
        """Return the result of a piece, if it has one."""
        row = self._connection.execute(SELECT_NODES, (piece,)).fetchone()
        return None if row is None else int(row[0])

    def origin_of(self, piece: int) -> ResultOrigin:
        """Return who has counted a piece that has a result."""
        _, *origin = self._connection.execute(SELECT_ORIGIN_OF, (piece,)).fetchone()
        return ResultOrigin(*origin)

    def agreeing_pieces(self, engine: str) -> set[int]:
        """Return the pieces that an engine has counted as well, with the same result."""
        return {number for (number,) in self._connection.execute(SELECT_VERIFIED, (engine,))}

    def keep_verified(self, verified: Sequence[Verified]) -> list[int]:
        """Keep what another engine has counted. Return the numbers of the pieces whose result is another one."""
        wrong = []
        with transaction(self._connection):
            for one in verified:
                agrees = self.nodes_of(one.number) == one.nodes
                self._connection.execute(INSERT_VERIFIED, (one.number, one.engine, _column(one.nodes), agrees))
                if not agrees:
                    wrong.append(one.number)
        return wrong

    def disputes(self) -> list[tuple[int, str]]:
        """Return the pieces that other engines count differently, with these."""
        return list(self._connection.execute(SELECT_DISPUTED))

    def discard(self, origin: ResultOrigin, for_good: bool) -> int:
        """Take the results of a worker for wrong, and if `for_good` every later one. Return how many there were."""
        with transaction(self._connection):
            number = self._origin(origin)
            if number is None:
                return 0
            if for_good:
                self._connection.execute(MARK_WRONG, (number,))
                del self._origins[origin]
            self._connection.execute(MOVE_RESULTS, (number,))
            self._connection.execute(DELETE_VERIFIED, (number,))
            return self._connection.execute(DELETE_RESULTS, (number,)).rowcount

    def digests(self) -> set[str]:
        """Return the digests of the engines that have counted what is kept."""
        return {digest for (digest,) in self._connection.execute(SELECT_DIGESTS)}

    def wrong_workers(self) -> list[str]:
        """Return the workers that were found to be wrong."""
        return [worker for (worker,) in self._connection.execute(SELECT_WRONG)]

    def results(self) -> Iterator[tuple[Piece, CountedPiece, ResultOrigin]]:
        """Yield each piece that has a result, in order."""
        for number, records, nodes, microseconds, *origin in self._connection.execute(SELECT_EXPORT):
            yield Piece(number, records), CountedPiece(number, int(nodes), microseconds / 1e6), ResultOrigin(*origin)

    def all_verified(self) -> Iterator[tuple[Verified, bool]]:
        """Yield what other engines have counted, and whether the result is the same."""
        for number, engine, nodes, agrees in self._connection.execute(SELECT_ALL_VERIFIED):
            yield Verified(number, engine, int(nodes)), bool(agrees)


def _column(nodes: int) -> int | str:
    return nodes if nodes <= LARGEST else str(nodes)


def make_ledger(
    path: Path, count: Count, positions: int, games: int, pieces: Sequence[int], records: Iterable[bytes]
) -> None:
    """Make a ledger. `pieces` has the bytes of each piece, `records` those of all, in blocks of any size.

    Raises DatabaseError.
    """
    temporary = path.with_name(f".perft-check-{secrets.token_hex(8)}.tmp")
    try:
        with LEDGER.connect(temporary, "rwc") as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            LEDGER.make_tables(connection)
            with transaction(connection):
                began = datetime.now(UTC).isoformat(timespec="seconds")
                what = count.fen, count.chess960, count.depth, count.split, count.engine
                connection.execute(INSERT_COUNT, (*what, positions, str(games), len(pieces), began))
                connection.executemany(INSERT_PIECE, enumerate(_cut(pieces, records), 1))
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        replace_file(temporary, path)
    except DatabaseError as error:
        temporary.unlink(missing_ok=True)
        raise DatabaseError(str(error).replace(str(temporary), str(path))) from None
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _cut(sizes: Sequence[int], blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of blocks in pieces of these sizes."""
    source, waiting = iter(blocks), bytearray()
    for size in sizes:
        while len(waiting) < size:
            waiting += next(source)
        yield bytes(waiting[:size])
        del waiting[:size]


def is_absent(path: Path) -> bool:
    """Tell whether there is no ledger yet; an empty file is none."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


@contextmanager
def lock_ledger(path: Path) -> Iterator[None]:
    """Keep others from making a ledger, or counting with it. Raises DatabaseError, UsageError where somebody does."""
    LEDGER.check_place(path)
    with ExitStack() as holding:
        try:
            holding.enter_context(locked(Path(f"{path}.lock"), 0))
        except Timeout:
            why = "another perft-check counts with it: wait for its end, or stop it"
            raise UsageError(f"ledger {str(path)!r}: {why}", str(path)) from None
        except OSError as error:
            raise LEDGER.refusal(
                path, f"{error.strerror}: name a file in a folder that you may write to, with --ledger"
            ) from None
        yield


@contextmanager
def open_ledger(path: Path) -> Iterator[Ledger]:
    """Open a ledger that is there and held, to go on with its count. Raises DatabaseError."""
    if is_absent(path):
        raise LEDGER.refusal(path, LEDGER.absent)
    with LEDGER.connect(path, "rw") as connection:
        LEDGER.check_whole(path, connection)
        LEDGER.enter_wal(path, connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        ledger = Ledger(path, connection)
        if connection.execute(SELECT_DAMAGE).fetchone()[0]:
            raise LEDGER.refusal(path, "it is damaged: its tables do not fit together")
        yield ledger


def export_lines(ledger: Ledger) -> Iterator[bytes]:
    """Yield the lines of a ledger: the count, its results in the order of the pieces, what was verified."""
    yield _line(_count(ledger))
    for piece, counted, origin in ledger.results():
        yield _line(_result(ledger, piece, counted, origin))
    for verified, agrees in ledger.all_verified():
        yield _line({"verified": verified.number, "engine": verified.engine, "nodes": verified.nodes, "agrees": agrees})


def _count(ledger: Ledger) -> dict[str, Any]:
    count, cut = ledger.count, ledger.cut
    done, seconds = ledger.done()
    return {
        "schema": EXPORT_SCHEMA,
        "perft_check": __version__,
        "fen": count.fen,
        "chess960": count.chess960,
        "depth": count.depth,
        "split": count.split,
        "positions": cut.positions,
        "games": cut.games,
        "pieces": cut.pieces,
        "done": done,
        "nodes": ledger.nodes(),
        "seconds": seconds,
        "wrong_workers": ledger.wrong_workers(),
    }


def _result(ledger: Ledger, piece: Piece, counted: CountedPiece, origin: ResultOrigin) -> dict[str, Any]:
    records = records_in(piece.records)
    positions = positions_in(records, ledger.is_black, ledger.count.chess960)
    return {
        "piece": piece.number,
        "nodes": counted.nodes,
        "seconds": counted.seconds,
        "worker": origin.worker,
        "engine": origin.engine,
        "version": origin.version,
        "digest": origin.digest,
        "positions": [
            {"fen": position.fen(), "games": games}
            for position, games in zip(positions, records[:, 3].tolist(), strict=True)
        ],
    }


def _line(values: dict[str, Any]) -> bytes:
    return f"{json.dumps(values)}\n".encode()
