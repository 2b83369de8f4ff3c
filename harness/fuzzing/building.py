"""From a plan to the examiner that carries it out: which checks apply to which engine."""

from __future__ import annotations

from ...generator.types.moves import GenType
from ..engines.kinds.own import KERNELS
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
from .questions import Questions

PYTHON_CHESS = "python-chess"


def build_examiner(plan: Plan, questions: Questions | None = None) -> Examiner:
    """Return the checks that a plan asks for. Raises UsageError where an engine cannot be opened.

    Our own generator is looked at from inside, with python-chess beside it; any other engine by what
    it answers. python-chess confirms what a reference that is not python-chess says. `questions`, if given,
    asks them: whoever holds it can stop the checks.
    """
    questions = questions or Questions(plan.timeout)
    engine = open_engine(plan.engine, plan.limits)
    references = [open_engine(name, plan.limits) for name in plan.references]
    if plan.gentypes:
        return Examiner([GenTypes(plan.gentypes, OwnSubject())], [engine], questions)
    if plan.self_consistency:
        return Examiner([Consistency(engine, questions)], [engine], questions)
    arbiter = open_engine(PYTHON_CHESS)
    checks: list[Check] = []
    is_own = plan.engine in KERNELS
    if is_own and PYTHON_CHESS in plan.references:
        checks += inside_checks(OwnSubject(), questions)
        references = [reference for reference in references if reference.name != PYTHON_CHESS]
    for reference in references:
        confirm = None if reference.name == PYTHON_CHESS else arbiter
        checks.append(Divides(engine, reference, confirm, questions))
    if not is_own:
        checks.append(ChildFens(engine, questions))
    return Examiner(checks, [engine, *references], questions)


def inside_checks(subject: Subject, questions: Questions) -> list[Check]:
    """Return what can be asked of a generator seen from inside; the counts are those of our kernels."""
    lists = GenTypes(tuple(GenType), subject)
    return [
        lists,
        Children(subject),
        Counts(questions),
        Validator(subject),
        Symmetry(subject),
        Refusals(subject),
    ]
