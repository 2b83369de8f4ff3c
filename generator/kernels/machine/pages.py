"""Memory in large pages where the system has them: fewer addresses to look up, and caches that fill evenly."""

from __future__ import annotations

import mmap
from contextlib import suppress

import numpy as np
import numpy.typing as npt

LARGE_PAGE = 2 << 20
"""Bytes of a large page of most machines."""
_PRIVATE: dict[str, int] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
"""Memory that other processes share has no large pages."""


def large_pages(size: int) -> mmap.mmap:
    """Return `size` bytes of memory, all zero, which is taken when it is written to.

    Raises OSError, ValueError or OverflowError where the system has no room for it.
    """
    memory = mmap.mmap(-1, size, **_PRIVATE)
    with suppress(AttributeError, OSError):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def aligned_words(number: int) -> npt.NDArray[np.uint64]:
    """Return so many words, all zero, from the beginning of a large page on."""
    memory = np.frombuffer(large_pages(8 * number + LARGE_PAGE), dtype=np.uint64)
    skip = -memory.ctypes.data % LARGE_PAGE // 8
    return memory[skip : skip + number]
