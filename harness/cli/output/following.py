"""A run that is followed: its live display on stderr, and how it ended."""

from __future__ import annotations

from ....reports.live.run import Live
from ...checking.running.lane import OpensLanes, lanes_here
from ...checking.running.plan import Plan
from ...checking.running.runner import run
from ...model.results.events import RunFinished
from ...model.shutdown import Interrupt
from .console import err


def follow(plan: Plan, interrupt: Interrupt, quiet: bool = False, open_lanes: OpensLanes = lanes_here) -> RunFinished:
    """Run a plan with its live display on stderr; return how it ended. Raises EngineError, ClusterError."""
    with Live(err(), quiet) as live:
        for event in run(plan, interrupt, open_lanes):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
