"""The worker inside a fuzzing process."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.games import game_from
from helpers.planted import discrepancy_at, make_plan
from helpers.processes import until
from helpers.tasks import receive_results
from perft_check.harness.fuzzing.model import Hit
from perft_check.harness.fuzzing.plan import BatchAssignment
from perft_check.harness.fuzzing.processes.messages import (
    BatchDone,
    EnginesReady,
    ExamineBatch,
    HitReduced,
    ReduceHit,
    WorkerNotice,
)
from perft_check.harness.fuzzing.processes.worker import do_job
from perft_check.harness.fuzzing.timeline import CpuTime
from perft_check.harness.work.processes import LocalProcesses


@pytest.mark.slow
def test_a_stopped_start_is_repeated_with_new_engines(tmp_path: Path) -> None:
    """The engine starts again, because its dialect was not known yet."""
    asked = tmp_path / "asked"
    plan = make_plan(fake("perft-only", str(asked)), ("own:turbo",))
    messages: list[object] = []
    with closing(LocalProcesses(1, do_job, plan)) as executor:
        executor.submit(1, ExamineBatch(BatchAssignment(0, 0, 20)))
        until(asked.exists)
        executor.stop()
        (sampled,) = receive_results(executor, 1, messages)[1].value
        assert isinstance(sampled, BatchDone)
        assert sampled.result.examples == 0
        assert not [answer for answer in messages if not isinstance(answer, WorkerNotice | CpuTime)]

        discrepancy = discrepancy_at(game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), "none")
        executor.submit(2, ReduceHit(Hit(discrepancy, "placements", 1)))
        (reduced,) = receive_results(executor, 1, messages)[2].value
        (started,) = [answer for answer in messages if not isinstance(answer, WorkerNotice | CpuTime)]
        assert isinstance(started, EnginesReady)
        assert isinstance(reduced, HitReduced)
        assert not reduced.reproducible
