"""The kernels that a fuzzing run needs, which are compiled before its time limit starts."""

from __future__ import annotations

from collections.abc import Iterator

from ...generator.kernels.counting.walk import count_leaves
from ...generator.kernels.events.census import census
from ...generator.kernels.fen import write_lines
from ...generator.kernels.generate import generate
from ...generator.kernels.machine.preparing import Specialization, specializations_of
from ...generator.kernels.play import board_after
from ...generator.kernels.sampling.answers import write_answers
from ...generator.kernels.sampling.block import sample_block
from ...generator.kernels.sampling.schedule import tally
from ...generator.kernels.tables import tables
from ...generator.position import Position
from ..engines.engine import Engine
from ..engines.opening import open_session
from .plan import FuzzPlan


def kernels_for(plan: FuzzPlan) -> Iterator[Specialization]:
    """Yield the kernels needed for counting, perft-check's engines, rare events and the generation of positions.

    Raises UsageError if an engine cannot be opened.
    """
    subject, *references = (open_session(spec).engine for spec in (plan.engine, *plan.references))
    best = [type(tables())]
    # Recursive kernels come first, because compiling them as part of another kernel takes twice as long.
    yield from specializations_of(best, count_leaves, board_after, generate, census)
    for engine in (subject, *references):
        if engine.uses_kernels:
            yield from engine.kernels(Position.start(), 1)
    if _is_pipelined(plan, subject):
        yield from specializations_of(best, *subject.pipeline_kernels(), write_lines, write_answers, tally)
        if not plan.is_brief:  # this kernel takes half of the compilation time
            yield from specializations_of(best, sample_block)


def _is_pipelined(plan: FuzzPlan, subject: Engine) -> bool:
    return plan.may_pipeline and subject.can_pipeline
