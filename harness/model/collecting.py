"""Python's collector of garbage, which a run that keeps all its results has little use for."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 100_000
"""New objects after which the collector looks at them; Python's own choice is 700."""


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
