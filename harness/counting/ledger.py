"""The ledger of a count by pieces: a file of JSON lines, to which lines are only ever added.

The first line says what is counted, and how the tree is cut. Then there is a line for each piece that was counted, for
each one that another engine has counted as well, and for each worker whose results are discarded. Lines are written
whole. If a process is killed, only the last line may be incomplete, and the next process drops it. The pieces
themselves are not stored, because the same cut gives the same positions; a digest in the first line verifies that.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Any

from filelock import Timeout

from ... import __version__
from ...atomic import write_atomically
from ...errors import UsageError
from ...generator.counting.records import Records, bytes_of, total_games
from ...generator.position import Position
from ..model.locks import locked
from .model import Count, CountedPiece, Cut, Piece, ResultOrigin, Verified

FORMAT = 1
"""Raised when an older perft-check could not read a ledger any more."""
LONGEST_HEAD = 10_000
"""Bytes in which the first line of a ledger ends."""
DIGEST_DIGITS = 32


class LedgerError(UsageError):
    """A ledger that cannot be made, read or written; the message is one line that says why."""


def refusal(path: Path, why: str) -> LedgerError:
    """Return what to raise about a ledger."""
    return LedgerError(f"ledger {str(path)!r}: {why}", str(path))


@dataclass(frozen=True)
class LedgerHead:
    """What the first line says."""

    count: Count
    cut: Cut

    @property
    def line(self) -> bytes:
        """The line."""
        return _line({"ledger": FORMAT, "perft_check": __version__} | asdict(self.count) | asdict(self.cut))


def cut_of(records: Records, piece_positions: int) -> Cut:
    """Return how positions, in their order, are cut into pieces of so many each."""
    digest = hashlib.sha256(bytes_of(records)).hexdigest()[:DIGEST_DIGITS]
    pieces = math.ceil(len(records) / piece_positions)
    return Cut(len(records), total_games(records), pieces, piece_positions, digest)


class Ledger:
    """The pieces of a count and what has become of them. Raises LedgerError where the file cannot be written."""

    def __init__(self, path: Path, head: LedgerHead, records: Records, file: FileIO) -> None:
        self.path, self.count, self.cut = path, head.count, head.cut
        self._records, self._file = records, file
        self._results: dict[int, tuple[CountedPiece, ResultOrigin]] = {}
        self._verified: dict[tuple[int, str], int] = {}

    @cached_property
    def is_black(self) -> bool:
        """Whether Black is to move in the pieces."""
        root = Position.from_fen(self.count.fen, None if self.count.chess960 else False)
        return bool(root.turn) is (self.count.split % 2 == 0)

    def pieces_left(self) -> list[int]:
        """Return the numbers of the pieces that have no result."""
        return [number for number in range(1, self.cut.pieces + 1) if number not in self._results]

    def pieces(self, numbers: Iterable[int]) -> list[Piece]:
        """Return pieces by their numbers, from 1."""
        size = self.cut.piece_positions
        return [Piece(number, bytes_of(self._records[(number - 1) * size : number * size])) for number in numbers]

    def keep(self, results: Sequence[tuple[ResultOrigin, Sequence[CountedPiece]]]) -> list[int]:
        """Keep results; a piece that has one keeps it. Return the numbers of those that are new."""
        new: dict[int, tuple[CountedPiece, ResultOrigin]] = {}
        for origin, counted in results:
            for one in counted:
                if one.number not in self._results:
                    new.setdefault(one.number, (one, origin))
        self._append({**_result_fields(counted), **asdict(origin)} for counted, origin in new.values())
        self._results |= new
        return list(new)

    def done(self) -> tuple[int, float]:
        """Return how many pieces have a result, and the seconds that they took, one after the other."""
        return len(self._results), sum(counted.seconds for counted, _ in self._results.values())

    def nodes(self) -> int:
        """Return the leaf nodes of all results."""
        return sum(counted.nodes for counted, _ in self._results.values())

    def nodes_of(self, piece: int) -> int | None:
        """Return the result of a piece, if it has one."""
        return self._results[piece][0].nodes if piece in self._results else None

    def origin_of(self, piece: int) -> ResultOrigin:
        """Return who has counted a piece that has a result."""
        return self._results[piece][1]

    def digests(self) -> set[str]:
        """Return the digests of the engines that have counted what is kept."""
        return {origin.digest for _, origin in self._results.values()}

    def agreeing_pieces(self, engine: str) -> set[int]:
        """Return the pieces that an engine has counted as well, with the same result."""
        return {
            piece for (piece, by), nodes in self._verified.items() if by == engine and nodes == self.nodes_of(piece)
        }

    def disputes(self) -> list[tuple[int, str]]:
        """Return the pieces that other engines count differently, with these."""
        return sorted(key for key, nodes in self._verified.items() if nodes != self.nodes_of(key[0]))

    def keep_verified(self, verified: Sequence[Verified]) -> list[int]:
        """Keep what another engine has counted. Return the numbers of the pieces whose result is another one."""
        self._append({"piece": one.number, "verified_by": one.engine, "nodes": one.nodes} for one in verified)
        self._verified |= {(one.number, one.engine): one.nodes for one in verified}
        return [one.number for one in verified if one.nodes != self.nodes_of(one.number)]

    def discard(self, origin: ResultOrigin) -> int:
        """Take the results of a worker, and what has verified them, for wrong. Return how many there were."""
        self._append([{"discarded": asdict(origin)}])
        return self._drop(origin)

    def _drop(self, origin: ResultOrigin) -> int:
        wrong = {number for number, (_, by) in self._results.items() if by == origin}
        self._results = {number: one for number, one in self._results.items() if number not in wrong}
        self._verified = {key: nodes for key, nodes in self._verified.items() if key[0] not in wrong}
        return len(wrong)

    def _append(self, values: Iterable[Mapping[str, Any]]) -> None:
        """Add lines, which the system has when this returns."""
        data = b"".join(map(_line, values))
        try:
            while data:  # of a disk that is almost full the system takes less
                data = data[self._file.write(data) :]
        except OSError as error:
            why = f"it cannot be written: {error.strerror}; what it has is kept, and the same command goes on"
            raise refusal(self.path, why) from None

    def read(self, lines: Iterable[bytes]) -> None:
        """Take in the lines behind the first one. Raises LedgerError for one that `_append` does not write."""
        for number, line in enumerate(lines, 2):
            try:
                self._take(json.loads(line))
            except (KeyError, TypeError, ValueError, RecursionError):
                why = f"line {number} is no line of a ledger: remove it, and what it has counted is counted again"
                raise refusal(self.path, why) from None

    def _take(self, values: Mapping[str, Any]) -> None:
        if "discarded" in values:
            self._drop(ResultOrigin(**values["discarded"]))
            return
        piece, nodes = (_whole(values[name]) for name in ("piece", "nodes"))
        if not 1 <= piece <= self.cut.pieces:
            raise ValueError("no such piece")
        if "verified_by" in values:
            self._verified[piece, str(values["verified_by"])] = nodes
        elif piece in self._results:
            raise ValueError("a second result")
        else:
            origin = ResultOrigin(*(str(values[name]) for name in ("worker", "version", "digest")))
            self._results[piece] = CountedPiece(piece, nodes, _seconds(values["seconds"])), origin


def _result_fields(counted: CountedPiece) -> dict[str, Any]:
    return {"piece": counted.number, "nodes": counted.nodes, "seconds": round(counted.seconds, 6)}


def _whole(value: Any) -> int:
    """Return a count. Raises ValueError where it is none."""
    if type(value) is not int or value < 0:
        raise ValueError("no count")
    return int(value)


def _seconds(value: Any) -> float:
    """Return a time. Raises ValueError where it is none."""
    if type(value) not in (int, float) or not 0 <= value < math.inf:
        raise ValueError("no time")
    return float(value)


def _line(values: Mapping[str, Any]) -> bytes:
    return f"{json.dumps(values)}\n".encode()


def read_head(path: Path) -> LedgerHead | None:
    """Return the head of a ledger, or None if the file does not exist or is empty. Raises LedgerError."""
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_HEAD)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refusal(path, f"it cannot be read: {error.strerror}") from None
    if not line:
        return None
    try:
        values = json.loads(line)
        version = _whole(values["ledger"])
        if version < 1:
            raise ValueError("no format")
        if version > FORMAT:
            raise refusal(path, f"it is of format {version}, and this perft-check knows {FORMAT}: update perft-check")
        return _head(values)
    except (KeyError, TypeError, ValueError, RecursionError):
        raise refusal(path, "its first line is not that of a ledger: name another file, or a new one") from None


def _head(values: Mapping[str, Any]) -> LedgerHead:
    numbers = {name: _whole(values[name]) for name in ("depth", "split", "positions", "games", "pieces")}
    size = max(1, _whole(values["piece_positions"]))
    count = Count(
        str(values["fen"]), bool(values["chess960"]), numbers["depth"], numbers["split"], str(values["engine"])
    )
    return LedgerHead(
        count, Cut(numbers["positions"], numbers["games"], numbers["pieces"], size, str(values["digest"]))
    )


@contextmanager
def lock_ledger(path: Path) -> Iterator[None]:
    """Keep others from making a ledger, or counting with it. Raises LedgerError, UsageError where somebody does."""
    _check_place(path)
    with ExitStack() as holding:
        try:
            holding.enter_context(locked(Path(f"{os.path.realpath(path)}.lock"), 0))  # of a link that of its file
        except Timeout:
            why = "another perft-check counts with it: wait for its end, or stop it"
            raise UsageError(f"ledger {str(path)!r}: {why}", str(path)) from None
        except OSError as error:
            why = f"{error.strerror}: name a file in a folder that you may write to, with --ledger"
            raise refusal(path, why) from None
        yield


def _check_place(path: Path) -> None:
    """Raise LedgerError where a ledger cannot be; a pipe would be waited for without end."""
    try:
        if path.is_symlink() and not path.exists():
            raise refusal(path, f"it is a link to {os.readlink(path)!r}, which is not there")
        if path.is_dir():
            raise refusal(path, "it is a folder: name a file in it")
        if path.exists() and not path.is_file():
            raise refusal(path, "it is no regular file")
        if not path.absolute().parent.is_dir():
            raise refusal(path, f"there is no folder {str(path.parent)!r}")
    except (OSError, ValueError) as error:  # a name that is too long, or with a NUL
        raise refusal(path, f"it cannot be opened: {error}") from None


@contextmanager
def open_ledger(path: Path, head: LedgerHead, records: Records) -> Iterator[Ledger]:
    """Open a ledger that is held, to go on with its count; make it where there is none, or an empty file.

    `records` are the positions of the cut. Raises LedgerError.
    """
    if cut_of(records, head.cut.piece_positions) != head.cut:
        raise refusal(path, "another version of perft-check has cut the tree: name another file with --ledger")
    try:
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if not lines or not lines[0].endswith(b"\n"):
            write_atomically(path, head.line)
            lines = [head.line]
        file = path.open("r+b", buffering=0)
    except OSError as error:
        raise refusal(path, f"it cannot be opened: {error.strerror or error}") from None
    with file:
        torn = lines.pop() if not lines[-1].endswith(b"\n") else b""
        file.seek(-len(torn), os.SEEK_END)
        ledger = Ledger(path, head, records, file)
        ledger.read(lines[1:])
        file.truncate()
        yield ledger
        with suppress(OSError):  # it is on no disk
            os.fsync(file.fileno())
