"""Memory that kernels and Python share: the words that stop and watch a running kernel, and large pages.

A compiled call cannot be interrupted from Python. It runs in a worker thread without the GIL, reads `STOP` every few
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
"""Bytes of a large page on most machines."""
_PRIVATE: dict[str, int] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""Memory shared with other processes cannot use large pages."""


class Control:
    """Memory shared by a running kernel and the thread that watches it."""

    def __init__(self) -> None:
        self._words = np.zeros(2, dtype=np.uint64)

    @property
    def address(self) -> np.uint64:
        """Address of the words, to be passed to a kernel; valid during the lifetime of this object."""
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


def address_of(array: npt.NDArray[Any]) -> np.uint64:
    """Return the address of an array, to be passed to a kernel; valid during the lifetime of the array."""
    return np.uint64(array.ctypes.data)


def large_pages(size: int) -> mmap.mmap:
    """Return `size` bytes of memory, all zero, allocated by the system when they are written to.

    Raises OSError, ValueError or OverflowError if the system does not have enough memory.
    """
    memory = mmap.mmap(-1, size, **_PRIVATE)
    with suppress(AttributeError, OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def aligned_words(number: int) -> npt.NDArray[np.uint64]:
    """Return `number` words, all zero, that start at the beginning of a large page."""
    # A mapping begins at any small page, so one large page more than necessary is mapped.
    memory = np.frombuffer(large_pages(8 * number + LARGE_PAGE), dtype=np.uint64)
    skip = -memory.ctypes.data % LARGE_PAGE // 8
    return memory[skip : skip + number]
