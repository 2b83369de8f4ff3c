"""A ledger that is open: one process writes it, and each of its pieces has one result at most.

It is made under another name and then renamed, so that one that is there is whole. What is kept is on the disk when the
call returns, and a process that is killed leaves it as the last call did.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from ....errors import UsageError
from ...model.database import DatabaseError, transaction
from ..model import Count, CountedPiece, Cut, Piece, ResultOrigin, Verified
from . import schema
from .schema import LEDGER

LARGEST = 2**63 - 1
"""The largest integer that SQLite keeps."""


class Ledger:
    """The pieces of a count and what has become of them. Each call raises DatabaseError where the file fails."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection
        try:
            fen, chess960, depth, split, engine, positions, games, pieces = connection.execute(
                schema.SELECT_COUNT
            ).fetchone()
            self.count = Count(str(fen), bool(chess960), int(depth), int(split), str(engine))
            self.cut = Cut(int(positions), int(games), int(pieces))
        except (TypeError, ValueError):
            raise LEDGER.refusal(path, "it is damaged: it does not say what is counted") from None
        self._origins: dict[ResultOrigin, int] = {}

    def pieces_left(self) -> list[int]:
        """Return the numbers of the pieces that have no result."""
        return [number for (number,) in self._connection.execute(schema.SELECT_UNCOUNTED)]

    def pieces(self, numbers: Iterable[int]) -> list[Piece]:
        """Return pieces by their numbers."""
        rows = [self._connection.execute(schema.SELECT_RECORDS, (number,)).fetchone() for number in numbers]
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
                    if self._connection.execute(schema.INSERT_RESULT, row).rowcount:
                        new.append(one.number)
        return new

    def _origin(self, origin: ResultOrigin) -> int | None:
        """Return the number of an origin, or None where it was found to be wrong."""
        if origin not in self._origins:
            row = (origin.worker, origin.engine, origin.version, origin.digest)
            self._connection.execute(schema.INSERT_ORIGIN, row)
            number, is_wrong = self._connection.execute(schema.SELECT_ORIGIN, row).fetchone()
            if is_wrong:
                return None
            self._origins[origin] = number
        return self._origins[origin]

    def done(self) -> tuple[int, float]:
        """Return how many pieces have a result, and the seconds that they took, one after the other."""
        number, microseconds = self._connection.execute(schema.SELECT_DONE).fetchone()
        return number, microseconds / 1e6

    def nodes(self) -> int:
        """Return the leaf nodes of all results."""
        high, low = self._connection.execute(schema.SELECT_HALVES).fetchone()
        large = sum(int(nodes) for (nodes,) in self._connection.execute(schema.SELECT_LARGE))
        return (int(high) << 32) + int(low) + large

    def nodes_of(self, piece: int) -> int | None:
        """Return the result of a piece, if it has one."""
        row = self._connection.execute(schema.SELECT_NODES, (piece,)).fetchone()
        return None if row is None else int(row[0])

    def origin_of(self, piece: int) -> ResultOrigin:
        """Return who has counted a piece that has a result."""
        _, *origin = self._connection.execute(schema.SELECT_ORIGIN_OF, (piece,)).fetchone()
        return ResultOrigin(*origin)

    def agreeing_pieces(self, engine: str) -> set[int]:
        """Return the pieces that an engine has counted as well, with the same result."""
        return {number for (number,) in self._connection.execute(schema.SELECT_VERIFIED, (engine,))}

    def keep_verified(self, verified: Sequence[Verified]) -> list[int]:
        """Keep what another engine has counted. Return the numbers of the pieces whose result is another one."""
        wrong = []
        with transaction(self._connection):
            for one in verified:
                agrees = self.nodes_of(one.number) == one.nodes
                self._connection.execute(schema.INSERT_VERIFIED, (one.number, one.engine, _column(one.nodes), agrees))
                if not agrees:
                    wrong.append(one.number)
        return wrong

    def disputes(self) -> list[tuple[int, str]]:
        """Return the pieces that other engines count differently, with these."""
        return list(self._connection.execute(schema.SELECT_DISPUTED))

    def discard(self, origin: ResultOrigin, for_good: bool) -> int:
        """Take the results of a worker for wrong, and if `for_good` every later one. Return how many there were."""
        with transaction(self._connection):
            number = self._origin(origin)
            if number is None:
                return 0
            if for_good:
                self._connection.execute(schema.MARK_WRONG, (number,))
                del self._origins[origin]
            self._connection.execute(schema.MOVE_RESULTS, (number,))
            self._connection.execute(schema.DELETE_VERIFIED, (number,))
            return self._connection.execute(schema.DELETE_RESULTS, (number,)).rowcount

    def digests(self) -> set[str]:
        """Return the digests of the engines that have counted what is kept."""
        return {digest for (digest,) in self._connection.execute(schema.SELECT_DIGESTS)}

    def wrong_workers(self) -> list[str]:
        """Return the workers that were found to be wrong."""
        return [worker for (worker,) in self._connection.execute(schema.SELECT_WRONG)]

    def results(self) -> Iterator[tuple[Piece, CountedPiece, ResultOrigin]]:
        """Yield each piece that has a result, in order."""
        for number, records, nodes, microseconds, *origin in self._connection.execute(schema.SELECT_EXPORT):
            yield Piece(number, records), CountedPiece(number, int(nodes), microseconds / 1e6), ResultOrigin(*origin)

    def all_verified(self) -> Iterator[tuple[Verified, bool]]:
        """Yield what other engines have counted, and whether the result is the same."""
        for number, engine, nodes, agrees in self._connection.execute(schema.SELECT_ALL_VERIFIED):
            yield Verified(number, engine, int(nodes)), bool(agrees)


def _column(nodes: int) -> int | str:
    return nodes if nodes <= LARGEST else str(nodes)


def make(path: Path, count: Count, positions: int, games: int, pieces: Sequence[int], records: Iterable[bytes]) -> None:
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
                connection.execute(schema.INSERT_COUNT, (*what, positions, str(games), len(pieces), began))
                connection.executemany(schema.INSERT_PIECE, enumerate(_cut(pieces, records), 1))
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
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
def held(path: Path) -> Iterator[None]:
    """Keep others from making a ledger, or counting with it. Raises DatabaseError, UsageError where somebody does."""
    LEDGER.check_place(path)
    lock = FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        why = "another perft-check counts with it: wait for its end, or stop it"
        raise UsageError(f"ledger {str(path)!r}: {why}", str(path)) from None
    except OSError as error:
        raise LEDGER.refusal(
            path, f"{error.strerror}: name a file in a folder that you may write to, with --ledger"
        ) from None
    try:
        yield
    finally:
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()


@contextmanager
def open_ledger(path: Path) -> Iterator[Ledger]:
    """Open a ledger that is there and held, to go on with its count. Raises DatabaseError."""
    if is_absent(path):
        raise LEDGER.refusal(path, LEDGER.absent)
    with LEDGER.connect(path, "rw") as connection:
        if LEDGER.is_new(path, connection):
            raise LEDGER.refusal(path, LEDGER.empty)
        LEDGER.enter_wal(path, connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        ledger = Ledger(path, connection)
        if connection.execute(schema.SELECT_DAMAGE).fetchone()[0]:
            raise LEDGER.refusal(path, "it is damaged: its tables do not fit together")
        yield ledger
