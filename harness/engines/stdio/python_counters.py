"""What a process of a Python callable tells of its coverage, read from the file to which it appends lines."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ....generator.drawing.drawn import Drawn
from ....platforms.memory import NamedSharedFile
from ...coverage.model import Counters, SourcePlace
from ...coverage.tally import BlockCoverage
from .process import ProcessLimits
from .python_coverage import MOST_BRANCHES, VARIABLE

MOST_READ = 1 << 24
"""Bytes that are read at once: more than any answer leaves."""
MOST_PLACES, MOST_PENDING = 1 << 18, 1 << 14
"""Places, and questions whose block has not come yet, that are kept."""
MOST_FEATURES = 8 * (MOST_BRANCHES + (1 << 18))


class PythonCoverage:
    """The counters of one process after another; see `CoverageSource`. What cannot be read is left out."""

    def __init__(self) -> None:
        """Make the file. Raises OSError."""
        self._file = NamedSharedFile()
        self._at = 0
        self._rest = b""
        self._places: dict[int, SourcePlace] = {}
        self._counts: dict[int, int] = {}
        self._pending: dict[int, tuple[int, ...]] = {}
        """The features that questions were the first to reach, by the sum of their FEN."""

    def limits(self, limits: ProcessLimits) -> ProcessLimits:
        """Return the limits of a process that appends to the file."""
        return replace(limits, variables=(*limits.variables, (VARIABLE, self._file.path)))

    def places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter."""
        self._take_in()
        return tuple(self._places.get(number) for number in range(max(self._places, default=-1) + 1))

    def read(self) -> Counters:
        """Return the counters of the questions since this was called for the last time."""
        self._take_in()
        counters = np.zeros(max([*self._places, *self._counts], default=-1) + 1, dtype=np.uint8)
        for number, count in self._counts.items():
            counters[number] = min(count, 255)
        self._counts.clear()
        self._pending.clear()
        # The process has answered, and waits: it appends nothing now.
        self._file.clear()
        self._at, self._rest = 0, b""
        return counters

    def reset(self) -> None:
        """Set all counters to 0."""
        self.read()

    def collect(self, drawn: Drawn) -> BlockCoverage:
        """Return what the answers about a block have reached that was not reached before."""
        self._take_in()
        features: list[tuple[int, int]] = []
        for position in range(len(drawn)) if self._pending else ():
            reached = self._pending.pop(zlib.crc32(drawn.fen(position).encode()), ())
            features += [(feature, position) for feature in reached]
        return BlockCoverage(MOST_BRANCHES, tuple(sorted(features)))

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _take_in(self) -> None:
        read = self._file.read(MOST_READ, self._at)
        self._at += len(read)
        *lines, self._rest = (self._rest + read).split(b"\n")
        for line in lines:
            with suppress(ValueError, IndexError):  # it is data, whoever has written it
                self._take(line.decode("utf-8", "replace"))

    def _take(self, line: str) -> None:
        kind, _, rest = line.partition(" ")
        if kind == "P":
            number, text, names = rest.split(" ", 2)
            path, end = json.JSONDecoder().raw_decode(names)
            function = json.loads(names[end:])
            if isinstance(path, str) and isinstance(function, str) and 0 <= int(number) < MOST_PLACES:
                self._places[int(number)] = SourcePlace(path, int(text), function)
        elif kind == "Q" and len(self._pending) < MOST_PENDING:
            question, *features = map(int, rest.split())
            self._pending[question] = tuple(feature for feature in features if 0 <= feature < MOST_FEATURES)
        elif kind == "C":
            for word in rest.split():
                counter, count = map(int, word.split(":"))
                if 0 <= counter < MOST_PLACES and count > 0:
                    self._counts[counter] = self._counts.get(counter, 0) + count
