"""Hunt a fault that runs as a process of its own, as `perft-check fuzz` hunts the faults of a stranger's engine."""

from __future__ import annotations

import shlex
import sys
import time

from ...fuzzing.campaign import fuzz
from ...fuzzing.model import DiscrepancySeen, FuzzFinished
from ...model.shutdown import Interrupt
from ..fault import Fault
from .model import Hunt, Outcome
from .planning import names_rule, plan_of


def hunt_served(task: Hunt, fault: Fault) -> Outcome:
    """Hunt a fault until it is detected or the time is over; the time of the outcome includes starting all processes.

    Only what is detected is known to be reached and triggered, because nobody asks a process that has ended.
    Raises EngineError where the process does not start.
    """
    engine = f"uci:{shlex.quote(sys.executable)} -m perft_check zoo serve {fault.name}"
    began, seconds, ended = time.monotonic(), None, None
    for event in fuzz(plan_of(task, fault, engine, is_served=True), Interrupt()):
        if isinstance(event, DiscrepancySeen) and seconds is None:
            seconds = time.monotonic() - began
        elif isinstance(event, FuzzFinished):
            ended = event
    assert ended is not None  # it is the last event
    find = next((one for one in ended.finds if one.comes_again and one.discrepancy.is_of_engine), None)
    return Outcome(
        hunt=task,
        reached=find is not None,
        triggered=find is not None,
        detected=find is not None,
        positions=ended.coverage.examples,
        nodes=0,
        seconds=time.monotonic() - began if seconds is None else seconds,
        explained=None if find is None else names_rule(fault, find.discrepancy.finding),
        pieces=None if find is None else find.pieces,
    )
