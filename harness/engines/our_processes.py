"""Processes of our own: which signals reach them, that they end with their parent, and work done side by side."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from typing import Protocol, TypeVar

from ..model.shutdown import POLL_SECONDS, STOP_SIGNALS, Interrupt, exit_at_once
from . import our_environment
from .base import EngineCrash
from .stdio import orphans

GRACE_SECONDS = 2.0
"""How long what is under way may take to end once the parent is gone."""

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Spread(Protocol):
    """Does work in several processes, here or elsewhere."""

    def __call__(
        self,
        work: Callable[[_Task], _Result],
        tasks: Iterable[_Task],
        interrupt: Interrupt,
        doing: Callable[[_Task], str],
        /,
    ) -> Iterator[tuple[_Task, _Result | None]]:
        """Yield as `side_by_side` does."""


def side_by_side(
    work: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    interrupt: Interrupt,
    doing: Callable[[_Task], str],
    *,
    jobs: int,
) -> Iterator[tuple[_Task, _Result | None]]:
    """Do the work of each task in one of `jobs` new processes, until an interrupt drops what is under way.

    Yields a task with None when it begins and with its result when it ends, in any order. Raises what
    `work` does, and EngineCrash with `doing` each task under way where a process dies.
    """
    left = iter(tasks)
    running: dict[Future[_Result], _Task] = {}
    with closing(ProcessPool(jobs)) as pool:
        while not interrupt.requested:
            for task in islice(left, jobs - len(running)):
                running[pool.submit(work, task)] = task
                yield task, None
            if not running:
                return
            for future in wait(running, POLL_SECONDS, FIRST_COMPLETED).done:
                task = running.pop(future)
                try:
                    yield task, future.result()
                except BrokenProcessPool:
                    # All that is under way ends with it, and nobody can tell whose process it was.
                    suspects = " or ".join(doing(one) for one in (task, *running.values()))
                    raise EngineCrash(f"a process of ours died, {suspects}") from None


class ProcessPool:
    """New processes of ours, each of which does one call at a time; whatever they do, they end with `close`."""

    def __init__(self, jobs: int, begin: Callable[..., None] | None = None, *arguments: object) -> None:
        """Have so many processes, which call `become_ours` and then `begin`, if given, with its arguments."""
        context = multiprocessing.get_context("spawn")
        with starting():  # it starts the tracker of its locks
            self._executor = ProcessPoolExecutor(jobs, context, _begin, (begin, arguments))

    def submit(self, work: Callable[..., _Result], *arguments: object) -> Future[_Result]:
        """Have a call done. Raises BrokenProcessPool where a process has died."""
        with starting():
            return self._executor.submit(work, *arguments)

    def close(self) -> None:
        """End the processes, and drop the calls that are under way."""
        for process in list((getattr(self._executor, "_processes", None) or {}).values()):
            with suppress(OSError):
                process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


def _begin(begin: Callable[..., None] | None, arguments: tuple[object, ...]) -> None:
    become_ours()
    if begin is not None:
        begin(*arguments)


def python_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this package in a new Python, which imports nothing from the folder."""
    return [sys.executable, "-P", "-m", module, *words]


def can_fork() -> bool:
    """Tell whether this process can be copied with all that it has loaded, which saves a new one a second.

    A copy has one thread of this process, and locks of the others stay held in it for good. On macOS the
    libraries of the system do not bear to be copied.
    """
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


def become_ours(grace_seconds: float = 0.0) -> None:
    """Let the parent alone decide in this new process when it ends: so long after itself at the latest."""
    leave_signals_to_the_parent()
    orphans.adopt()
    our_environment.load_numpy()
    our_environment.forget()
    our_environment.collect_seldom()
    threading.Thread(target=_end_with_the_parent, args=(grace_seconds,), daemon=True, name="guard").start()


def leave_signals_to_the_parent() -> None:
    """Ctrl-C reaches the whole group, but the parent alone decides. A handler, unlike SIG_IGN, is not inherited."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda _number, _frame: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _end_with_the_parent(grace_seconds: float) -> None:
    """End this process some time after its parent: even in a call that does not react, such as the compiler's."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        time.sleep(grace_seconds)
        exit_at_once(1)


@contextmanager
def starting() -> Iterator[None]:
    """Let processes of ours be started in this block."""
    with our_environment.ours(), _signals_held_back():
        yield


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let no Ctrl-C reach a process that is being started, before it can handle it; here it comes a little later."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # else the first start starts it, too, which lets the signals through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
