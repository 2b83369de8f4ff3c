"""From a plan to the examiner that carries it out: which checks apply to which engine."""

from __future__ import annotations

from ...generator.types.moves import GenType
from ..engines.asker import Asker, Caller, TimeLimit
from ..engines.registry import open_engine
from .checks.base import Check
from .checks.children import Children
from .checks.consistency import Consistency
from .checks.counts import Counts
from .checks.divides import Divides
from .checks.fens import ChildFens
from .checks.gentypes import GenTypes
from .checks.legality import Validator
from .checks.refusals import Refusals
from .checks.subject import OwnSubject, Subject
from .checks.symmetry import Symmetry
from .examining import Examiner
from .plan import Plan

TRUTH = "python-chess"
"""Confirms what other references say, and is compared with our own generator from inside."""


def build_examiner(plan: Plan, caller: Caller | None = None) -> Examiner:
    """Return the checks that a plan asks for. Raises UsageError where an engine cannot be opened.

    Our own generator is looked at from inside, with python-chess beside it; any other engine by what
    it answers. python-chess confirms what another reference says. `caller`, if given, carries the
    questions out, so that its owner can stop them.
    """
    caller, limit = caller or Caller(), TimeLimit(plan.timeout)
    engine = Asker(open_engine(plan.engine, plan.limits), caller, limit)
    if plan.gentypes:
        return Examiner([GenTypes(plan.gentypes, OwnSubject())], [engine], caller)
    if plan.self_consistency:
        return Examiner([Consistency(engine)], [engine], caller)
    references = [Asker(open_engine(name, plan.limits), caller, limit, is_reference=True) for name in plan.references]
    truth = Asker(open_engine(TRUTH), caller, limit, is_reference=True)
    checks: list[Check] = []
    if engine.engine.is_own and TRUTH in plan.references:
        checks += inside_checks(OwnSubject(), caller)
        references = [reference for reference in references if reference.name != TRUTH]
    for reference in references:
        checks.append(Divides(engine, reference, None if reference.name == TRUTH else truth))
    if not engine.engine.is_own:
        checks.append(ChildFens(engine))
    return Examiner(checks, [engine, *references], caller)


def inside_checks(subject: Subject, caller: Caller) -> list[Check]:
    """Return what can be asked of a generator seen from inside; the counts are those of our kernels."""
    lists = GenTypes(tuple(GenType), subject)
    return [
        lists,
        Children(subject),
        Counts(caller),
        Validator(subject),
        Symmetry(subject),
        Refusals(subject),
    ]
