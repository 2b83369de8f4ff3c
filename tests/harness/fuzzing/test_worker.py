"""The worker inside a fuzzing process."""

from __future__ import annotations

import multiprocessing
import threading
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.lines import line_from
from helpers.planted import discrepancy_at, make_plan
from helpers.processes import PATIENCE, until
from perft_check.harness.fuzzing.model import Hit
from perft_check.harness.fuzzing.plan import Share
from perft_check.harness.fuzzing.processes.messages import (
    Answer,
    BatchDone,
    DrawBatch,
    HitReduced,
    ReduceHit,
    Spent,
    Started,
    StopJob,
    Waiting,
)
from perft_check.harness.fuzzing.processes.worker import Worker


def answers(pipe: Connection) -> list[Answer]:
    """Return the answers up to the one that ends a job."""
    told: list[Answer] = []
    while not told or not isinstance(told[-1], BatchDone | HitReduced):
        assert pipe.poll(PATIENCE)
        told.append(pipe.recv())
    return [answer for answer in told if not isinstance(answer, Waiting | Spent)]


@pytest.mark.slow
def test_a_stopped_start_is_repeated_with_new_engines(tmp_path: Path) -> None:
    """The engine starts from the beginning: its dialect was not yet known."""
    asked = tmp_path / "asked"
    plan = make_plan(fake("perft-only", str(asked)), ("own:turbo",))
    ours, theirs = multiprocessing.Pipe()
    worker = Worker(plan, theirs)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    ours.send(DrawBatch(Share(0, 0, 20)))
    until(asked.exists)
    ours.send(StopJob())
    (drawn,) = answers(ours)
    assert isinstance(drawn, BatchDone)
    assert drawn.result.examples == 0

    discrepancy = discrepancy_at(line_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "none")
    ours.send(ReduceHit(Hit(discrepancy, "placements", 1)))
    started, reduced = answers(ours)
    assert isinstance(started, Started)
    assert isinstance(reduced, HitReduced)
    assert not reduced.comes_again
    ours.close()
    thread.join(PATIENCE)
    worker.close()
    assert not thread.is_alive()
