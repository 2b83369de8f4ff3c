"""What is handed out when: an executor that the test plays itself, by a clock of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from perft_check.harness.work import pool
from perft_check.harness.work.executor import Done, Message
from perft_check.harness.work.pool import SLOW_SECONDS, UNKNOWN_SECONDS, TaskPool, TaskSizing, value_of


class HandDrivenExecutor:
    """An executor whose tasks end when the test says so."""

    def __init__(self, threads: int, is_here: bool = False) -> None:
        self.threads, self.is_here = threads, is_here
        self.sent: dict[int, object] = {}
        self.taken_back: list[int] = []
        self.ended: list[Done] = []

    def capacity(self) -> int:
        return self.threads

    def submit(self, number: int, task: object) -> None:
        self.sent[number] = task

    def take_back(self, number: int) -> None:
        self.taken_back.append(number)

    def receive(self, _seconds: float) -> list[Done]:
        ended, self.ended = self.ended, []
        return ended

    def messages(self) -> list[Message]:
        return []


class PoolClock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> PoolClock:
    one = PoolClock()
    monkeypatch.setattr(pool, "time", one)
    return one


def pool_of(executor: Any, patience: Callable[[str], float] | None = None) -> TaskPool[str]:
    return TaskPool(executor, patience)


def each_of(tasks: list[str]) -> Callable[[], str | None]:
    return lambda: tasks.pop(0) if tasks else None


def test_each_thread_has_as_many_as_are_wanted_ahead(clock: PoolClock) -> None:
    executor, left = HandDrivenExecutor(2), list("abcde")
    one = pool_of(executor)
    one.give(each_of(left), ahead=2)
    assert (list(executor.sent.values()), left) == (["a", "b", "c", "d"], ["e"])
    executor.ended = [Done(2, "w", value="B")]
    assert [(task, done.value) for task, done in one.results(0)] == [("b", "B")]
    one.give(each_of(left), ahead=2)
    assert one.out() == {1: "a", 3: "c", 4: "d", 5: "e"}


def test_what_is_slow_takes_nobodys_place(clock: PoolClock) -> None:
    """... but no more goes out than twice as much as there are places for: all of it may wait for its turn."""
    executor, left = HandDrivenExecutor(1), list("abcdef")
    one = pool_of(executor)
    one.give(each_of(left))
    clock.now += SLOW_SECONDS + 1
    one.give(each_of(left))
    assert list(executor.sent.values()) == ["a"]  # nobody knows how long one takes
    clock.now += UNKNOWN_SECONDS
    one.give(each_of(left))
    assert list(executor.sent.values()) == ["a", "b"]
    for _ in range(3):
        clock.now += UNKNOWN_SECONDS + 1
        one.give(each_of(left))
    assert list(executor.sent.values()) == ["a", "b"]


def test_what_is_slow_goes_out_again_at_the_end_and_the_first_result_counts(clock: PoolClock) -> None:
    executor = HandDrivenExecutor(2)
    one = pool_of(executor)
    one.give(each_of(["a", "b"]))
    executor.ended = [Done(2, "w", value="B")]
    list(one.results(0))
    clock.now += SLOW_SECONDS + 1
    for _ in range(3):  # once, as long as the copy is not slow itself
        one.give(each_of([]))
    assert executor.sent == {1: "a", 2: "b", 3: "a"}
    clock.now += SLOW_SECONDS + 1
    one.give(each_of([]))
    assert executor.sent[4] == "a"
    executor.ended = [Done(3, "w", value="A"), Done(1, "v", value="late")]
    assert [(task, done.value) for task, done in one.results(0)] == [("a", "A")]
    assert sorted(executor.taken_back) == [1, 4]
    assert one.out() == {}


def test_what_is_slow_on_this_machine_does_not_go_out_again(clock: PoolClock) -> None:
    executor = HandDrivenExecutor(2, is_here=True)
    one = pool_of(executor)
    one.give(each_of(["a"]))
    clock.now += 10 * UNKNOWN_SECONDS
    one.give(each_of([]))
    assert executor.sent == {1: "a"}


def test_something_waits_while_nobody_is_there(clock: PoolClock) -> None:
    executor, left = HandDrivenExecutor(0), list("ab")
    one = pool_of(executor)
    for _ in range(2):
        one.give(each_of(left))
    assert (one.is_busy, one.tasks(), left) == (True, ["a"], ["b"])
    executor.threads = 1
    one.give(each_of(left))
    assert (list(executor.sent.values()), one.tasks(), left) == (["a"], ["a"], ["b"])
    executor.threads = 0
    executor.ended = [Done(1, "w", value="A")]
    list(one.results(0))
    one.give(each_of([]))
    assert not one.is_busy


def test_a_failure_is_raised() -> None:
    assert value_of(Done(1, "w", value=7), ValueError) == 7
    with pytest.raises(ValueError, match=r"^it broke$"):
        value_of(Done(1, "w", failure="it broke"), ValueError)


def test_who_gives_tasks_may_say_when_one_is_slow(clock: PoolClock) -> None:
    executor = HandDrivenExecutor(2)
    one = pool_of(executor, len)
    one.give(each_of(["four"]))
    clock.now += 4
    one.give(each_of([]))
    assert executor.sent == {1: "four"}
    clock.now += 1
    one.give(each_of([]))
    assert executor.sent == {1: "four", 2: "four"}


def test_a_task_grows_with_what_is_known_and_shrinks_at_the_end() -> None:
    sizing = TaskSizing(seconds=1.0, fewest=8, most=100, ahead=2)
    assert sizing.size(left=1_000, capacity=4) == 8
    sizing.learn(seconds=2.0, items=40)
    assert sizing.size(left=1_000, capacity=4) == 20
    assert sizing.size(left=80, capacity=4) == 10
    assert sizing.size(left=1, capacity=0) == 1
    for _ in range(30):
        sizing.learn(seconds=0.0, items=40)
    assert sizing.size(left=100_000, capacity=4) == 100
