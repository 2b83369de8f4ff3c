"""The ledger of a count in pieces: an append-only file in the JSON Lines format.

The first line describes the count and how the tree is cut. Each other line contains the result of a piece
(`CountedPiece` and `ResultOrigin`). If a process is killed, only the last line may be incomplete, and the next process
drops it. The pieces are not stored, because the same cut always gives the same positions; a digest in the first line
verifies this.
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

import msgspec
from filelock import Timeout

from ... import __version__
from ...atomic import locked, write_atomically
from ...errors import UsageError
from ...generator.counting.records import Records, bytes_of, total_games
from ...generator.position import Position
from .model import Count, CountedPiece, Cut, Piece, Positive, ResultOrigin

FORMAT = 1
"""The format version. It is incremented if older versions of perft-check cannot read the new format."""
LONGEST_HEAD = 10_000
"""Maximum length of the first line in bytes."""
DIGEST_DIGITS = 32


class LedgerError(UsageError):
    """A ledger that cannot be created, read or written; the message is one line."""


def refusal(path: Path, why: str) -> LedgerError:
    """Return the error for an unusable ledger."""
    return LedgerError(f"ledger {str(path)!r}: {why}", str(path))


@dataclass(frozen=True)
class LedgerHead:
    """The content of the first line."""

    count: Count
    cut: Cut

    @property
    def line(self) -> bytes:
        """The encoded line."""
        return _line({"ledger": FORMAT, "perft_check": __version__} | asdict(self.count) | asdict(self.cut))


def cut_of(records: Records, piece_positions: int) -> Cut:
    """Return the cut of sorted positions into pieces of `piece_positions` each."""
    digest = hashlib.sha256(bytes_of(records)).hexdigest()[:DIGEST_DIGITS]
    pieces = math.ceil(len(records) / piece_positions)
    return Cut(len(records), total_games(records), pieces, piece_positions, digest)


class Ledger:
    """The pieces of a count and their results. Methods raise LedgerError if the file cannot be written."""

    def __init__(self, path: Path, head: LedgerHead, records: Records, file: FileIO) -> None:
        self.path, self.count, self.cut = path, head.count, head.cut
        self._records, self._file = records, file
        self._results: dict[int, tuple[CountedPiece, ResultOrigin]] = {}

    @cached_property
    def is_black(self) -> bool:
        """Whether Black is to move in the positions of the pieces."""
        root = Position.from_fen(self.count.fen, None if self.count.chess960 else False)
        return bool(root.turn) is (self.count.split % 2 == 0)

    def pieces_left(self) -> list[int]:
        """Return the numbers of the pieces that have no result."""
        return [number for number in range(1, self.cut.pieces + 1) if number not in self._results]

    def pieces(self, numbers: Iterable[int]) -> list[Piece]:
        """Return the pieces with the given numbers, counted from 1."""
        size = self.cut.piece_positions
        return [Piece(number, bytes_of(self._records[(number - 1) * size : number * size])) for number in numbers]

    def keep(self, results: Sequence[tuple[ResultOrigin, Sequence[CountedPiece]]]) -> list[int]:
        """Store results of pieces that have none yet, and return the numbers of these pieces."""
        new: dict[int, tuple[CountedPiece, ResultOrigin]] = {}
        for origin, counted in results:
            for one in counted:
                if one.piece not in self._results:
                    new.setdefault(one.piece, (one, origin))
        self._append(asdict(counted) | asdict(origin) for counted, origin in new.values())
        self._results |= new
        return list(new)

    def done(self) -> tuple[int, float]:
        """Return the number of pieces with a result, and the total time they took in seconds."""
        return len(self._results), sum(counted.seconds for counted, _ in self._results.values())

    def nodes(self) -> int:
        """Return the total number of leaf nodes in all results."""
        return sum(counted.nodes for counted, _ in self._results.values())

    def digests(self) -> set[str]:
        """Return the engine digests of all results."""
        return {origin.digest for _, origin in self._results.values()}

    def _append(self, values: Iterable[Mapping[str, Any]]) -> None:
        """Append lines, and pass them to the operating system before returning."""
        data = b"".join(map(_line, values))
        try:
            while data:  # a nearly full disk may accept only part of it
                data = data[self._file.write(data) :]
        except OSError as error:
            why = f"it cannot be written: {error.strerror}; its results are kept, and the same command continues"
            raise refusal(self.path, why) from None

    def read(self, lines: Iterable[bytes]) -> None:
        """Read the lines after the first one. Raises LedgerError if one is invalid."""
        for number, line in enumerate(lines, 2):
            try:
                self._take(msgspec.json.decode(line, type=dict[str, Any]))
            except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
                why = f"line {number} is invalid: remove it, so that its piece is counted again"
                raise refusal(self.path, why) from None

    def _take(self, values: Mapping[str, Any]) -> None:
        one = msgspec.convert(values, CountedPiece)
        if one.piece > self.cut.pieces:
            raise ValueError("no such piece")
        if one.piece in self._results:
            raise ValueError("a second result")
        self._results[one.piece] = one, msgspec.convert(values, ResultOrigin)


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
        values = msgspec.json.decode(line, type=dict[str, Any])
        version = msgspec.convert(values.get("ledger"), Positive)
        if version > FORMAT:
            raise refusal(path, f"its format is {version}, but this version reads {FORMAT}: update perft-check")
        return LedgerHead(msgspec.convert(values, Count), msgspec.convert(values, Cut))
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        raise refusal(path, "not a ledger file: give another file, or a new one") from None


@contextmanager
def lock_ledger(path: Path) -> Iterator[None]:
    """Hold the lock of a ledger. Raises UsageError if another process holds it, and LedgerError for an invalid path."""
    _check_place(path)
    with ExitStack() as holding:
        try:
            holding.enter_context(locked(Path(f"{os.path.realpath(path)}.lock"), 0))  # links to a file share its lock
        except Timeout:
            why = "another perft-check process is using it: wait for it to end, or stop it"
            raise UsageError(f"ledger {str(path)!r}: {why}", str(path)) from None
        except OSError as error:
            why = f"{error.strerror}: name a file in a writable folder with --ledger"
            raise refusal(path, why) from None
        yield


def _check_place(path: Path) -> None:
    """Raise LedgerError if a path cannot be a ledger, such as a pipe, which could block forever."""
    try:
        if path.is_symlink() and not path.exists():
            raise refusal(path, f"it is a link to {os.readlink(path)!r}, which does not exist")
        if path.is_dir():
            raise refusal(path, "it is a folder: name a file in it")
        if path.exists() and not path.is_file():
            raise refusal(path, "it is not a regular file: name another one")
        if not path.absolute().parent.is_dir():
            raise refusal(path, f"there is no folder {str(path.parent)!r}")
    except (OSError, ValueError) as error:  # the name is too long or contains a NUL
        raise refusal(path, f"it cannot be opened: {error}") from None


@contextmanager
def open_ledger(path: Path, head: LedgerHead, records: Records) -> Iterator[Ledger]:
    """Open a ledger whose lock the caller holds, and create it if the file does not exist or is empty.

    `records` are the positions of the cut. Raises LedgerError.
    """
    if cut_of(records, head.cut.piece_positions) != head.cut:
        raise refusal(path, "its tree was cut by another version of perft-check: name another file with --ledger")
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
        with suppress(OSError):  # not a regular file
            os.fsync(file.fileno())
