"""Python's collector of garbage, which a run that keeps all its results has little use for."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

SELDOM = 100_000
"""New objects after which the collector looks at them; Python's own choice is 700."""
BRIEFLY = 700, 10, 2
"""New objects, collections of these, and collections of those, after which it looks at all: ten milliseconds' worth."""


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
def briefly_collecting() -> Iterator[None]:
    """Let the collector come often, to new objects alone: it never keeps the program waiting for long.

    What was alive when it came is not looked at again. So cycles of long life are for the program to take apart.
    """
    before = gc.get_threshold()

    def freeze(phase: str, info: Mapping[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            gc.freeze()

    gc.freeze()
    gc.callbacks.append(freeze)
    gc.set_threshold(*BRIEFLY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(freeze)
        gc.unfreeze()
