"""Pictures of reports: runs and fuzzing runs of seeded faults.

Times are computed from the number of nodes, so that the pictures are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.checking.running.selection import Selection
from perft_check.harness.engines.opening import open_session
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.fuzzing.campaign import fuzz
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.fuzzing.plan import make_fuzz_plan
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.shutdown import Interrupt

from .terminal import report_picture

NODES_A_SECOND = 200_000
RUNS = {"mismatch.svg": Selection(EngineSpec("zoo:ep-pinned-along"), ("smoke",))}
FUZZED = {"finds.svg": "zoo:ep-rook-lines-only", "check-a-change.svg": "zoo:castling-through-attack"}
"""The engine under test of each picture of a fuzzing run."""


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield names of files with their texts."""
    for name, selection in RUNS.items():
        yield name, report_picture(_with_plain_times(_finish_run(selection)))
    for name, engine in FUZZED.items():
        yield name, report_picture(_finish_fuzzing(engine))


def _finish_run(selection: Selection) -> RunFinished:
    plan = RunPlan(
        partial(open_session, selection.engine),
        selection.load(),
        arbiter=partial(open_session, selection.engine.default_reference),
    )
    *_, finished = run(plan, Interrupt())
    assert isinstance(finished, RunFinished), "the last event of a run"
    return finished


def _with_plain_times(finished: RunFinished) -> RunFinished:
    results = [replace(one, seconds=one.nodes / NODES_A_SECOND) for one in finished.results]
    return replace(finished, results=results, seconds=sum(one.seconds for one in results))


def _finish_fuzzing(engine: str) -> FuzzFinished:
    plan = make_fuzz_plan(engine, examples=400, seed=1, jobs=1)
    *_, finished = fuzz(plan, Interrupt())
    assert isinstance(finished, FuzzFinished), "the last event of a fuzzing run"
    return finished
