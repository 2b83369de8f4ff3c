"""When a process dies, its hits are reported, and the other processes continue.

Here the processes of the pool are threads that follow a script and answer through pipes, as processes do.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.games import game_from
from helpers.planted import discrepancy_at, make_plan
from helpers.processes import until
from helpers.tasks import give, receive_results
from perft_check.harness import worker_processes
from perft_check.harness.fuzzing.batch import BatchResult
from perft_check.harness.fuzzing.campaign import JobPool, fuzz
from perft_check.harness.fuzzing.model import Discrepancy, FuzzFinding, FuzzFinished, Hit
from perft_check.harness.fuzzing.plan import LARGEST_BATCH, BatchAssignment
from perft_check.harness.fuzzing.processes.messages import (
    BatchDone,
    BatchProgress,
    EnginesReady,
    ExamineBatch,
    HitReduced,
    Job,
    ReduceHit,
    WorkerMessage,
    WorkerNotice,
)
from perft_check.harness.model.results.verdict import ExitCode
from perft_check.harness.shutdown import Interrupt
from perft_check.harness.worker_processes import Done

LARGE = game_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
KINGS = game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
KINDS = ("one", "other")
LATER = 3
"""The first batch that does not end unless it is stopped."""


class Death(Exception):
    """Raised in a script when the process dies."""


class ScriptedJob:
    """A job of a script, with methods that send the messages of its process."""

    def __init__(self, number: int, pipe: Connection) -> None:
        self._number, self._pipe = number, pipe

    def send(self, message: WorkerMessage) -> None:
        """Send a message during the job."""
        self._pipe.send(message)

    def end(self, result: WorkerMessage) -> None:
        """End the job with its result."""
        self._pipe.send(Done(result))

    def wait_for_stop(self) -> None:
        """Wait until the job is stopped."""
        assert self._pipe.recv().number == self._number


Script = Callable[[Job, ScriptedJob], None]


class Scripted(threading.Thread):
    """A thread in place of a process."""

    exitcode = -9

    def __init__(self, pipe: Connection, script: Script) -> None:
        super().__init__(daemon=True)
        # The parent closes its copy of this end, as it does for a process.
        self._pipe, self._script = Connection(os.dup(pipe.fileno())), script

    def run(self) -> None:
        try:
            has_started = False
            while True:
                order = self._pipe.recv()
                if not hasattr(order, "task"):  # a stop for a job that has already ended
                    continue
                answering = ScriptedJob(order.number, self._pipe)
                if not has_started:
                    answering.send(EnginesReady())
                    has_started = True
                self._script(order.task, answering)
        except (Death, EOFError, OSError):
            self._pipe.close()


def run(monkeypatch: pytest.MonkeyPatch, script: Script, jobs: int, batches: int = 1) -> FuzzFinished:
    """Return the last event of a run whose processes follow a script."""

    def start(_method: str, pipe: Connection, *_words: object) -> Scripted:
        process = Scripted(pipe, script)
        process.start()
        return process

    monkeypatch.setattr(worker_processes, "start_process", start)
    plan = replace(make_plan(examples=batches * LARGEST_BATCH), jobs=jobs)
    assert plan.assignment(batches - 1).size == plan.batch
    assert plan.assignment(batches).size == 0
    *_, last = fuzz(plan, Interrupt())
    assert isinstance(last, FuzzFinished)
    return last


def hit(kind: str) -> Hit:
    return Hit(discrepancy_at(LARGE, kind), "placements", 1 + KINDS.index(kind))


def examine(job: ExamineBatch, answering: ScriptedJob) -> None:
    """Examine a batch that has hits of both kinds."""
    result = BatchResult(job.batch)
    for kind in KINDS:
        found = hit(kind)
        signature = found.discrepancy.signature
        result.hits[signature], result.first[signature], result.hit_counts[signature] = [found], found, 5
    result.strategies["placements"] = LARGEST_BATCH
    answering.send(BatchProgress(job.batch, 2, tuple(map(hit, KINDS))))
    answering.end(BatchDone(result))


def reduce(job: ReduceHit, answering: ScriptedJob) -> None:
    """Reduce a hit to the kings."""
    answering.end(HitReduced(job.hit, discrepancy_at(KINGS, kind_of(job.hit.discrepancy)), 1, reproducible=True))


def kind_of(discrepancy: Discrepancy) -> str:
    return next(kind for kind in KINDS if discrepancy.signature == discrepancy_at(LARGE, kind).signature)


def pieces(findings: tuple[FuzzFinding, ...]) -> dict[str, int]:
    return {kind_of(finding.discrepancy): finding.pieces for finding in findings}


def dies_reducing(*kinds: str) -> Script:
    def script(job: Job, answering: ScriptedJob) -> None:
        if isinstance(job, ExamineBatch):
            examine(job, answering)
        elif kind_of(job.hit.discrepancy) in kinds:
            raise Death
        else:
            reduce(job, answering)

    return script


@pytest.mark.parametrize(
    ("fatal", "jobs"),
    [((), 2), *((fatal, jobs) for fatal in (("one",), ("other",)) for jobs in (1, 2, 3)), (KINDS, 2), (KINDS, 3)],
)
def test_other_processes_reduce_the_remaining_hits_of_a_dead_process(
    monkeypatch: pytest.MonkeyPatch, fatal: tuple[str, ...], jobs: int
) -> None:
    finished = run(monkeypatch, dies_reducing(*fatal), jobs)
    assert finished.failure.startswith(f"a fuzzing process died at reducing {LARGE}, " if fatal else "")
    assert bool(finished.failure) is bool(fatal)
    found = pieces(finished.findings)
    assert found.keys() == {*KINDS}
    assert all(found[kind] == 32 for kind in fatal)
    assert jobs == 1 or all(found[kind] == 2 for kind in {*KINDS} - {*fatal})
    assert [finding.times for finding in finished.findings] == [5, 5]
    assert finished.exit_code is ExitCode.MISMATCH


def dies_examining(job: Job, answering: ScriptedJob) -> None:
    """The process of the first batch dies after a hit; later batches end when they are stopped."""
    if isinstance(job, ReduceHit):
        reduce(job, answering)
    elif job.batch == 0:
        answering.send(BatchProgress(0, 7, (hit("one"),)))
        raise Death
    else:
        assert job.batch < LATER, "no batch is handed out after the death"
        answering.wait_for_stop()
        result = BatchResult(job.batch)
        result.strategies["placements"] = 4
        answering.end(BatchDone(result))


@pytest.mark.parametrize(("jobs", "size"), [(1, 32), (2, 2), (3, 2)])
def test_hits_of_a_dead_process_are_reported(monkeypatch: pytest.MonkeyPatch, jobs: int, size: int) -> None:
    """They are reduced if another process is left."""
    finished = run(monkeypatch, dies_examining, jobs, batches=9)
    assert finished.failure.startswith("a fuzzing process died at batch 0, with exit status -9")
    assert pieces(finished.findings) == {"one": size}
    assert finished.coverage.examples == 7 + 4 * (jobs - 1)
    assert finished.exit_code is ExitCode.MISMATCH


@pytest.mark.slow
def test_a_stopped_start_is_repeated_with_new_engines(tmp_path: Path) -> None:
    """The engine starts again, because its dialect was not known yet."""
    asked = tmp_path / "asked"
    plan = make_plan(fake("perft-only", str(asked)), ("own:turbo",))
    messages: list[object] = []
    with closing(JobPool(plan)) as pool:
        give(pool, ExamineBatch(BatchAssignment(0, 0, 20)))
        until(asked.exists)
        pool.stop()
        sampled = receive_results(pool, 1, messages)[0].value
        assert isinstance(sampled, BatchDone)
        assert sampled.result.examples == 0
        assert not [answer for answer in messages if not isinstance(answer, WorkerNotice)]

        discrepancy = discrepancy_at(game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "none")
        give(pool, ReduceHit(Hit(discrepancy, "placements", 1)))
        reduced = receive_results(pool, 1, messages)[0].value
        (started,) = [answer for answer in messages if not isinstance(answer, WorkerNotice)]
        assert isinstance(started, EnginesReady)
        assert isinstance(reduced, HitReduced)
        assert not reduced.reproducible
