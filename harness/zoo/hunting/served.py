"""Hunt a fault that runs as a process of its own, as `perft-check fuzz` hunts the faults of a stranger's engine."""

from __future__ import annotations

import shlex
import time
from dataclasses import replace

from ....errors import Complaint
from ...engines.our_processes import python_command
from ...fuzzing.campaign import fuzz
from ...fuzzing.model import DiscrepancySeen, FuzzFinished
from ...model.shutdown import Interrupt
from ..fault import Fault
from . import process
from .model import Hunt, Outcome
from .planning import names_rule, plan_of

AT_ONCE = ("crash", "hang")
"""What a fault may do before it has counted anything. The engine is then refused, in words that say why."""


def hunt_served(task: Hunt, fault: Fault) -> Outcome:
    """Hunt a fault until it is detected or the time is over; the time of the outcome includes starting all processes.

    Only what is detected is known to be reached and triggered, because nobody asks a process that has ended.
    Raises Complaint where the engine is refused for another reason than its fault.
    """
    began, seconds, ended = time.monotonic(), None, None
    engine = f"uci:{shlex.join(python_command(process.__name__, fault.name))}"
    try:
        for event in fuzz(plan_of(task, fault, engine, is_served=True), Interrupt()):
            if isinstance(event, DiscrepancySeen) and seconds is None:
                seconds = time.monotonic() - began
            elif isinstance(event, FuzzFinished):
                ended = event
    except Complaint:
        if fault.effect not in AT_ONCE:
            raise
        return _outcome(task, 0, time.monotonic() - began, is_detected=True)
    assert ended is not None  # it is the last event
    if seconds is None:
        seconds = time.monotonic() - began
    find = next((one for one in ended.finds if one.comes_again and one.discrepancy.is_of_engine), None)
    if find is None:
        return _outcome(task, ended.coverage.examples, seconds, is_detected=False)
    detected = _outcome(task, ended.coverage.examples, seconds, is_detected=True)
    return replace(detected, explained=names_rule(fault, find.discrepancy.finding), pieces=find.pieces)


def _outcome(task: Hunt, positions: int, seconds: float, *, is_detected: bool) -> Outcome:
    return Outcome(
        hunt=task,
        reached=is_detected,
        triggered=is_detected,
        detected=is_detected,
        positions=positions,
        nodes=0,
        seconds=seconds,
        explained=None,
        pieces=None,
    )
