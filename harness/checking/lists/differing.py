"""What differs between a list of moves and the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T", int, str)


def differing(got: Iterable[T], expected: Iterable[T]) -> Iterator[tuple[T, str]]:
    """Yield the moves that are "extra", "missing" or "duplicate" in a list, sorted."""
    ours, truth = Counter(got), Counter(expected)
    for move in sorted(ours.keys() | truth.keys()) if ours != truth else ():
        if not truth[move]:
            yield move, "extra"
        elif not ours[move]:
            yield move, "missing"
        elif ours[move] > truth[move]:
            yield move, "duplicate"
