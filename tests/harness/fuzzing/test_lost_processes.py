"""When a process dies: what was found is told, and the processes that are left go on.

Members of the pool are threads here that answer as a script says, through the pipes that processes have.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection

import pytest
from helpers.lines import line_from
from helpers.planted_faults import fault_at, make_plan
from helpers.processes import PATIENCE
from perft_check.harness.engines.base import EngineCrash, EngineTimeout
from perft_check.harness.fuzzing import campaign
from perft_check.harness.fuzzing.batch import BatchResult
from perft_check.harness.fuzzing.campaign import fuzz
from perft_check.harness.fuzzing.model import Fault, Find, FuzzFinished, Hit
from perft_check.harness.fuzzing.plan import LARGEST_BATCH, Plan
from perft_check.harness.fuzzing.processes import pool
from perft_check.harness.fuzzing.processes.worker import (
    Draw,
    Drawn,
    Examined,
    Failed,
    Job,
    Reduce,
    Reduced,
    Started,
    StopJob,
)
from perft_check.harness.model.interrupt import Interrupt
from perft_check.harness.model.verdict import ExitCode

LARGE = line_from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
KINGS = line_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
KINDS = ("one", "other")
LATER = 3
"""A batch that has no end, unless it is stopped."""


class Death(Exception):
    """Raised in a script: the process dies."""


Script = Callable[[Job, Connection], None]


class Scripted(threading.Thread):
    """What a member takes for its process."""

    exitcode = -9

    def __init__(self, pipe: Connection, script: Script) -> None:
        super().__init__(daemon=True)
        self._pipe, self._script = pipe, script

    def run(self) -> None:
        try:
            self._pipe.send(Started())
            while True:
                job = self._pipe.recv()
                if not isinstance(job, StopJob):
                    self._script(job, self._pipe)
        except (Death, EOFError, OSError):
            self._pipe.close()


def run(
    monkeypatch: pytest.MonkeyPatch, script: Script, jobs: int, batches: int = 1, interrupt: Interrupt | None = None
) -> FuzzFinished:
    """Return the last event of a run whose processes follow a script."""

    class Member(pool.Member):
        def __init__(self, plan: Plan) -> None:
            self.pipe, theirs = multiprocessing.Pipe()
            self._process = Scripted(theirs, script)  # type: ignore[assignment]
            self._process.start()
            self.job = None

    monkeypatch.setattr(pool, "Member", Member)
    plan = replace(make_plan(examples=batches * LARGEST_BATCH), jobs=jobs)
    assert plan.size(batches - 1) == plan.batch
    assert plan.size(batches) == 0
    *_, last = fuzz(plan, interrupt or Interrupt())
    assert isinstance(last, FuzzFinished)
    return last


def hit(kind: str) -> Hit:
    return Hit(fault_at(LARGE, kind), "placements", 1 + KINDS.index(kind))


def draw(job: Draw, pipe: Connection) -> None:
    """Find both kinds."""
    result = BatchResult(job.batch)
    for kind in KINDS:
        found = hit(kind)
        signature = found.fault.signature
        result.hits[signature], result.first[signature], result.times[signature] = [found], found, 5
    result.strategies["placements"] = LARGEST_BATCH
    pipe.send(Examined(job.batch, 2, tuple(map(hit, KINDS))))
    pipe.send(Drawn(result))


def reduce(job: Reduce, pipe: Connection) -> None:
    """Reduce to the kings."""
    pipe.send(Reduced(job.hit, fault_at(KINGS, kind_of(job.hit.fault)), 1, comes_again=True))


def kind_of(fault: Fault) -> str:
    return next(kind for kind in KINDS if fault.signature == fault_at(LARGE, kind).signature)


def pieces(finds: tuple[Find, ...]) -> dict[str, int]:
    return {kind_of(find.fault): find.pieces for find in finds}


def dies_reducing(*kinds: str) -> Script:
    def script(job: Job, pipe: Connection) -> None:
        if isinstance(job, Draw):
            draw(job, pipe)
        elif kind_of(job.hit.fault) in kinds:
            raise Death
        else:
            reduce(job, pipe)

    return script


def test_nobody_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    finished = run(monkeypatch, dies_reducing(), jobs=2)
    assert (finished.failure, finished.exit_code) == ("", ExitCode.MISMATCH)
    assert pieces(finished.finds) == {"one": 2, "other": 2}


def test_finds_are_reduced_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt()
    monkeypatch.setattr(campaign, "PATIENCE_SECONDS", PATIENCE)

    def script(job: Job, pipe: Connection) -> None:
        interrupt.requested = True
        dies_reducing()(job, pipe)

    finished = run(monkeypatch, script, jobs=2, interrupt=interrupt)
    assert pieces(finished.finds) == {"one": 2, "other": 2}
    assert finished.exit_code is ExitCode.INTERRUPTED


@pytest.mark.parametrize(("fatal", "left"), [("one", "other"), ("other", "one")])
@pytest.mark.parametrize("jobs", [2, 3])
def test_others_go_on_reducing(monkeypatch: pytest.MonkeyPatch, fatal: str, left: str, jobs: int) -> None:
    finished = run(monkeypatch, dies_reducing(fatal), jobs)
    assert finished.failure.startswith(f"a fuzzing process died at reducing {hit(fatal).fault.place}, ")
    assert pieces(finished.finds) == {fatal: 32, left: 2}
    assert [find.times for find in finished.finds] == [5, 5]
    assert finished.exit_code is ExitCode.MISMATCH


def test_one_whose_engine_does_not_start_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(job: Job, pipe: Connection) -> None:
        if isinstance(job, Reduce) and kind_of(job.hit.fault) == "one":
            pipe.send(Failed(EngineTimeout("the engine has not answered")))
            raise Death
        dies_reducing()(job, pipe)

    finished = run(monkeypatch, script, jobs=2)
    assert finished.failure == "the engine has not answered"
    assert pieces(finished.finds) == {"one": 32, "other": 2}
    assert finished.exit_code is ExitCode.MISMATCH


@pytest.mark.parametrize(("fatal", "jobs"), [(("one",), 1), (KINDS, 2), (KINDS, 3)])
def test_nobody_is_left_to_reduce(monkeypatch: pytest.MonkeyPatch, fatal: tuple[str, ...], jobs: int) -> None:
    finished = run(monkeypatch, dies_reducing(*fatal), jobs)
    assert finished.failure
    assert pieces(finished.finds) == {"one": 32, "other": 32}
    assert finished.exit_code is ExitCode.MISMATCH


def dies_drawing(job: Job, pipe: Connection) -> None:
    """The first batch dies of what it finds; a later one ends once it is stopped; there are more."""
    if isinstance(job, Reduce):
        reduce(job, pipe)
    elif job.batch == 0:
        pipe.send(Examined(0, 7, (hit("one"),)))
        raise Death
    else:
        assert job.batch < LATER, "none is given out after the death"
        assert isinstance(pipe.recv(), StopJob)
        result = BatchResult(job.batch)
        result.strategies["placements"] = 4
        pipe.send(Drawn(result))


@pytest.mark.parametrize(("jobs", "size"), [(1, 32), (2, 2), (3, 2)])
def test_what_a_dead_process_has_found_is_told(monkeypatch: pytest.MonkeyPatch, jobs: int, size: int) -> None:
    """Reduced, if there is another one to do it."""
    finished = run(monkeypatch, dies_drawing, jobs, batches=9)
    assert finished.failure.startswith("a fuzzing process died at batch 0, with exit status -9")
    assert pieces(finished.finds) == {"one": size}
    assert finished.coverage.examples == 7 + 4 * (jobs - 1)
    assert finished.exit_code is ExitCode.MISMATCH


def test_all_die_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(job: Job, pipe: Connection) -> None:
        assert isinstance(job, Draw)
        pipe.send(Examined(job.batch, 7, (hit("one"),)))
        raise Death

    finished = run(monkeypatch, script, jobs=2, batches=9)
    assert pieces(finished.finds) == {"one": 32}
    assert finished.exit_code is ExitCode.MISMATCH


def test_without_finds_the_run_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(_job: Job, _pipe: Connection) -> None:
        raise Death

    with pytest.raises(EngineCrash, match=r"^a fuzzing process died at batch 0"):
        run(monkeypatch, script, jobs=1)
