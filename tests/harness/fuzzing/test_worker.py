"""What goes on in a fuzzing process."""

from __future__ import annotations

import multiprocessing
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from helpers.fakes import fake
from helpers.lines import line_from
from helpers.planted_faults import fault_at, make_plan
from helpers.processes import PATIENCE, until
from perft_check.harness.fuzzing.model import Hit
from perft_check.harness.fuzzing.processes.worker import (
    Answer,
    Draw,
    Drawn,
    Reduce,
    Reduced,
    Started,
    StopJob,
    Waiting,
    Worker,
)


def answers(pipe: Connection) -> list[Answer]:
    """Return what comes up to the answer that ends a job."""
    told: list[Answer] = []
    while not told or not isinstance(told[-1], Drawn | Reduced):
        assert pipe.poll(PATIENCE)
        told.append(pipe.recv())
    return [answer for answer in told if not isinstance(answer, Waiting)]


def test_a_start_that_was_stopped_is_made_again(tmp_path: Path) -> None:
    """From the beginning: it was not yet known which command the engine understands."""
    asked = tmp_path / "asked"
    plan = make_plan(fake("perft-only", str(asked)), ("own:turbo",))
    ours, theirs = multiprocessing.Pipe()
    worker = Worker(plan, theirs)
    thread = threading.Thread(target=worker.run, daemon=True)
    thread.start()
    ours.send(Draw(0))
    until(asked.exists)
    ours.send(StopJob())
    (drawn,) = answers(ours)
    assert isinstance(drawn, Drawn)
    assert drawn.result.examples == 0

    fault = fault_at(line_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "none")
    ours.send(Reduce(Hit(fault, "placements", 1)))
    started, reduced = answers(ours)
    assert isinstance(started, Started)
    assert isinstance(reduced, Reduced)
    assert not reduced.comes_again
    ours.close()
    thread.join(PATIENCE)
    worker.close()
    assert not thread.is_alive()
