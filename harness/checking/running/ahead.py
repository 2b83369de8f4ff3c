"""Ask ahead: the small counts of many cases in one call, where the engine takes many positions at once.

Only a count that is the expected one is known ahead. Any other is asked for again when it is the case's turn, and
judged and explained as if it had never been asked.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ....suites.case import Case
from ...engines.asker import Asker
from ...engines.base import Engine, EngineError
from ...engines.many import may_count_many
from .plan import Plan

FEW, MOST = 500, 128
"""Cases of a run for which it does not pay to load what counts many at once; and cases of a call."""

Ahead = Mapping[int, float]
"""The depths of a case at which the engine has counted what is expected, and the seconds that it took for each."""

NOTHING: Ahead = MappingProxyType({})


def most_at_once(plan: Plan, engine: Engine) -> int:
    """Return how many cases a lane may take at once: more than one where references have nothing to say.

    The engine has been started, and may be asked for everything.
    """
    is_able = engine.chess960 and engine.min_depth <= 1 and may_count_many(engine)
    return MOST if is_able and len(plan.cases) > FEW and not plan.references else 1


def ask_ahead(engine: Asker, cases: Sequence[Case]) -> list[Ahead]:
    """Return what the engine answers for each case; nothing where it fails, or cannot be asked. Raises Interrupted.

    What it took is divided by the nodes. The FENs of the positions are written as well.
    """
    if len(cases) == 1:
        return [NOTHING]
    from ....generator.fens import remember_fens  # the engine has loaded the compiler

    positions = [case.position for case in cases]
    depths = [[depth for depth, _ in case.counts] for case in cases]
    nodes = sum(nodes for case in cases for _, nodes in case.counts)
    began = time.perf_counter()
    try:
        answers = engine.expecting(nodes).perft_each(positions, depths)
    except EngineError:
        answers = None
    if answers is None:
        return [NOTHING] * len(cases)
    remember_fens(positions)
    pace = (time.perf_counter() - began) / max(1, nodes)
    return [
        {depth: nodes * pace for (depth, nodes), count in zip(case.counts, counts, strict=True) if count == nodes}
        for case, counts in zip(cases, answers, strict=True)
    ]
