"""Who is given what: a cluster that the test plays itself, by a clock of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from perft_check.harness.cluster import handing
from perft_check.harness.cluster.client import Done
from perft_check.harness.cluster.handing import SLOW_SECONDS, UNKNOWN_SECONDS, Handing, value_of
from perft_check.harness.cluster.remote import Site


class Played:
    """A cluster whose tasks end when the test says so."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.sent: dict[int, object] = {}
        self.taken_back: list[int] = []
        self.ended: list[Done] = []

    def capacity(self) -> int:
        return self.threads

    def submit(self, number: int, _work: object, *words: object) -> None:
        self.sent[number] = words[-1]

    def take_back(self, number: int) -> None:
        self.taken_back.append(number)

    def done(self, _seconds: float) -> list[Done]:
        ended, self.ended = self.ended, []
        return ended


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()
    monkeypatch.setattr(handing, "time", one)
    return one


def handing_to(cluster: Any) -> Handing[str]:
    return Handing(cluster, nothing)


def nothing(_site: Site, _thing: str) -> None:
    """What the cluster would do."""


def each_of(things: list[str]) -> Callable[[], str | None]:
    return lambda: things.pop(0) if things else None


def test_each_thread_has_as_many_as_are_wanted_ahead(clock: Clock) -> None:
    cluster, left = Played(2), list("abcde")
    one = handing_to(cluster)
    one.give(each_of(left), ahead=2)
    assert (list(cluster.sent.values()), left) == (["a", "b", "c", "d"], ["e"])
    cluster.ended = [Done(2, "w", value="B")]
    assert [(thing, done.value) for thing, done in one.done(0)] == [("b", "B")]
    one.give(each_of(left), ahead=2)
    assert one.out() == {1: "a", 3: "c", 4: "d", 5: "e"}


def test_what_is_slow_takes_nobodys_place(clock: Clock) -> None:
    """... but no more goes out than twice as much as there are places for: all of it may wait for its turn."""
    cluster, left = Played(1), list("abcdef")
    one = handing_to(cluster)
    one.give(each_of(left))
    clock.now += SLOW_SECONDS + 1
    one.give(each_of(left))
    assert list(cluster.sent.values()) == ["a"]  # nobody knows how long one takes
    clock.now += UNKNOWN_SECONDS
    one.give(each_of(left))
    assert list(cluster.sent.values()) == ["a", "b"]
    for _ in range(3):
        clock.now += UNKNOWN_SECONDS + 1
        one.give(each_of(left))
    assert list(cluster.sent.values()) == ["a", "b"]


def test_what_is_slow_goes_out_again_at_the_end_and_the_first_result_counts(clock: Clock) -> None:
    cluster = Played(2)
    one = handing_to(cluster)
    one.give(each_of(["a", "b"]))
    cluster.ended = [Done(2, "w", value="B")]
    list(one.done(0))
    clock.now += SLOW_SECONDS + 1
    for _ in range(3):  # once, as long as the copy is not slow itself
        one.give(each_of([]))
    assert cluster.sent == {1: "a", 2: "b", 3: "a"}
    clock.now += SLOW_SECONDS + 1
    one.give(each_of([]))
    assert cluster.sent[4] == "a"
    cluster.ended = [Done(3, "w", value="A"), Done(1, "v", value="late")]
    assert [(thing, done.value) for thing, done in one.done(0)] == [("a", "A")]
    assert sorted(cluster.taken_back) == [1, 4]
    assert one.out() == {}


def test_something_waits_while_nobody_is_there(clock: Clock) -> None:
    cluster, left = Played(0), list("ab")
    one = handing_to(cluster)
    for _ in range(2):
        one.give(each_of(left))
    assert (one.is_busy, one.things(), left) == (True, ["a"], ["b"])
    cluster.threads = 1
    one.give(each_of(left))
    assert (list(cluster.sent.values()), one.things(), left) == (["a"], ["a"], ["b"])
    cluster.threads = 0
    cluster.ended = [Done(1, "w", value="A")]
    list(one.done(0))
    one.give(each_of([]))
    assert not one.is_busy


def test_a_failure_is_raised() -> None:
    assert value_of(Done(1, "w", value=7), ValueError) == 7
    with pytest.raises(ValueError, match=r"^a worker could not do its work: it broke$"):
        value_of(Done(1, "w", failure="it broke"), ValueError)
