"""What is handed out when, by an executor that the test plays itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from perft_check.harness.work.executor import Done
from perft_check.harness.work.pool import TaskPool, value_of


class HandDrivenExecutor:
    """An executor whose tasks end when the test says so."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.sent: dict[int, object] = {}
        self.ended: list[Done] = []

    def capacity(self) -> int:
        return self.threads

    def submit(self, number: int, task: object) -> None:
        self.sent[number] = task

    def receive(self, _seconds: float) -> list[Done]:
        ended, self.ended = self.ended, []
        return ended

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass


def each_of(tasks: list[str]) -> Callable[[], str | None]:
    return lambda: tasks.pop(0) if tasks else None


def test_each_thread_has_as_many_as_are_wanted_ahead() -> None:
    executor, left = HandDrivenExecutor(2), list("abcde")
    one = TaskPool[str](executor)
    one.give(each_of(left), ahead=2)
    assert (list(executor.sent.values()), left) == (["a", "b", "c", "d"], ["e"])
    executor.ended = [Done(2, value="B")]
    assert [(task, done.value) for task, done in one.results(0)] == [("b", "B")]
    one.give(each_of(left), ahead=2)
    assert one.out() == {1: "a", 3: "c", 4: "d", 5: "e"}


def test_nothing_goes_out_while_nobody_is_there() -> None:
    executor, left = HandDrivenExecutor(0), list("ab")
    one = TaskPool[str](executor)
    one.give(each_of(left))
    assert (one.is_busy, left) == (False, ["a", "b"])
    executor.threads = 1
    one.give(each_of(left))
    assert (list(executor.sent.values()), one.out(), left) == (["a"], {1: "a"}, ["b"])


def test_a_failure_is_raised() -> None:
    assert value_of(Done(1, value=7), ValueError) == 7
    with pytest.raises(ValueError, match=r"^it broke$"):
        value_of(Done(1, failure="it broke"), ValueError)
