"""Tasks for executors. Worker processes import this module; they cannot import test modules."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from helpers.processes import until
from perft_check.harness.shutdown import Interrupted
from perft_check.harness.work.processes import LocalProcesses
from perft_check.harness.work.tasks import Done, Message, TaskContext


def receive_results(executor: LocalProcesses, number: int, messages: list[object] | None = None) -> dict[int, Done]:
    """Wait for `number` results; return them by task number. Messages, which are lists, are appended to `messages`."""
    done: dict[int, Done] = {}

    def are_done() -> bool:
        for answer in executor.receive(0.05):
            if isinstance(answer, Done):
                done[answer.number] = answer
            elif messages is not None and isinstance(answer, Message):
                messages.extend(answer.value)
        return len(done) >= number

    until(are_done)
    assert len(done) == number
    return done


def add(_context: TaskContext, first: int, second: int) -> int:
    return first + second


def wait_for_the_end(context: TaskContext, _task: object) -> str:
    """Wait until the task is stopped early."""
    ended = threading.Event()
    with context.stopping(ended.set):
        context.tell("begun")
        ended.wait(60)
    return "ended"


def be_interrupted(context: TaskContext, task: object) -> None:
    wait_for_the_end(context, task)
    raise Interrupted


def fail(_context: TaskContext, error: BaseException) -> None:
    raise error


def end_in_order(_context: TaskContext, _task: object) -> None:
    """Exit this process with status 0."""
    os._exit(0)


def die(_context: TaskContext, number: int) -> int:
    if number:
        os.kill(os.getpid(), number)
        time.sleep(60)
    return os.getpid()


def wait_for_file(_context: TaskContext, file: Path | None) -> int:
    """Wait until a file exists, if one is given; return the PID of this process."""
    if file is not None:
        until(file.exists)
    return os.getpid()


class KeptThing:
    """An object that a task keeps for the next one, and that creates a file when it is closed."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def close(self) -> None:
        self.file.touch()


def keep(context: TaskContext, file: Path) -> int:
    return id(context.keep("something", lambda: KeptThing(file)))
