"""Workers for pools of processes. Worker processes import this module; they cannot import test modules."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from helpers.processes import until
from perft_check.harness.shutdown import Interrupted
from perft_check.harness.worker_processes import Done, ProcessPool


def give(pool: ProcessPool[Any], *tasks: object) -> None:
    """Hand out tasks to idle processes, of which there must be enough."""
    left = list(tasks)
    pool.give(lambda: left.pop(0) if left else None)
    assert not left


def receive_results(pool: ProcessPool[Any], number: int, messages: list[object] | None = None) -> list[Done]:
    """Wait for `number` results; return them in the order of arrival. Messages are appended to `messages`."""
    done: list[Done] = []

    def are_done() -> bool:
        for _, answer in pool.receive(0.05):
            if isinstance(answer, Done):
                done.append(answer)
            elif messages is not None:
                messages.append(answer)
        return len(done) >= number

    until(are_done)
    assert len(done) == number
    return done


class Calling:
    """A worker that calls a function with each task, and touches a file when it is closed."""

    def __init__(self, function: Callable[..., Any], closed: Path | None = None) -> None:
        self._function, self._closed = function, closed

    def do(self, task: Any, _report: Callable[[Any], None], /) -> Any:
        return self._function(task)

    def stop(self) -> None:
        pass

    def resume(self) -> None:
        pass

    def close(self) -> None:
        if self._closed is not None:
            self._closed.touch()


class Waiting(Calling):
    """A worker whose tasks end when they are stopped; if the task is true, with `Interrupted`."""

    def __init__(self) -> None:
        super().__init__(str)
        self._ended = threading.Event()

    def do(self, task: Any, report: Callable[[Any], None], /) -> str:
        report("begun")
        self._ended.wait(60)
        if task:
            raise Interrupted
        return "ended"

    def stop(self) -> None:
        self._ended.set()

    def resume(self) -> None:
        self._ended.clear()


def fail(error: BaseException) -> None:
    raise error


def die(number: int) -> int:
    if number:
        os.kill(os.getpid(), number)
        time.sleep(60)
    return os.getpid()


def start_another(number: int) -> str:
    with closing(ProcessPool[int](1, partial(Calling, str))) as pool:
        give(pool, number)
        return str(receive_results(pool, 1)[0].value)
