"""A pool of worker processes, for engines that hold the GIL or may crash their process."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from weakref import WeakSet

from ..errors import UserError
from ..platforms.processes import can_fork
from .engines.base import EngineCrash
from .engines.child_processes import become_child, starting_children
from .shutdown import POLL_SECONDS, InternalError, Interrupt, Interrupted, exit_at_once

T = TypeVar("T")
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

GOODBYE_SECONDS = 1.0
"""How long to wait for processes after their grace period before they are killed."""
ENDED_EARLY = "it was ended early"
"""The failure of a task that was stopped before it began, or that raised `Interrupted`."""

_pipes: WeakSet[Connection] = WeakSet()
"""The parent's ends of the pipes to the worker processes of all pools."""


class Worker(Protocol):
    """Executes the tasks inside a process, one at a time."""

    def do(self, task: Any, report: Callable[[Any], None], /) -> Any:
        """Execute a task and return its result; `report` sends messages in the meantime."""

    def stop(self) -> None:
        """Stop the current task, which returns a partial result; called from another thread."""

    def resume(self) -> None:
        """Allow another task after `stop`."""

    def close(self) -> None:
        """Release all resources."""


@dataclass(frozen=True)
class Done:
    """The outcome of a task."""

    value: Any = None
    failure: str = ""
    """Why there is no value."""
    exit_status: int | None = None
    """The exit status of the process if it died while executing the task."""
    error: BaseException | None = None
    """The exception that the task raised: a user error or an internal error."""


class _NumberedTask(NamedTuple):
    """A request to execute a task."""

    number: int
    task: Any


class _StopOrder(NamedTuple):
    """A request to stop the task with a number, which may already have ended."""

    number: int


class ProcessPool(Generic[T]):
    """Worker processes that execute one task at a time. A process whose task fails is ended and not replaced."""

    def __init__(
        self, processes: int, make: Callable[[], Worker], *, forks: bool = False, grace_seconds: float = 0.0
    ) -> None:
        """Start processes, which create their workers with `make`.

        If `forks` is true and the system supports it, the processes are forked; this process must not have threads yet.
        `close` gives them `grace_seconds` to release their resources.
        """
        self._grace_seconds = grace_seconds
        self._processes = [_Process(make, forks, grace_seconds) for _ in range(processes)]

    @property
    def size(self) -> int:
        """Number of processes that are left."""
        return len(self._processes)

    @property
    def tasks(self) -> list[T]:
        """The unfinished tasks."""
        return [process.task for process in self._processes if process.is_busy]

    def give(self, next_task: Callable[[], T | None]) -> None:
        """Hand out tasks until every process has one or none are left."""
        for process in self._processes:
            if not process.is_busy:
                if (task := next_task()) is None:
                    return
                process.give(task)

    def receive(self, seconds: float) -> list[tuple[T, Any]]:
        """Return the messages and outcomes since the last call with their tasks; wait up to `seconds` for one.

        A process that died between two tasks is reported with the first of them.
        """
        found: list[tuple[T, Any]] = []
        by_pipe: dict[object, _Process] = {process.pipe: process for process in self._processes}
        for pipe in wait([process.pipe for process in self._processes], seconds):
            process = by_pipe[pipe]
            answer = process.answer()
            found.append((process.task, answer))
            if isinstance(answer, Done):
                process.is_busy = False
                if answer.exit_status is not None or answer.error is not None:
                    self._processes.remove(process)
                    process.end(self._end_of_grace())
        return found

    def stop(self, is_meant: Callable[[T], bool] = lambda _task: True) -> None:
        """Stop tasks, which return partial results."""
        for process in self._processes:
            if process.is_busy and is_meant(process.task):
                process.stop()

    def close(self) -> None:
        """End the processes, all within one grace period."""
        if not self._grace_seconds:
            for process in self._processes:
                process.kill()
        for process in self._processes:
            process.pipe.close()
        end = self._end_of_grace()
        for process in self._processes:
            process.end(end)
        self._processes.clear()

    def _end_of_grace(self) -> float:
        return time.monotonic() + (self._grace_seconds + GOODBYE_SECONDS if self._grace_seconds else 0)


class _Process:
    """A worker process as seen by its parent."""

    def __init__(self, make: Callable[[], Worker], forks: bool, grace_seconds: float) -> None:
        is_copy = forks and can_fork()
        self.pipe, theirs = multiprocessing.Pipe()
        _pipes.add(self.pipe)
        # A pipe end is closed only when all its copies are, and a fork inherits copies of all ends in this process.
        copies = list(_pipes) if is_copy else []
        with starting_children():
            self._process = start_process("fork" if is_copy else "spawn", theirs, copies, grace_seconds, make)
        theirs.close()
        self.task: Any = None
        """The current task, or the last one."""
        self.is_busy = False
        self._given = 0
        """Number of tasks so far."""
        self._is_stopped = False
        """Whether the current task was asked to stop."""

    def give(self, task: Any) -> None:
        """Send a task. If the process has died, `answer` reports it."""
        self._given += 1
        self.task, self.is_busy, self._is_stopped = task, True, False
        with suppress(OSError):
            self.pipe.send(_NumberedTask(self._given, task))

    def stop(self) -> None:
        """Stop the current task."""
        if self._is_stopped:
            return
        self._is_stopped = True
        with suppress(OSError):
            self.pipe.send(_StopOrder(self._given))

    def answer(self) -> Any:
        """Return the next message or outcome, which may be the death of the process."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError) as error:
            self._process.join(GOODBYE_SECONDS)
            status = self._process.exitcode
            how = "" if isinstance(error, EOFError | ConnectionError) else f" ({error})"
            return Done(failure=f"a worker process died, with exit status {status}{how}", exit_status=status)

    def kill(self) -> None:
        """Kill the process."""
        with suppress(OSError):
            self._process.kill()

    def end(self, when: float) -> None:
        """Wait until `when` for the process to end, kill it if it has not, and release its resources."""
        self.pipe.close()
        self._process.join(max(0.0, when - time.monotonic()))
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def start_process(
    method: str, pipe: Connection, copies: Iterable[Connection], grace_seconds: float, make: Callable[[], Worker]
) -> BaseProcess:
    """Start a worker process. `method` is a start method of multiprocessing."""
    context: Any = multiprocessing.get_context(method)
    process: BaseProcess = context.Process(target=serve, args=(pipe, copies, grace_seconds, make), daemon=True)
    process.start()
    return process


def serve(pipe: Connection, copies: Iterable[Connection], grace_seconds: float, make: Callable[[], Worker]) -> None:
    """Execute tasks in this process until the pipe is closed. `copies` are pipe ends inherited by a fork."""
    for copy in copies:
        copy.close()
    become_child(grace_seconds)
    multiprocessing.current_process().daemon = False  # allow tasks to start processes, as fault hunts do
    _TaskLoop(pipe, grace_seconds, make).run()


def _read_order(data: bytes) -> _NumberedTask | _StopOrder:
    """Unpickle an order. If that fails, print the traceback and end the process."""
    try:
        order: _NumberedTask | _StopOrder = pickle.loads(data)
    except Exception:
        traceback.print_exc()
        exit_at_once(1)
    return order


class _TaskLoop:
    """The loop of a worker process: one thread executes tasks while another one receives orders."""

    def __init__(self, pipe: Connection, grace_seconds: float, make: Callable[[], Worker]) -> None:
        self._pipe, self._grace_seconds, self._make = pipe, grace_seconds, make
        self._worker: Worker | None = None
        """The worker, which is created for the first task, so that its errors are those of the task."""
        self._waiting: queue.SimpleQueue[_NumberedTask | None] = queue.SimpleQueue()
        """None is added once the parent has closed the pipe."""
        self._current = self._stopped = 0
        """The numbers of the task that the worker executes, and of the last task that was asked to stop."""
        self._is_over = False
        """Whether the parent has closed the pipe."""
        self._stopping = threading.Lock()
        """Held while a task begins, ends, or is stopped, so that a late stop cannot affect the next task."""
        self._sending = threading.Lock()

    def run(self) -> None:
        """Execute tasks until the pipe is closed, then release their resources."""
        threading.Thread(target=self._listen, daemon=True, name="orders").start()
        while (task := self._waiting.get()) is not None and not self._is_over:
            self._send(self._do(task))
        if self._worker is not None:
            self._worker.close()

    def _do(self, task: _NumberedTask) -> Done:
        try:
            return Done(self._execute(task))
        except Interrupted:
            return Done(failure=ENDED_EARLY)
        except UserError as error:
            return Done(error=error)
        except BaseException:
            return Done(error=InternalError(traceback.format_exc()))

    def _execute(self, task: _NumberedTask) -> Any:
        worker = self._worker = self._worker or self._make()
        with self._stopping:
            if self._is_over or self._stopped == task.number:
                raise Interrupted
            worker.resume()
            self._current = task.number
        try:
            return worker.do(task.task, self._send)
        finally:
            with self._stopping:
                self._current = 0

    def _listen(self) -> None:
        """Receive orders until the parent closes the pipe, then end this process within its grace period.

        After any other failure, print the traceback and end the process.
        """
        try:
            while True:
                order = _read_order(self._pipe.recv_bytes())
                if isinstance(order, _NumberedTask):
                    self._waiting.put(order)
                else:
                    self._stop(order.number)
        except (EOFError, ConnectionError):
            pass
        except Exception:
            traceback.print_exc()
            exit_at_once(1)
        finally:
            self._is_over = True
            self._stop(self._current)
            self._waiting.put(None)
        if self._grace_seconds:  # some calls, such as compilation, cannot be stopped
            time.sleep(self._grace_seconds)
            exit_at_once(1)

    def _stop(self, number: int) -> None:
        """Stop a task, unless it has ended."""
        with self._stopping:
            self._stopped = number
            if self._current and self._current == number and self._worker is not None:
                self._worker.stop()

    def _send(self, answer: Any) -> None:
        with self._sending, suppress(OSError):  # the parent is gone
            self._pipe.send(answer)


class _FunctionWorker(Generic[_Task, _Result]):
    """A worker that calls a function, which cannot be stopped."""

    def __init__(self, function: Callable[[_Task], _Result]) -> None:
        self._function = function

    def do(self, task: _Task, _report: Callable[[Any], None], /) -> _Result:
        """Execute a task and return its result."""
        return self._function(task)

    def stop(self) -> None:
        """Do nothing."""

    resume = close = stop


def value_of(done: Done, what: str) -> Any:
    """Return the value of a task. Raises the task's exception, or EngineCrash about `what` if it has none."""
    if done.error is not None:
        raise done.error
    if done.failure:
        raise EngineCrash(f"{what}: {done.failure}")
    return done.value


def spread(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    processes: int,
    interrupt: Interrupt,
    describe: Callable[[_Task], str],
) -> Iterator[tuple[_Task, _Result | None]]:
    """Execute independent tasks in processes. An interrupt drops unfinished tasks.

    Yield each task with None when it begins and with its result when it ends, in any order. Exceptions of `work`
    propagate. Raises EngineCrash with the description of the task if its process dies.
    """
    left = deque(tasks)
    begun: list[_Task] = []

    def following() -> _Task | None:
        if not left:
            return None
        begun.append(left.popleft())
        return begun[-1]

    pool: ProcessPool[_Task] = ProcessPool(min(processes, len(left)), partial(_FunctionWorker, work))
    with closing(pool):
        while (left or pool.tasks) and not interrupt.requested:
            pool.give(following)
            yield from [(task, None) for task in begun]
            begun.clear()
            for task, done in pool.receive(POLL_SECONDS):
                yield task, value_of(done, describe(task))
