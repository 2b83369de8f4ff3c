"""A hash table of counts, shared by all threads."""

from __future__ import annotations

from weakref import WeakSet

import numpy as np

from ...errors import UsageError
from ...platforms.memory import available_bytes
from ..kernels.counting.table import BUCKET_BYTES, Buckets
from ..kernels.machine.memory import large_pages

MIN_BYTES = 1 << 20
_tables: WeakSet[Table] = WeakSet()


class Table:
    """A table of counts of recurring positions; its size is `size` bytes rounded down to a power of two.

    A table can be used for any positions and depths, and by several counts at the same time. Raises UsageError if the
    machine has too little memory.
    """

    def __init__(self, size: int) -> None:
        self.size = 1 << size.bit_length() - 1
        """Size in bytes."""
        self._asked = size
        self._check()
        try:
            self._memory = large_pages(self.size)
        except (OSError, ValueError, OverflowError):
            raise UsageError(self._too_large()) from None
        self._words = np.frombuffer(self._memory, dtype=np.uint64)
        _tables.add(self)

    @property
    def buckets(self) -> Buckets:
        """The memory, as passed to kernels; valid during the lifetime of this object."""
        return Buckets(np.uint64(self._words.ctypes.data), np.uint64(self.size // BUCKET_BYTES - 1))

    def clear(self) -> None:
        """Remove all counts. This is never necessary for correctness; it is intended for measurements."""
        self._words.fill(0)

    @property
    def cutting_bytes(self) -> int:
        """Bytes that may be used, in addition to the table, for the first plies of a tree."""
        return self.size // 2

    def _check(self) -> None:
        """Raise UsageError before memory is allocated, because a system may allocate more memory than it has."""
        if self.size < MIN_BYTES:
            raise UsageError(f"a table has {MIN_BYTES >> 20} MiB or more")
        free = available_bytes()
        taken = sum(table.size for table in _tables)  # the system counts memory only once it is written to
        if self.size + self.cutting_bytes + taken > free:
            raise UsageError(f"{self._too_large()}: only {max(0, free - taken) >> 20:,} MiB are free")

    def _too_large(self) -> str:
        rounded = f" ({self._asked >> 20:,} rounded down to a power of two)" * (self._asked != self.size)
        table = f"a hash table of {self.size >> 20:,} MiB{rounded}"
        return f"not enough memory for {table} and up to {self.cutting_bytes >> 20:,} MiB of working memory"
