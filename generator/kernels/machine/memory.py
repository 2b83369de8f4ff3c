"""Memory shared by kernels and Python: values that stop and monitor a running kernel, and large pages.

Python cannot interrupt a compiled call. The kernel runs in a worker thread without the GIL, reads `STOP` every few
thousand nodes, and adds the nodes counted so far to `NODES`.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

STOP = np.uint64(0)
NODES = np.uint64(1)
LARGE_PAGE = 2 << 20
"""Size of a large page on most machines, in bytes."""
_PRIVATE: dict[str, int] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""Arguments for private memory, because memory shared with other processes cannot use large pages."""


class Control:
    """Memory shared by a running kernel and the thread that monitors it."""

    def __init__(self) -> None:
        self._words = np.zeros(2, dtype=np.uint64)

    @property
    def address(self) -> np.uint64:
        """Address of the memory, to be passed to a kernel; valid during the lifetime of this object."""
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
        """Ask the kernel to stop, which makes its result meaningless."""
        self._words[int(STOP)] = 1


def address_of(array: npt.NDArray[Any]) -> np.uint64:
    """Return the address of an array, to be passed to a kernel; valid during the lifetime of the array."""
    return np.uint64(array.ctypes.data)


def large_pages(size: int) -> mmap.mmap:
    """Return `size` bytes of zeroed memory, which the system allocates on the first write.

    Raises OSError, ValueError or OverflowError if there is not enough memory.
    """
    memory = mmap.mmap(-1, size, **_PRIVATE)
    with suppress(AttributeError, OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def aligned_words(number: int) -> npt.NDArray[np.uint64]:
    """Return an array of `number` zeros, aligned to a large page."""
    # A mapping may begin at any small page, so one additional large page is mapped.
    memory = np.frombuffer(large_pages(8 * number + LARGE_PAGE), dtype=np.uint64)
    skip = -memory.ctypes.data % LARGE_PAGE // 8
    return memory[skip : skip + number]
