"""Garbage collection, which a starting process or a run that keeps its results needs rarely."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""The number of new objects that starts a collection; Python's default is 700."""
AT_START = 50_000
"""The same for a starting process: loading modules makes many objects and no garbage."""
FEW = 2_000
"""New objects that are not worth a collection."""


def collect_seldom() -> None:
    """Collect rarely in this process, which starts some 8 % sooner."""
    gc.set_threshold(AT_START, *gc.get_threshold()[1:])


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Collect rarely in this block, because each collection goes through all results that are kept."""
    before = gc.get_threshold()
    if 0 < before[0] < SELDOM:
        gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def collecting_when_told() -> Iterator[Callable[[], None]]:
    """Collect only when the returned function is called, and only new objects, so that it never takes long.

    Objects that survive a collection are not looked at again: the program has to take long-lived cycles apart.
    """
    was_enabled = gc.isenabled()

    def collect() -> None:
        if gc.get_count()[0] > FEW:
            gc.collect(1)
            gc.freeze()

    gc.freeze()
    gc.disable()
    try:
        yield collect
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
