"""Worker processes, for engines that hold the GIL or may crash their process."""

from __future__ import annotations

import multiprocessing
import pickle
import queue
import threading
import time
import traceback
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple
from weakref import WeakSet

from ...errors import UserError
from ...platforms.processes import can_fork
from ..engines.child_processes import become_child, starting_children
from ..shutdown import InternalError, Interrupted, exit_at_once
from .tasks import ENDED_EARLY, Answer, Done, Message, TaskContext, TaskFunction

GOODBYE_SECONDS = 1.0
"""Time in seconds to wait for processes after their grace period before they are killed."""

_pipes: WeakSet[Connection] = WeakSet()
"""The parent's ends of the pipes to the worker processes of all executors."""


class _Task(NamedTuple):
    """A request to execute a task."""

    number: int
    task: Any


class _StopOrder(NamedTuple):
    """A request to stop a task."""

    number: int


class LocalProcesses:
    """Executes tasks in processes, one at a time in each. A process is ended if its task raises an exception."""

    def __init__(
        self,
        processes: int,
        work: TaskFunction[...],
        *words: object,
        forks: bool = False,
        grace_seconds: float = 0.0,
    ) -> None:
        """Prepare `processes` worker processes, which call `work` with `words` and each task.

        Processes are started when there are tasks for them, and replaced if they die. With `forks`, all are started
        immediately, before this process has threads, and never replaced; they are forked if the system supports it.
        `close` gives them `grace_seconds` to release their resources.
        """
        self._most, self._work, self._words = processes, work, words
        self._forks, self._grace_seconds = forks, grace_seconds
        self._waiting: deque[_Task] = deque()
        self._forgotten: list[Done] = []
        """The outcomes of tasks that were stopped before they began."""
        self._lock = threading.RLock()
        """Held while tasks are handed out or stopped, because another thread may stop them."""
        self._processes = [self._begin() for _ in range(processes if forks else 0)]

    def _begin(self) -> _Process:
        return _Process(self._work, self._words, self._forks, self._grace_seconds)

    def capacity(self) -> int:
        """Return the number of processes."""
        return self._most

    def submit(self, number: int, task: object) -> None:
        """Schedule a task."""
        with self._lock:
            self._waiting.append(_Task(number, task))
            self._give_out()

    def _give_out(self) -> None:
        """Hand out tasks to idle processes, and start new ones up to the limit."""
        while self._waiting and (process := self._find_idle()) is not None:
            process.give(self._waiting.popleft())

    def _find_idle(self) -> _Process | None:
        """Return an idle process, started if necessary, or None if all are busy."""
        idle = next((process for process in self._processes if process.task is None), None)
        if idle is None and len(self._processes) < self._most:
            idle = self._begin()
            self._processes.append(idle)
        return idle

    def receive(self, seconds: float) -> Sequence[Answer]:
        """Return the answers since the last call."""
        found: list[Answer] = list(self._forgotten)
        self._forgotten.clear()
        by_pipe: dict[object, _Process] = {process.pipe: process for process in self._processes}
        for pipe in wait([process.pipe for process in self._processes], 0 if found else seconds):
            process = by_pipe[pipe]
            answer = process.answer()
            if isinstance(answer, Message):
                found.append(answer)
                continue
            with self._lock:
                found += self._settle(process, answer)
        with self._lock:
            self._give_out()
        return found

    def _settle(self, process: _Process, answer: Done | None) -> list[Done]:
        """Record the outcome of a process's task. None means that the process died while idle."""
        process.task = None
        if answer is None or answer.exit_status is not None or answer.error is not None:
            self._processes.remove(process)
            process.end(self._end_of_grace())
            if answer is not None and self._forks:
                self._most -= 1
        return [] if answer is None else [answer]

    def stop(self, numbers: frozenset[int] | None = None) -> None:
        """Stop tasks, or cancel them before they begin."""
        with self._lock:
            meant = [one for one in self._waiting if numbers is None or one.number in numbers]
            self._waiting = deque(one for one in self._waiting if one not in meant)
            self._forgotten += [Done(one.number, failure=ENDED_EARLY) for one in meant]
            for process in self._processes:
                if process.task is not None and (numbers is None or process.task.number in numbers):
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

    def __init__(self, work: TaskFunction[...], words: tuple[object, ...], forks: bool, grace_seconds: float) -> None:
        is_copy = forks and can_fork()
        self.pipe, theirs = multiprocessing.Pipe()
        _pipes.add(self.pipe)
        # A pipe end is closed only when all its copies are, and a fork inherits copies of all ends in this process.
        copies = list(_pipes) if is_copy else []
        with starting_children():
            self._process = start_process("fork" if is_copy else "spawn", theirs, copies, grace_seconds, work, words)
        theirs.close()
        self.task: _Task | None = None
        """The current task."""

    def give(self, task: _Task) -> None:
        """Send a task. If the process has died, `answer` reports it."""
        self.task = task
        with suppress(OSError):
            self.pipe.send(task)

    def stop(self) -> None:
        """Stop the current task."""
        assert self.task is not None
        with suppress(OSError):
            self.pipe.send(_StopOrder(self.task.number))

    def answer(self) -> Done | Message | None:
        """Return the next answer, or None if the process died while idle."""
        try:
            answer: Done | Message = self.pipe.recv()
        except (EOFError, OSError) as error:
            self._process.join(GOODBYE_SECONDS)
            status = self._process.exitcode
            how = "" if isinstance(error, EOFError | ConnectionError) else f" ({error})"
            died = f"a worker process died, with exit status {status}{how}"
            return None if self.task is None else Done(self.task.number, failure=died, exit_status=status)
        return answer

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
    method: str,
    pipe: Connection,
    copies: Iterable[Connection],
    grace_seconds: float,
    work: TaskFunction[...],
    words: tuple[object, ...],
) -> BaseProcess:
    """Start a worker process. `method` is a start method of multiprocessing."""
    context: Any = multiprocessing.get_context(method)
    process: BaseProcess = context.Process(target=serve, args=(pipe, copies, grace_seconds, work, words), daemon=True)
    process.start()
    return process


def serve(
    pipe: Connection,
    copies: Iterable[Connection],
    grace_seconds: float,
    work: TaskFunction[...],
    words: tuple[object, ...],
) -> None:
    """Execute tasks in this process until the pipe is closed. `copies` are pipe ends inherited by a fork."""
    for copy in copies:
        copy.close()
    become_child(grace_seconds)
    multiprocessing.current_process().daemon = False  # allow tasks to start processes, as fault hunts do
    _TaskProcess(pipe, grace_seconds, work, words).run()


def _read_order(data: bytes) -> _Task | _StopOrder:
    """Unpickle an order. If that fails, print the traceback and end the process."""
    try:
        order: _Task | _StopOrder = pickle.loads(data)
    except Exception:
        traceback.print_exc()
        exit_at_once(1)
    return order


class _TaskProcess:
    """The loop of a worker process: one thread executes tasks while another one receives orders."""

    def __init__(
        self, pipe: Connection, grace_seconds: float, work: TaskFunction[...], words: tuple[object, ...]
    ) -> None:
        self._pipe, self._grace_seconds, self._work, self._words = pipe, grace_seconds, work, words
        self._context = TaskContext(self._send)
        self._waiting: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        """Tasks to execute, followed by None once the parent has closed the pipe."""
        self._sending = threading.Lock()

    def run(self) -> None:
        """Execute tasks until the pipe is closed, then release their resources."""
        threading.Thread(target=self._listen, daemon=True, name="orders").start()
        while (task := self._waiting.get()) is not None and not self._context.is_over:
            self._send(self._do(task))
        self._context.close()

    def _do(self, task: _Task) -> Done:
        number = task.number
        try:
            if not self._context.begin(number):
                raise Interrupted
            return Done(number, self._work(self._context, *self._words, task.task))
        except Interrupted:
            return Done(number, failure=ENDED_EARLY)
        except UserError as error:
            return Done(number, error=error)
        except BaseException:
            return Done(number, error=InternalError(traceback.format_exc()))

    def _listen(self) -> None:
        """Receive orders until the parent closes the pipe, then end this process within its grace period.

        After any other failure, print the traceback and end the process.
        """
        try:
            while True:
                order = _read_order(self._pipe.recv_bytes())
                if isinstance(order, _Task):
                    self._waiting.put(order)
                else:
                    self._context.stop(order.number)
        except (EOFError, ConnectionError):
            pass
        except Exception:
            traceback.print_exc()
            exit_at_once(1)
        finally:
            self._context.stop_all()
            self._waiting.put(None)
        if self._grace_seconds:  # some calls, such as compilation, cannot be stopped
            time.sleep(self._grace_seconds)
            exit_at_once(1)

    def _send(self, answer: Done | Message) -> None:
        with self._sending, suppress(OSError):  # the parent is gone
            self._pipe.send(answer)
