"""Coverage counters of programs, Python callables and shared libraries.

Programs and Python callables write their counters to a file that they share with perft-check. The process may write
anything, truncate the file, or end at any time. Therefore the file is read, never mapped, and malformed data is
ignored.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...generator.sampling.position_batch import PositionBatch
from ...platforms.memory import NamedSharedFile
from .model import COMPARISONS, SOMEWHERE, BlockCoverage, Counters, SourceLocation, buckets_of
from .source_files import find_locations

VARIABLE = "PERFT_CHECK_COVERAGE"
"""The environment variable with the path of the shared file."""
MOST_BRANCHES = 1 << 20
"""Maximum number of branches, more than any generator has. Engines that report more are not measured."""

MAGIC, MOST_COUNTERS = b"PCCOVER1", 65_536
BRANCHES_AT, PROGRAM_AT, PROGRAM_BYTES, NEARNESS_AT = 8, 24, 4_072, 4_096
COUNTERS_AT = NEARNESS_AT + COMPARISONS
LOCATIONS_AT = COUNTERS_AT + MOST_COUNTERS
SIZE = LOCATIONS_AT + 8 * MOST_COUNTERS
"""Size of the file, whose layout is that of `perft_check_coverage` in `perft_check_coverage.h`."""

MOST_READ = 1 << 24
"""Maximum number of bytes to read at a time; no answer writes more."""
MOST_LOCATIONS, MOST_PENDING = 1 << 18, 1 << 14
"""Maximum number of stored locations, and of stored questions whose block has not arrived yet."""
MOST_FEATURES = 8 * (MOST_BRANCHES + (1 << 18))
_NO_FEN = -1
"""Placeholder for the checksum of a FEN that is in no block."""


class ProcessCounters(ABC):
    """The counters of the processes of one engine; see `CoverageSource`."""

    def __init__(self, size: int = 0) -> None:
        """Create a shared file of `size` bytes. Raises OSError."""
        self._file = NamedSharedFile(size)

    @property
    def variable(self) -> tuple[str, str]:
        """The name and value of the environment variable that contains the path of the file."""
        return VARIABLE, self._file.path

    @abstractmethod
    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the location of each counter, or nothing if no process has reported any."""

    @abstractmethod
    def read(self) -> Counters:
        """Return the counters since the previous call, and reset them."""

    def reset(self) -> None:
        """Reset all counters."""
        self.read()

    @abstractmethod
    def begin(self) -> None:
        """Prepare to collect blocks; the first one also reports earlier features. The process must have answered."""

    @abstractmethod
    def collect(self, sampled: PositionBatch) -> BlockCoverage:
        """Return the features that the answers about a block reached for the first time."""

    def close(self) -> None:
        """Release the file."""
        self._file.close()


class SharedCounters(ProcessCounters):
    """The counters of a program that includes `perft_check_coverage.h`."""

    def __init__(self) -> None:
        """Create the shared file. Raises OSError."""
        super().__init__(SIZE)
        self._seen = np.zeros(MOST_COUNTERS + COMPARISONS, dtype=np.uint8)
        self._begun: Counters = np.zeros(0, dtype=np.uint8)
        """Features that were reached before the first block, which reports them."""
        self._is_first = True
        self._known_locations: tuple[SourceLocation | None, ...] = ()

    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the location of each counter, or nothing if no process has reported any."""
        branches = self._branches()
        if len(self._known_locations) != branches or None in self._known_locations:
            program = self._file.read(PROGRAM_BYTES, PROGRAM_AT).partition(b"\0")[0].decode(errors="replace")
            reported = self._file.read(8 * branches, LOCATIONS_AT)
            addresses = np.frombuffer(reported[: len(reported) // 8 * 8], dtype="<u8")
            known = [int(one) if one < 1 << 62 else -1 for one in addresses]
            has_placeholders = int.from_bytes(self._file.read(8, BRANCHES_AT + 8), "little")
            self._known_locations = find_locations(program, known if has_placeholders else [-1] * len(known))
        return self._known_locations

    def read(self) -> Counters:
        """Return the counters since the previous call, and reset them."""
        counters, _ = self._take()
        return counters

    def begin(self) -> None:
        """Prepare to collect blocks; the first one also reports earlier features."""
        self._begun = self._take_features()

    def collect(self, sampled: PositionBatch) -> BlockCoverage:
        """Return the features that were reached for the first time since the last block.

        The first block includes features that were reached before it, because some code runs only once per process.
        """
        reached = self._take_features()
        news = reached & ~self._seen[: len(reached)]
        self._seen[: len(news)] |= news
        if self._is_first and len(self._begun) == len(news):
            news |= self._begun
        self._is_first = False
        features = np.flatnonzero(np.unpackbits(news, bitorder="little")).tolist()
        return BlockCoverage(max(0, len(news) - COMPARISONS), tuple((feature, SOMEWHERE) for feature in features))

    def _take_features(self) -> NDArray[np.uint8]:
        """Return the buckets of all branches and the closeness of comparisons, and reset both."""
        counters, near = self._take()
        return np.concatenate([buckets_of(counters), near])

    def _branches(self) -> int:
        head = self._file.read(16, 0)
        if len(head) < 16 or not head.startswith(MAGIC):
            return 0
        return min(int.from_bytes(head[BRANCHES_AT:], "little"), MOST_COUNTERS)

    def _take(self) -> tuple[Counters, Counters]:
        """Return counters and the closeness of comparisons, and reset both; return nothing for a truncated file.

        What a running process counts between reading and resetting is lost.
        """
        branches = self._branches()
        whole = self._file.read(COMPARISONS + branches, NEARNESS_AT) if branches else b""
        if len(whole) < COMPARISONS + branches or not branches:
            return np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.uint8)
        self._file.write(bytes(len(whole)), NEARNESS_AT)
        taken = np.frombuffer(whole, dtype=np.uint8)
        return taken[COMPARISONS:], taken[:COMPARISONS]


class PythonCoverage(ProcessCounters):
    """The counters of a Python callable. Its process appends lines to the file; malformed lines are ignored."""

    def __init__(self) -> None:
        """Create the shared file. Raises OSError."""
        super().__init__()
        self._at = 0
        self._rest = b""
        self._locations: dict[int, SourceLocation] = {}
        self._counts: dict[int, int] = {}
        self._pending: dict[int, tuple[int, ...]] = {}
        """The features that each question was the first to reach, by the checksum of its FEN."""
        self._seen: set[tuple[int, bool]] = set()
        """The features that blocks have reported, and whether a tree reached them. A new process reports them again."""

    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the location of each counter."""
        self._take_in()
        return tuple(self._locations.get(number) for number in range(max(self._locations, default=-1) + 1))

    def read(self) -> Counters:
        """Return the counters of the questions since the previous call."""
        self._take_in()
        counters = np.zeros(max([*self._locations, *self._counts], default=-1) + 1, dtype=np.uint8)
        for number, count in self._counts.items():
            counters[number] = min(count, 255)
        self._counts.clear()
        self._pending.clear()
        # The process has answered and is idle, so it appends nothing now.
        self._file.clear()
        self._at, self._rest = 0, b""
        return counters

    def begin(self) -> None:
        """Prepare to collect blocks; the first one also reports earlier features. The process must have answered."""
        self._take_in()
        self._pending = {_NO_FEN: tuple(sorted({feature for reached in self._pending.values() for feature in reached}))}

    def collect(self, sampled: PositionBatch) -> BlockCoverage:
        """Return the features that the answers about a block reached for the first time."""
        self._take_in()
        features = [(feature, SOMEWHERE) for feature in self._pending.pop(_NO_FEN, ())]
        for position in range(len(sampled)) if self._pending else ():
            is_tree = bool(sampled.depths[position] > 1)
            reached = self._pending.pop(zlib.crc32(sampled.fen(position).encode()), ())
            new = [feature for feature in reached if (feature, is_tree) not in self._seen]
            self._seen.update((feature, is_tree) for feature in new)
            features += [(feature, position) for feature in new]
        return BlockCoverage(MOST_BRANCHES, tuple(sorted(features)))

    def _take_in(self) -> None:
        read = self._file.read(MOST_READ, self._at)
        self._at += len(read)
        *lines, self._rest = (self._rest + read).split(b"\n")
        for line in lines:
            with suppress(ValueError, IndexError):  # the data may come from anywhere
                self._take(line.decode("utf-8", "replace"))

    def _take(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        if kind == "P":
            number, text, names = rest.split(" ", 2)
            path, end = json.JSONDecoder().raw_decode(names)
            function = json.loads(names[end:])
            if isinstance(path, str) and isinstance(function, str) and 0 <= int(number) < MOST_LOCATIONS:
                self._locations[int(number)] = SourceLocation(path, int(text), function)
        elif kind == "Q" and len(self._pending) < MOST_PENDING:
            question, *features = map(int, rest.split())
            self._pending[question] = tuple(feature for feature in features if 0 <= feature < MOST_FEATURES)
        elif kind == "C":
            for word in rest.split():
                counter, count = map(int, word.split(":"))
                if 0 <= counter < MOST_LOCATIONS and count > 0:
                    self._counts[counter] = self._counts.get(counter, 0) + count


class LibraryCoverage:
    """The counters of a shared library; see `CoverageSource`. If the library does not answer, there are none."""

    def __init__(self, path: str, ask: Callable[[str], dict[str, Any]]) -> None:
        """Create counters for the library at `path`. `ask` requests "places" or "coverage" from its process.

        `ask` returns an empty dict if the process does not answer.
        """
        self._path, self._ask = path, ask
        self._locations: tuple[SourceLocation | None, ...] = ()
        """The locations found so far."""

    def addresses(self) -> list[int]:
        """Return the address of each branch relative to the library, in the form that `find_locations` accepts."""
        found = self._ask("places").get("places", [])
        return found if isinstance(found, list) and all(type(one) is int for one in found) else []

    def locations(self) -> tuple[SourceLocation | None, ...]:
        """Return the location of each counter."""
        if not self._locations or None in self._locations:
            self._locations = find_locations(self._path, self.addresses())
        return self._locations

    def read(self) -> Counters:
        """Return the counters since the previous call."""
        try:
            text = str(self._ask("coverage").get("counters", ""))
            return np.frombuffer(bytes.fromhex(text[: 2 * MOST_BRANCHES]), dtype=np.uint8)
        except ValueError:
            return np.zeros(0, dtype=np.uint8)

    def reset(self) -> None:
        """Reset all counters."""
        self.read()
