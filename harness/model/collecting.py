"""Python's collector of garbage, which a process that starts, or a run that keeps its results, has little use for."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""New objects after which the collector looks at them; Python's own choice is 700."""
AT_START = 50_000
"""The same for a process that starts: loading modules makes many objects and no garbage."""
FEW = 2_000
"""New objects that are not worth a collection."""


def collect_seldom() -> None:
    """Let the collector come seldom in this process. It starts some 8 % sooner."""
    gc.set_threshold(AT_START, *gc.get_threshold()[1:])


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Let the collector come seldom: it goes through results that are kept, again and again."""
    before = gc.get_threshold()
    if 0 < before[0] < SELDOM:
        gc.set_threshold(SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def collecting_when_told() -> Iterator[Callable[[], None]]:
    """Let the collector come only when the function is called, and to new objects alone: it never takes long.

    What was alive when it came is not looked at again. So cycles of long life are for the program to take apart.
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
