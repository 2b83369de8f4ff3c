"""A run that is followed: its live display on stderr, and how it ended."""

from __future__ import annotations

from ....reports.live.run import Live
from ...checking.running.plan import RunPlan
from ...checking.running.runner import run
from ...checking.running.worker_thread import OpensWorkers, local_workers
from ...model.results.events import RunFinished
from ...model.shutdown import Interrupt
from .console import err


def follow(
    plan: RunPlan, interrupt: Interrupt, quiet: bool = False, open_workers: OpensWorkers = local_workers
) -> RunFinished:
    """Run a plan with its live display on stderr; return how it ended. Raises EngineError, ClusterError."""
    with Live(err(), quiet) as live:
        for event in run(plan, interrupt, open_workers):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
