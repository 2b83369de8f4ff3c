"""Long sequences in little memory: only the pages in use are objects, the others are compressed bytes."""

from __future__ import annotations

import pickle
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from itertools import chain, islice
from typing import TypeVar, overload

T = TypeVar("T")

PAGE = 512
"""Items of a page: what they have in common is pickled once."""
MOST_OPEN = 64
"""Pages that are objects. A shorter sequence is never pickled."""


def in_pages(items: Iterable[T]) -> Sequence[T]:
    """Return the items as a tuple, or in pages where they would take much memory."""
    if isinstance(items, Pages) and len(items) >= PAGE * MOST_OPEN:
        return items
    rest = iter(items)
    first = tuple(islice(rest, PAGE * MOST_OPEN))
    return first if len(first) < PAGE * MOST_OPEN else Pages(chain(first, rest))


class Pages(Sequence[T]):
    """A sequence that keeps its items pickled, but for the pages that were used last.

    Items are compared and changed as values: an item that was read is a copy of the one that was given. Several threads
    may read and set items.
    """

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._open: OrderedDict[int, MutableSequence[T]] = OrderedDict()
        """Pages as objects, the one used last at the end."""
        self._pickled: dict[int, bytes] = {}
        """Pages that have not changed since."""
        self._length = 0
        self._lock = threading.RLock()
        rest = iter(items)
        while page := list(islice(rest, PAGE)):
            self._keep(self._length // PAGE, page)
            self._length += len(page)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for number in range(-(-self._length // PAGE)):
            with self._lock:
                page = tuple(self._page(number))
            yield from page

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return in_pages(self[place] for place in range(*index.indices(self._length)))
        number, place = divmod(self._place(index), PAGE)
        with self._lock:
            return self._page(number)[place]

    def __setitem__(self, index: int, item: T) -> None:
        number, place = divmod(self._place(index), PAGE)
        with self._lock:
            self._page(number)[place] = item
            self._pickled.pop(number, None)

    def _place(self, index: int) -> int:
        return range(self._length)[index]  # raises IndexError, and knows negative ones

    def _page(self, number: int) -> MutableSequence[T]:
        page = self._open.get(number)
        if page is None:
            page = pickle.loads(zlib.decompress(self._pickled[number]))
            self._keep(number, page)
        else:
            self._open.move_to_end(number)
        return page

    def _keep(self, number: int, page: MutableSequence[T]) -> None:
        """Open a page, and close the one whose last use is longest ago if too many are open."""
        self._open[number] = page
        if len(self._open) > MOST_OPEN:
            oldest, closed = self._open.popitem(last=False)
            if oldest not in self._pickled:
                self._pickled[oldest] = zlib.compress(pickle.dumps(closed, pickle.HIGHEST_PROTOCOL), 1)
