"""Pictures of reports: runs and fuzzing runs of seeded faults.

Times are computed from the number of nodes, so that the pictures are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from perft_check.harness.checking.running.runner import run
from perft_check.harness.cli.commands.fuzz import make_plans
from perft_check.harness.cli.commands.run import make_plan, select_suites
from perft_check.harness.cli.settings.fuzz import FuzzSettings
from perft_check.harness.cli.settings.run import RunSettings
from perft_check.harness.fuzzing.campaign import fuzz
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.model.shutdown import Interrupt

from .terminal import report_picture

NODES_A_SECOND = 200_000
RUNS = {"mismatch.svg": RunSettings(engine="zoo:ep-pinned-along", suites=("smoke",), jobs=1)}
FUZZING_RUNS = {
    "finds.svg": FuzzSettings(engines=("zoo:ep-rook-lines-only",), examples=400, seed=1, jobs=1),
    "check-a-change.svg": FuzzSettings(engines=("zoo:castling-through-attack",), examples=400, seed=1, jobs=1),
}


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield names of files with their texts."""
    for name, settings in RUNS.items():
        yield name, report_picture(_with_plain_times(_finish_run(settings)))
    for name, fuzzing in FUZZING_RUNS.items():
        yield name, report_picture(_finish_fuzzing(fuzzing))


def _finish_run(settings: RunSettings) -> RunFinished:
    *_, finished = run(make_plan(settings, tuple(select_suites(settings).values())), Interrupt())
    assert isinstance(finished, RunFinished), "the last event of a run"
    return finished


def _with_plain_times(finished: RunFinished) -> RunFinished:
    results = [replace(one, seconds=one.nodes / NODES_A_SECOND) for one in finished.results]
    return replace(finished, results=results, seconds=sum(one.seconds for one in results))


def _finish_fuzzing(settings: FuzzSettings) -> FuzzFinished:
    (plan,) = make_plans(settings)
    *_, finished = fuzz(plan, Interrupt())
    assert isinstance(finished, FuzzFinished), "the last event of a fuzzing run"
    return finished
