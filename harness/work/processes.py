"""Processes of this machine: for engines that hold Python's lock, or that may take their process with them."""

from __future__ import annotations

import multiprocessing
import os
import queue
import secrets
import threading
import traceback
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from ...errors import Complaint
from ..engines.our_processes import become_ours, starting
from ..model.machine import machine_name
from ..model.shutdown import InternalError, Interrupted
from .executor import ENDED_EARLY, Done, Message, TaskContext, TaskFunction
from .worker_state import WORKER


class _Task(NamedTuple):
    """An order to a process: do a task."""

    number: int
    task: Any


class _Stop(NamedTuple):
    """An order to a process: end a task early."""

    number: int


class _Raised(NamedTuple):
    """An answer of a process: a task has raised an error."""

    error: BaseException


class LocalProcesses:
    """Does tasks in new processes, each one at a time; where one dies, its task has failed, and another is started."""

    is_here = True

    def __init__(self, processes: int, work: TaskFunction[...], *words: object) -> None:
        """Take how many, and what they do: `work`, with these words. They are started once there are tasks for them."""
        self._most, self._work, self._words = processes, work, words
        self._processes: list[_Process] = []
        self._waiting: deque[_Task] = deque()
        self._forgotten: list[Done] = []
        """Tasks that were ended before they were begun."""
        self._messages: list[Message] = []

    def capacity(self) -> int:
        """Return the number of processes."""
        return self._most

    def submit(self, number: int, task: object) -> None:
        """Have a task done."""
        self._waiting.append(_Task(number, task))
        self._give_out()

    def _give_out(self) -> None:
        """Give each idle process a task."""
        while self._waiting:
            process = next((one for one in self._processes if one.task is None), None)
            if process is None and len(self._processes) == self._most:
                return
            if process is None:
                process = _Process(self._work, self._words)
                self._processes.append(process)
            process.give(self._waiting.popleft())

    def received(self, seconds: float) -> Sequence[Done]:
        """Return what is done. Raises what a task has raised, unless it was ended early."""
        self._messages, found, self._forgotten = [], self._forgotten, []
        by_pipe: dict[object, _Process] = {process.pipe: process for process in self._processes}
        for pipe in wait([process.pipe for process in self._processes], seconds):
            process = by_pipe[pipe]
            answer = process.answer()
            if isinstance(answer, Message):
                self._messages.append(answer)
                continue
            if not process.is_alive:
                self._processes.remove(process)
            found.append(answer)
        self._give_out()
        return found

    def messages(self) -> Sequence[Message]:
        """Return what tasks had told."""
        return self._messages

    def progress(self) -> int:
        """Return 0: nobody tells."""
        return 0

    def take_back(self, number: int) -> None:
        """End a task early, whose result nobody wants."""
        self.stop(frozenset({number}))

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Have tasks end early, or not begin."""
        meant = [one for one in self._waiting if numbers is None or one.number in numbers]
        self._waiting = deque(one for one in self._waiting if one not in meant)
        self._forgotten += [Done(one.number, "", failure=ENDED_EARLY) for one in meant]
        for process in self._processes:
            if process.task is not None and (numbers is None or process.task in numbers):
                process.stop()

    def dismiss(self, worker: str) -> None:
        """Do nothing: all processes are copies of one another."""

    def news(self) -> list[str]:
        """Return nothing."""
        return []

    def kill(self) -> None:
        """End the processes, whatever they do: their tasks have failed. Another thread may wait for these."""
        for process in list(self._processes):
            process.kill()

    def close(self) -> None:
        """End the processes, whatever they do."""
        self.kill()
        for process in self._processes:
            process.join()
        self._processes.clear()


class _Process:
    """A process, as its parent sees it."""

    def __init__(self, work: TaskFunction[...], words: tuple[object, ...]) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, work, words), daemon=True)
        with starting():
            self._process.start()
        theirs.close()
        self.task: int | None = None
        """The number of the task that it does."""
        self.is_alive = True

    def give(self, task: _Task) -> None:
        """Give it a task. Where it has died, `answer` says so."""
        self.task = task.number
        with suppress(OSError):
            self.pipe.send(task)

    def stop(self) -> None:
        """Have its task end early."""
        with suppress(OSError):
            self.pipe.send(_Stop(self.task or 0))

    def answer(self) -> Done | Message:
        """Return what it has sent. Raises what its task has raised, unless that was ended early."""
        number = self.task or 0
        try:
            answer: Done | Message | _Raised = self.pipe.recv()
        except (EOFError, OSError):
            self.join()
            self.is_alive = False
            return Done(number, "", failure=f"a process of ours died, with exit status {self._process.exitcode}")
        if isinstance(answer, Message):
            return answer
        self.task = None
        if not isinstance(answer, _Raised):
            return answer
        if isinstance(answer.error, Interrupted):
            return Done(number, "", failure=ENDED_EARLY)
        raise answer.error

    def kill(self) -> None:
        """End it at once."""
        with suppress(OSError):
            self._process.kill()

    def join(self) -> None:
        """Wait for its end, and free what the parent has of it."""
        self._process.join()
        self.pipe.close()


def _serve(pipe: Connection, work: TaskFunction[...], words: tuple[object, ...]) -> None:
    """Do tasks until the pipe is closed."""
    become_ours()
    multiprocessing.current_process().daemon = False  # a task may start processes: the hunt of a fault does
    run = secrets.token_hex(8)
    WORKER.name = f"{machine_name()}-{os.getpid()}"
    tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, tasks, run), daemon=True, name="orders").start()
    while (order := tasks.get()) is not None:
        with suppress(OSError):  # the parent is gone
            pipe.send(_answer(pipe, order, run, work, words))


def _listen(pipe: Connection, tasks: queue.SimpleQueue[_Task | None], run: str) -> None:
    """Take orders while a task is done."""
    while True:
        try:
            order: _Task | _Stop = pipe.recv()
        except (EOFError, OSError):
            tasks.put(None)
            WORKER.stop(run, None)
            return
        if isinstance(order, _Stop):
            WORKER.stop(run, frozenset({order.number}))
        else:
            tasks.put(order)


def _answer(
    pipe: Connection, order: _Task, run: str, work: TaskFunction[...], words: tuple[object, ...]
) -> Done | _Raised:
    context = TaskContext(run, order.number, lambda value: pipe.send(Message(order.number, WORKER.name, value)))
    try:
        with WORKER.working(run):
            return Done(order.number, WORKER.name, work(context, *words, order.task))
    except (Complaint, Interrupted) as error:
        return _Raised(error)
    except BaseException:
        return _Raised(InternalError(traceback.format_exc()))
