"""The counters of a program that includes `perft_check_coverage.h`, in a file that it shares with us.

The layout is that of `perft_check_coverage` in the header. The program may write anything there, cut the file off, or
die at any time: it is read, never mapped, and what does not fit is as if it were not there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....generator.drawing.drawn import Drawn
from ....platforms.memory import NamedSharedFile
from ...coverage.model import Counters, SourcePlace, buckets_of
from ...coverage.symbols import find_places
from ...coverage.tally import COMPARISONS, SOMEWHERE, BlockCoverage
from .process import ProcessLimits
from .python_coverage import VARIABLE

MAGIC, MOST_BRANCHES = b"PCCOVER1", 65_536
BRANCHES_AT, PROGRAM_AT, PROGRAM_BYTES, NEARNESS_AT = 8, 24, 4_072, 4_096
COUNTERS_AT = NEARNESS_AT + COMPARISONS
PLACES_AT = COUNTERS_AT + MOST_BRANCHES
SIZE = PLACES_AT + 8 * MOST_BRANCHES


class SharedCounters:
    """The counters of the processes of one program; see `CoverageSource`."""

    def __init__(self) -> None:
        """Make the file. Raises OSError."""
        self._file = NamedSharedFile(SIZE)
        self._seen = np.zeros(MOST_BRANCHES + COMPARISONS, dtype=np.uint8)
        self._places: tuple[SourcePlace | None, ...] = ()

    def limits(self, limits: ProcessLimits) -> ProcessLimits:
        """Return the limits of a process that has the file."""
        return replace(limits, variables=(*limits.variables, (VARIABLE, self._file.path)))

    def places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter; none as long as no process has told of any."""
        branches = self._branches()
        if len(self._places) != branches or None in self._places:
            program = self._file.read(PROGRAM_BYTES, PROGRAM_AT).partition(b"\0")[0].decode(errors="replace")
            told = self._file.read(8 * branches, PLACES_AT)
            addresses = np.frombuffer(told[: len(told) // 8 * 8], dtype="<u8")
            known = [int(one) if one < 1 << 62 else -1 for one in addresses]
            has_places = int.from_bytes(self._file.read(8, BRANCHES_AT + 8), "little")
            self._places = find_places(program, known if has_places else [-1] * len(known))
        return self._places

    def read(self) -> Counters:
        """Return the counters since they were set to 0 for the last time, and set them to 0."""
        counters, _ = self._take()
        return counters

    def reset(self) -> None:
        """Set all counters to 0."""
        self._take()

    def collect(self, drawn: Drawn) -> BlockCoverage:
        """Return what was reached since the last block that was not reached before, wherever that was."""
        counters, near = self._take()
        now = np.concatenate([buckets_of(counters), near])
        seen = self._seen[: len(now)] if len(near) else self._seen[:0]
        news = now[: len(seen)] & ~seen
        seen |= news
        bits = np.unpackbits(news, bitorder="little")
        return BlockCoverage(len(counters), tuple((feature, SOMEWHERE) for feature in np.flatnonzero(bits).tolist()))

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _branches(self) -> int:
        head = self._file.read(16, 0)
        if len(head) < 16 or not head.startswith(MAGIC):
            return 0
        return min(int.from_bytes(head[BRANCHES_AT:], "little"), MOST_BRANCHES)

    def _take(self) -> tuple[Counters, Counters]:
        """Return the counters and the nearness of comparisons, and set them to 0; nothing where the file is not whole.

        What a process that runs counts between the two is lost.
        """
        branches = self._branches()
        whole = self._file.read(COMPARISONS + branches, NEARNESS_AT) if branches else b""
        if len(whole) < COMPARISONS + branches or not branches:
            return np.zeros(0, dtype=np.uint8), np.zeros(0, dtype=np.uint8)
        self._file.write(bytes(len(whole)), NEARNESS_AT)
        taken = np.frombuffer(whole, dtype=np.uint8)
        return taken[COMPARISONS:], taken[:COMPARISONS]
