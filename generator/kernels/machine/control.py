"""The word that stops a running kernel, and the one that shows its progress.

A compiled call cannot be interrupted from Python: it runs in a worker thread without the GIL, looks
at `STOP` every few thousand nodes and adds what it has counted to `NODES`.
"""

from __future__ import annotations

import numpy as np

STOP = np.uint64(0)
NODES = np.uint64(1)


class Control:
    """Shared memory between a running kernel and the thread that watches it."""

    def __init__(self) -> None:
        self._words = np.zeros(2, dtype=np.uint64)

    @property
    def address(self) -> np.uint64:
        """Address of the words, to be passed to a kernel; valid as long as this object lives."""
        return np.uint64(self._words.ctypes.data)

    @property
    def nodes(self) -> int:
        """Nodes counted so far, in steps of a few thousand."""
        return int(self._words[int(NODES)])

    @nodes.setter
    def nodes(self, nodes: int) -> None:
        self._words[int(NODES)] = nodes

    @property
    def stopped(self) -> bool:
        """Whether the kernel has been asked to stop."""
        return bool(self._words[int(STOP)])

    def stop(self) -> None:
        """Ask the kernel to stop; its result is then meaningless."""
        self._words[int(STOP)] = 1
