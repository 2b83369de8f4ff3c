"""Jobs in a worker of a cluster: each of its threads has a process of ours do one job at a time.

What the process answers on the way is told to the client at once where it is news, else now and then.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....errors import Complaint
from ...model.shutdown import InternalError
from ...work.executor import TaskContext
from ...work.worker_state import WORKER
from ..model import Hit
from ..plan import FuzzPlan
from .member import Member
from .messages import Answer, BatchDone, Examined, Failed, HitReduced, Job, Met, Spent, Started, Waiting

TELL_SECONDS = 1.0
"""The least time between two messages that have no news."""


@dataclass
class _Told:
    """What a process has answered during one job."""

    started: list[Answer] = field(default_factory=list)
    examined: Examined | None = None
    """The last one, with the hits of all."""
    spent: Spent | None = None
    events: set[int] = field(default_factory=set)
    """Events and pairs that are still to be told."""
    pairs: set[int] = field(default_factory=set)

    def take(self, answer: Answer) -> None:
        """Note an answer."""
        match answer:
            case Started():
                self.started.append(answer)
            case Examined():
                before = () if self.examined is None else self.examined.new
                new = map(_without_history, answer.new)
                self.examined = replace(answer, new=(*before, *new), so_far=None)  # which may be large
            case Spent():
                self.spent = answer
            case Met():
                self.events.update(answer.events)
                self.pairs.update(answer.pairs)

    def so_far(self) -> list[Answer]:
        """Return what can be told now: all of it each time, as messages may get lost, but each thing met once."""
        met: list[Answer] = [Met(tuple(self.events), tuple(self.pairs))] if self.events or self.pairs else []
        self.events.clear()
        self.pairs.clear()
        latest = [answer for answer in (self.examined, self.spent) if answer is not None]
        return [*self.started, *met, *latest]


class _Ended(Exception):
    """A process could not go on with its job."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


def do_job(context: TaskContext, plan: FuzzPlan, job: Job) -> Sequence[Answer]:
    """Do a job; return its last answers. Raises UsageError, EngineError where the engines cannot be started here."""
    try:
        with context.using("processes", lambda: Member(plan), Member.stop) as member:
            member.give(job)
            return _answers(context, member)
    except _Ended as ended:
        return [Failed(ended.error)]


def _answers(context: TaskContext, member: Member) -> Sequence[Answer]:
    told, since = _Told(), time.monotonic()
    while True:
        answer = _answer(member)
        if isinstance(answer, BatchDone):
            WORKER.note(positions=answer.result.examples, finds=len(answer.result.first))
        if isinstance(answer, BatchDone | HitReduced):
            return [*told.so_far(), answer]
        if isinstance(answer, Waiting):
            context.tell([answer])
        told.take(answer)
        is_news = isinstance(answer, Started) or (isinstance(answer, Examined) and answer.new)
        if is_news or time.monotonic() - since > TELL_SECONDS:
            context.tell(told.so_far())
            since = time.monotonic()


def _answer(member: Member) -> Answer:
    """Return the next answer. Raises Complaint where the process could not start its engines, and _Ended later."""
    has_started = member.has_started
    try:
        return member.answer()
    except (Complaint, InternalError) as error:
        if isinstance(error, Complaint) and not has_started:
            raise
        raise _Ended(error) from None


def _without_history(hit: Hit) -> Hit:
    return replace(hit, discrepancy=replace(hit.discrepancy, history=()))
