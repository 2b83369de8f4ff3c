"""Processes that do tasks: results, ends, failures and deaths, each with the task that it belongs to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from helpers.processes import PATIENCE, until
from helpers.tasks import Calling, Waiting, die, fail, give, receive_results, start_another
from perft_check.errors import UsageError
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.shutdown import InternalError, Interrupt
from perft_check.harness.worker_processes import Done, ProcessPool, Worker, spread, value_of

pytestmark = pytest.mark.slow  # the tests start processes

OpenPool = Callable[..., ProcessPool[Any]]


@pytest.fixture
def open_pool() -> Iterator[OpenPool]:
    opened: list[ProcessPool[Any]] = []

    def open_one(number: int, make: Callable[[], Worker], **options: Any) -> ProcessPool[Any]:
        opened.append(ProcessPool(number, make, **options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_each_task_has_its_result(open_pool: OpenPool) -> None:
    pool = open_pool(2, partial(Calling, (40).__add__))
    give(pool, 1, 2)
    assert pool.tasks == [1, 2]
    assert sorted(done.value for done in receive_results(pool, 2)) == [41, 42]
    assert (pool.size, pool.tasks, pool.receive(0)) == (2, [], [])


def test_a_busy_process_gets_no_task(open_pool: OpenPool) -> None:
    pool = open_pool(1, Waiting)
    give(pool, 0)
    pool.give(lambda: pytest.fail("all processes are busy"))


def test_some_tasks_are_stopped(open_pool: OpenPool) -> None:
    pool = open_pool(2, Waiting)
    give(pool, 0, "")
    begun: list[object] = []

    def have_begun() -> bool:
        begun.extend(answer for _, answer in pool.receive(0.05))
        return begun == ["begun"] * 2

    until(have_begun)
    pool.stop(lambda task: task == "")
    assert receive_results(pool, 1)[0].value == "ended"
    assert pool.tasks == [0]
    give(pool, 1)
    pool.stop()
    pool.stop()
    assert {done.failure or done.value for done in receive_results(pool, 2)} == {"ended", "it was ended early"}


def test_a_mistake_of_the_user_comes_through(open_pool: OpenPool) -> None:
    pool = open_pool(1, partial(Calling, fail))
    give(pool, UsageError("no such engine"))
    with pytest.raises(UsageError, match=r"^no such engine$"):
        value_of(receive_results(pool, 1)[0], "it")


def test_a_fault_of_ours_comes_with_its_traceback(open_pool: OpenPool) -> None:
    pool = open_pool(1, partial(Calling, fail))
    give(pool, ValueError("broken"))
    with pytest.raises(InternalError, match=r"(?s)Traceback.*in fail.*ValueError: broken"):
        value_of(receive_results(pool, 1)[0], "it")


def test_a_task_may_start_processes(open_pool: OpenPool) -> None:
    pool = open_pool(1, partial(Calling, start_another))
    give(pool, 42)
    assert receive_results(pool, 1)[0].value == "42"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_process_that_dies_fails_its_task_alone(open_pool: OpenPool, number: int) -> None:
    pool = open_pool(2, partial(Calling, die))
    give(pool, 0, number)
    failed, done = sorted(receive_results(pool, 2), key=lambda one: not one.failure)
    assert failed == Done(failure=f"a worker process died, with exit status -{number:d}", exit_status=-number)
    assert not done.failure
    assert done.value != os.getpid()
    assert pool.size == 1
    give(pool, 0)
    assert receive_results(pool, 1)[0].value == done.value


class Unreadable:
    """A task that reads a file when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Path]]:
        return Path.read_text, (Path("no such file"),)


def test_a_process_that_cannot_read_a_task_says_why(open_pool: OpenPool, capfd: pytest.CaptureFixture[str]) -> None:
    """The error is an OSError, as it is at the end of the pipe."""
    pool = open_pool(1, Waiting)
    give(pool, Unreadable())
    assert receive_results(pool, 1)[0].failure == "a worker process died, with exit status 1"
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no such file'" in capfd.readouterr().err


@pytest.mark.parametrize("forks", [True, False])
def test_a_task_whose_process_ends_in_order_has_failed(open_pool: OpenPool, forks: bool) -> None:
    pool = open_pool(1, partial(Calling, os._exit), forks=forks)
    give(pool, 0)
    assert receive_results(pool, 1)[0].failure == "a worker process died, with exit status 0"
    assert pool.size == 0


def test_a_death_between_two_tasks_is_reported(open_pool: OpenPool) -> None:
    pool = open_pool(1, partial(Calling, die))
    give(pool, 0)
    (done,) = receive_results(pool, 1)
    os.kill(done.value, signal.SIGKILL)
    [(task, dead)] = pool.receive(PATIENCE)
    assert (task, dead.exit_status, pool.size) == (0, -signal.SIGKILL, 0)


@pytest.mark.parametrize("grace_seconds", [0, 60])
def test_a_process_may_have_time_to_close(open_pool: OpenPool, tmp_path: Path, grace_seconds: int) -> None:
    pool = open_pool(1, partial(Calling, str, tmp_path / "closed"), forks=True, grace_seconds=grace_seconds)
    give(pool, 1)
    receive_results(pool, 1)
    pool.close()
    assert (tmp_path / "closed").exists() is bool(grace_seconds)


def test_a_death_while_tasks_are_spread_names_the_task() -> None:
    found = spread(os._exit, [3], 2, Interrupt(), "hunting {}".format)
    assert next(found) == (3, None)
    with pytest.raises(EngineCrash, match=r"^hunting 3: a worker process died, with exit status 3$"):
        next(found)


def test_tasks_are_spread_among_few_processes() -> None:
    found = list(spread(str, range(5), 2, Interrupt(), str))
    assert sorted(found, key=str) == sorted([(n, None) for n in range(5)] + [(n, str(n)) for n in range(5)], key=str)


def test_an_interrupt_drops_what_is_under_way() -> None:
    interrupt = Interrupt()
    found = spread(time.sleep, [60], 1, interrupt, str)
    assert next(found) == (60, None)
    interrupt.requested = True
    assert list(found) == []
