"""The distinct positions some plies below a root, within a given amount of memory: on disk where they outgrow it.

Each ply is made from the one above in parts that fit the memory. The positions of a part are sorted, which is a run;
runs are merged block by block, and equal positions become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Protocol

import numpy as np

from ..kernels.board import BOARD_WORDS, Board
from ..kernels.counting.records import RECORD_WORDS
from ..kernels.machine.memory import Control
from .counter import Stopped
from .plies import BYTES_A_MOVE, MOST_GAMES, Ply
from .records import RECORD_BYTES, Records, merge_records, ply_of, records_of, total_games

MOST_RUNS = 64
"""Runs that are merged at once: more of them would have small blocks."""
LEAST_BLOCK = 128
"""Records of a run that are read at once, however little the memory is: to read fewer takes too long."""

_BYTES_A_CHILD = BYTES_A_MOVE + 2 * RECORD_BYTES
"""Memory for each move of a part: for the children, and for as many records to be sorted."""
_BYTES_A_PARENT = RECORD_BYTES + 8 * (BOARD_WORDS + 1)
_BYTES_MERGED = 6 * RECORD_BYTES
"""Memory for each record of the blocks that are merged: read, put together, sorted, and what is left of them."""
_GAMES = RECORD_WORDS - 1


class Distinct:
    """The distinct positions of a ply, in ascending order of their records. `close` removes its temporary files."""

    def __init__(self, run: _Run, games: int, room: TemporaryDirectory[str]) -> None:
        self.games = games
        """How many games lead to all of them: the perft of the root."""
        self._run, self._room = run, room

    def __len__(self) -> int:
        return len(self._run)

    def __enter__(self) -> Distinct:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def blocks(self, most: int) -> Iterator[Records]:
        """Yield the records in ascending order, at most so many at once; they are not to be changed.

        Raises OSError where they cannot be read.
        """
        return _blocks(self._run, most)

    def close(self) -> None:
        """Remove the temporary files; the positions are gone."""
        self._run = _Held(_nothing())
        self._room.cleanup()


def distinct(
    board: Board,
    plies: int,
    *,
    memory: int = 1 << 30,
    folder: Path | None = None,
    control: Control | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Distinct:
    """Return the distinct positions so many plies below a root; close it.

    About `memory` bytes are taken, and files in `folder`, or where the system has its temporary ones. `tell` is called
    with each ply and its number of positions. Raises Stopped, ValueError for a board with more than `MOST_PIECES`
    pieces, plies below 0, and where more games lead to a position than 64 bits hold, OSError where the disk is full.
    """
    if plies < 0:
        raise ValueError(f"the plies must be 0 or more, not {plies}")
    control = control or Control()
    root = records_of(Ply.of(board, plies))
    room = TemporaryDirectory(prefix="perft-check-positions-", dir=folder)
    try:
        run: _Run = _Held(root)
        for ply in range(1, plies + 1):
            run = _below(run, plies - ply, _Runs(Path(room.name, str(ply)), memory // 2), memory // 2, control)
            if tell:
                tell(ply, len(run))
            if control.stopped:
                raise Stopped
        blocks = _blocks(run, max(LEAST_BLOCK, memory // 8 // RECORD_BYTES))
        return Distinct(run, sum(map(total_games, blocks)), room)
    except BaseException:
        room.cleanup()
        raise


class _Run(Protocol):
    """Sorted records, each position once."""

    def __len__(self) -> int: ...

    def read(self, first: int, number: int) -> Records:
        """Return so many records from one on, fewer at the end."""

    def remove(self) -> None:
        """Free the memory or the disk."""


class _Held:
    """A run in memory."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def read(self, first: int, number: int) -> Records:
        return self._records[first : first + number]

    def remove(self) -> None:
        self._records = _nothing()


@dataclass(frozen=True)
class _Stored:
    """A run in a file."""

    path: Path
    number: int

    @classmethod
    def of(cls, path: Path, blocks: Iterator[Records]) -> _Stored:
        number = 0
        with path.open("wb") as file:
            for records in blocks:
                file.write(records.data)
                number += len(records)
        return cls(path, number)

    def __len__(self) -> int:
        return self.number

    def read(self, first: int, number: int) -> Records:
        wanted = max(0, min(number, self.number - first))
        words = np.fromfile(self.path, np.uint64, RECORD_WORDS * wanted, offset=first * RECORD_BYTES)
        if len(words) < RECORD_WORDS * wanted:
            raise OSError(f"{self.path} has lost its end")
        return words.reshape(-1, RECORD_WORDS)

    def remove(self) -> None:
        self.path.unlink()


class _Runs:
    """The runs of a ply, which become one. Where there are many, some are merged before the others come."""

    def __init__(self, path: Path, memory: int) -> None:
        self._path, self._memory = path, memory
        """How the files begin, and what a merge may take."""
        self._numbers = count()
        self._levels: list[list[_Run]] = []

    def add(self, records: Records) -> None:
        """Take a run. The first one stays in memory: it may be the only one."""
        self._put(self._store(iter([records])) if self._levels else _Held(records), 0)

    def one(self) -> _Run:
        """Return all runs as one."""
        runs = [run for level in self._levels for run in level]
        return self._merge(runs) if len(runs) > 1 else runs[0] if runs else _Held(_nothing())

    def _put(self, run: _Run, level: int) -> None:
        """Keep a run with those that were merged as often, and merge them where there are enough."""
        if level == len(self._levels):
            self._levels.append([])
        runs = self._levels[level]
        runs.append(run)
        if len(runs) == MOST_RUNS:
            self._levels[level] = []
            self._put(self._merge(runs), level + 1)

    def _merge(self, runs: list[_Run]) -> _Run:
        run = self._store(_together(runs, max(LEAST_BLOCK, self._memory // _BYTES_MERGED // len(runs))))
        for old in runs:
            old.remove()
        return run

    def _store(self, blocks: Iterator[Records]) -> _Run:
        return _Stored.of(self._path.with_suffix(f".{next(self._numbers)}"), blocks)


def _below(run: _Run, depth: int, runs: _Runs, memory: int, control: Control) -> _Run:
    """Return the ply below a run, which is removed; `depth` is what is left below that ply. Raises Stopped."""
    for block in _blocks(run, max(1, memory // 4 // _BYTES_A_PARENT)):
        for part in _fitting(ply_of(block, depth + 1), memory):
            children = merge_records(records_of(part.below(control)))
            if control.stopped:
                raise Stopped
            runs.add(children)
    run.remove()
    return runs.one()


def _fitting(ply: Ply, memory: int) -> Iterator[Ply]:
    """Yield a ply in parts whose children fit the memory, and whose games 64 bits."""
    needed = max(ply.moves * _BYTES_A_CHILD / max(1, memory), ply.games.sum(dtype=np.float64) / MOST_GAMES)
    if needed < 1 or len(ply) == 1:
        yield ply
    else:
        for part in ply.parts(int(needed) + 1):
            yield from _fitting(part, memory)


def _together(runs: list[_Run], most: int) -> Iterator[Records]:
    """Yield the records of runs in ascending order, equal positions once; at most so many of each run are read."""
    places = [0] * len(runs)
    while True:
        blocks = [run.read(place, most) for run, place in zip(runs, places, strict=True)]
        cuts = [
            block[-1, :_GAMES].tolist()
            for run, place, block in zip(runs, places, blocks, strict=True)
            if place + len(block) < len(run)
        ]
        if cuts:
            blocks = [block[: _number_to(min(cuts), block)] for block in blocks]
        yield merge_records(np.concatenate(blocks))
        if not cuts:
            return
        places = [place + len(block) for place, block in zip(places, blocks, strict=True)]


def _number_to(key: list[int], block: Records) -> int:
    """Return how many records of a sorted block have these first three words, or lesser ones."""
    first, last = 0, len(block)
    for word, value in enumerate(np.array(key, dtype=np.uint64)):
        column = block[first:last, word]
        first, last = first + int(np.searchsorted(column, value)), first + int(np.searchsorted(column, value, "right"))
    return last


def _blocks(run: _Run, most: int) -> Iterator[Records]:
    return (run.read(first, most) for first in range(0, len(run), most))


def _nothing() -> Records:
    return np.empty((0, RECORD_WORDS), dtype=np.uint64)
