"""Many hunts, side by side in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from ..engines.base import EngineCrash
from ..fuzzing.pool import signals_held_back
from ..fuzzing.worker import leave_signals_to_the_parent
from ..interrupt import Interrupt
from .fault import Fault
from .hunting import FUZZED, Hunt, Outcome, hunt
from .results import Results

POLL_SECONDS = 0.1


def hunts(faults: Iterable[Fault], strategies: Iterable[str], seeds: int, seconds: float) -> list[Hunt]:
    """Return everything to be hunted, one seed after another, so that an early end leaves whole seeds.

    Nothing in a suite depends on a seed, so it is counted with the first one only.
    """
    chosen, wanted = list(faults), list(strategies)
    return [
        Hunt(fault.name, strategy, seed, seconds)
        for seed in range(1, seeds + 1)
        for strategy in wanted
        if seed == 1 or strategy in FUZZED
        for fault in chosen
    ]


def carry_out(todo: list[Hunt], done: Results, jobs: int, interrupt: Interrupt) -> Iterator[Hunt | Outcome]:
    """Carry out what is not done yet, `jobs` hunts at a time, and keep each outcome as soon as it is known.

    Yields a hunt when it begins and its outcome when it ends. An interrupt drops those under way.
    Raises EngineCrash where a process of ours dies, UsageError where an outcome cannot be kept.
    """
    left = [task for task in todo if task not in done.by_hunt]
    with _processes(jobs) as processes:
        running: dict[Future[Outcome], Hunt] = {}
        while (left or running) and not interrupt.requested:
            while left and len(running) < jobs:
                task = left.pop(0)
                with signals_held_back():
                    running[processes.submit(hunt, task)] = task
                yield task
            for future in wait(running, POLL_SECONDS, FIRST_COMPLETED).done:
                task = running.pop(future)
                try:
                    outcome = future.result()
                except BrokenProcessPool:
                    raise EngineCrash(f"a process died that hunted {task.fault}; what is done is kept") from None
                done.keep(outcome, jobs)
                yield outcome


@contextmanager
def _processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that hunt; whoever is still hunting at the end is killed."""
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _get_ready) as processes:
        try:
            yield processes
        finally:
            for child in set(multiprocessing.active_children()) - others:
                child.kill()


def _get_ready() -> None:
    leave_signals_to_the_parent()
    threading.Thread(target=_end_with_the_parent, daemon=True, name="guard").start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
