"""Long sequences in pages: the same as a tuple, whatever is read and set, by several threads as well."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterable
from threading import Thread

import pytest
from perft_check import paged as module
from perft_check.paged import MOST_OPEN, PAGE, Pages, in_pages

MANY = PAGE * MOST_OPEN


@pytest.fixture(autouse=True)
def few_small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAGE", 4)
    monkeypatch.setattr(module, "MOST_OPEN", 3)


@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 12, 13, 100])
def test_pages_are_what_was_given(length: int) -> None:
    items = [f"item {number}" for number in range(length)]
    pages = Pages(items)
    assert (len(pages), list(pages), list(pages)) == (length, items, items)
    assert [pages[place] for place in range(-length, length)] == [*items, *items]
    assert list(pages[1:-1:3]) == items[1:-1:3]
    for place in (length, -length - 1):
        with pytest.raises(IndexError):
            pages[place]


def test_a_short_sequence_is_a_tuple_and_a_long_one_pages() -> None:
    assert in_pages(iter(range(11))) == tuple(range(11))
    long = in_pages(iter(range(12)))
    assert isinstance(long, Pages)
    assert list(long) == list(range(12))
    assert in_pages(long) is long
    assert in_pages(Pages(range(5))) == tuple(range(5))


def test_what_is_set_stays_set_when_its_page_is_closed() -> None:
    draw = random.Random(1)
    items: list[int] = list(range(100))
    pages = Pages(items)
    for number in range(2_000):
        place = draw.randrange(100)
        items[place] = pages[place] = number
        other = draw.randrange(100)
        assert pages[other] == items[other]
    assert list(pages) == items


def test_an_iteration_goes_on_where_others_read_and_set() -> None:
    pages, failures = Pages([0] * 400), []

    def use(seed: int) -> None:
        draw = random.Random(seed)
        for _ in range(300):
            place = seed * 100 + draw.randrange(100)  # a part of its own
            pages[place] += 1
        if sum(pages[seed * 100 : seed * 100 + 100]) != 300:
            failures.append(seed)

    threads = [Thread(target=use, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert len(list(pages)) == 400
    assert (failures, sum(pages)) == ([], 1200)


@pytest.mark.slow
def test_pages_take_a_quarter_of_the_memory_of_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    def texts() -> Iterable[tuple[str, str]]:
        return (
            (f"suite:{number}", f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {number}") for number in range(8 * MANY)
        )

    def size_of(make: type[tuple[object, ...]] | type[Pages[object]]) -> int:
        tracemalloc.start()
        items = make(texts())
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert len(items) == 8 * MANY
        return size

    assert size_of(Pages) < size_of(tuple) / 4
