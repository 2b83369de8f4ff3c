"""Processes that do tasks: results, ends, failures and deaths, each with the task that it belongs to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from helpers.processes import until
from helpers.tasks import (
    add,
    be_interrupted,
    die,
    end_in_order,
    fail,
    keep,
    receive_results,
    wait_for_file,
    wait_for_the_end,
)
from perft_check.errors import UsageError
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.shutdown import InternalError, Interrupt
from perft_check.harness.work.pool import spread, value_of
from perft_check.harness.work.processes import LocalProcesses
from perft_check.harness.work.tasks import Done, Message

pytestmark = pytest.mark.slow  # the tests start processes


@pytest.fixture
def open_executor() -> Iterator[Callable[..., LocalProcesses]]:
    opened: list[LocalProcesses] = []

    def open_one(number: int, work: Callable[..., Any], *words: object) -> LocalProcesses:
        opened.append(LocalProcesses(number, work, *words))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_each_task_has_its_result(open_executor: Callable[..., LocalProcesses]) -> None:
    executor = open_executor(2, add, 40)
    for number in range(9):
        executor.submit(number, number)
    assert executor.capacity() == 2
    assert {number: done.value for number, done in receive_results(executor, 9).items()} == {
        n: 40 + n for n in range(9)
    }
    assert executor.receive(0) == []


def test_tasks_are_ended_early_by_their_numbers(open_executor: Callable[..., LocalProcesses]) -> None:
    executor = open_executor(2, wait_for_the_end)
    for number in (1, 2):
        executor.submit(number, None)
    told: set[int] = set()

    def have_begun() -> bool:
        answers = executor.receive(0.05)
        told.update(answer.number for answer in answers if isinstance(answer, Message) and answer.value == "begun")
        assert not any(isinstance(answer, Done) for answer in answers)
        return told == {1, 2}

    until(have_begun)
    executor.stop(frozenset({2}))
    assert receive_results(executor, 1)[2].value == "ended"
    executor.stop()
    assert receive_results(executor, 1)[1].value == "ended"


def test_what_is_ended_before_it_is_begun_is_reported(open_executor: Callable[..., LocalProcesses]) -> None:
    executor = open_executor(1, wait_for_the_end)
    for number in (1, 2, 3):
        executor.submit(number, None)
    until(lambda: any(isinstance(answer, Message) for answer in executor.receive(0.05)))
    executor.stop(frozenset({2}))
    assert receive_results(executor, 1)[2].failure == "it was ended early"
    executor.stop()
    done = receive_results(executor, 2)
    assert (done[1].value, done[3].failure) == ("ended", "it was ended early")


def test_an_interrupted_task_has_no_value(open_executor: Callable[..., LocalProcesses]) -> None:
    executor = open_executor(1, be_interrupted)
    executor.submit(5, None)
    until(lambda: any(isinstance(answer, Message) for answer in executor.receive(0.05)))
    executor.stop(frozenset({5}))
    assert receive_results(executor, 1)[5].failure == "it was ended early"


def test_a_mistake_of_the_user_comes_through(open_executor: Callable[..., LocalProcesses]) -> None:
    executor = open_executor(1, fail)
    executor.submit(1, UsageError("no such engine"))
    with pytest.raises(UsageError, match=r"^no such engine$"):
        value_of(receive_results(executor, 1)[1], EngineCrash)


def test_a_fault_of_ours_comes_with_its_traceback() -> None:
    with closing(LocalProcesses(1, fail)) as processes:
        processes.submit(1, ValueError("broken"))
        with pytest.raises(InternalError, match=r"(?s)Traceback.*in fail.*ValueError: broken"):
            value_of(receive_results(processes, 1)[1], EngineCrash)


def test_what_is_kept_is_opened_once(open_executor: Callable[..., LocalProcesses], tmp_path: Path) -> None:
    executor = open_executor(1, keep)
    for number in range(3):
        executor.submit(number, tmp_path / "closed")
    assert len({done.value for done in receive_results(executor, 3).values()}) == 1
    executor.close()
    assert not (tmp_path / "closed").exists(), "the process is killed"


def test_a_process_that_dies_fails_its_task_alone() -> None:
    with closing(LocalProcesses(2, die)) as processes:
        orders: Sequence[int] = (0, signal.SIGKILL, 0, signal.SIGSEGV, 0)
        for number, order in enumerate(orders):
            processes.submit(number, order)
        done = receive_results(processes, 5)
    assert [done[number].failure for number in (1, 3)] == [
        "a worker process died, with exit status -9",
        "a worker process died, with exit status -11",
    ]
    assert all(done[number].value != os.getpid() and not done[number].failure for number in (0, 2, 4))


class Unreadable:
    """A task that reads a file when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Path]]:
        return Path.read_text, (Path("no such file"),)


def test_a_process_that_cannot_read_a_task_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    """The error is an OSError, as it is at the end of the pipe."""
    with closing(LocalProcesses(1, add, 40)) as processes:
        processes.submit(1, Unreadable())
        assert receive_results(processes, 1)[1].failure == "a worker process died, with exit status 1"
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no such file'" in capfd.readouterr().err


def test_what_waits_in_a_process_that_dies_is_done_by_another_one() -> None:
    with closing(LocalProcesses(1, die)) as processes:
        for number, order in enumerate((signal.SIGKILL, 0, 0)):
            processes.submit(number, order)
        done = receive_results(processes, 3)
    assert [bool(done[number].failure) for number in range(3)] == [True, False, False]
    assert done[0].exit_status == -signal.SIGKILL
    assert done[1].value == done[2].value


def test_lost_processes_are_fewer_where_none_comes_in_their_place() -> None:
    with closing(LocalProcesses(2, die, forks=True)) as processes:
        processes.submit(1, signal.SIGKILL)
        assert receive_results(processes, 1)[1].failure
        assert processes.capacity() == 1
        for number in (2, 3, 4):
            processes.submit(number, 0)
        assert len({done.value for done in receive_results(processes, 3).values()}) == 1


@pytest.mark.parametrize("forks", [True, False])
def test_a_task_whose_process_ends_in_order_has_failed(forks: bool) -> None:
    with closing(LocalProcesses(1, end_in_order, forks=forks)) as processes:
        processes.submit(1, None)
        assert receive_results(processes, 1)[1].failure == "a worker process died, with exit status 0"


def test_no_task_waits_in_a_busy_process_while_another_is_idle(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with closing(LocalProcesses(2, wait_for_file)) as processes:
        for number in range(4):
            processes.submit(number, file if number == 0 else None)
        done = receive_results(processes, 3)
        assert done.keys() == {1, 2, 3}
        file.touch()
        busy = receive_results(processes, 1)[0].value
        assert busy not in {one.value for one in done.values()}


def test_a_process_that_is_reported_to_close_has_time_for_it(tmp_path: Path) -> None:
    processes = LocalProcesses(1, keep, forks=True, grace_seconds=60)
    processes.submit(1, tmp_path / "closed")
    receive_results(processes, 1)
    processes.close()
    assert (tmp_path / "closed").exists()


def test_a_death_while_tasks_are_spread_names_the_task() -> None:
    found = spread(os._exit, [3], 2, Interrupt(), "hunting {}".format)
    assert next(found) == (3, None)
    with pytest.raises(EngineCrash, match=r"^hunting 3: a worker process died, with exit status 3$"):
        next(found)


def test_an_interrupt_drops_what_is_under_way() -> None:
    interrupt = Interrupt()
    found = spread(time.sleep, [60], 1, interrupt, str)
    assert next(found) == (60, None)
    interrupt.requested = True
    assert list(found) == []
