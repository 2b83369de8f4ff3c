"""The examiner of a plan: which checks apply to which engine."""

from __future__ import annotations

from ...generator.types.moves import GenType
from ..asking.client import CallRunner, EngineClient, TimeLimit
from ..engines.capabilities import may_list
from ..engines.kinds.library import LibraryEngine
from ..engines.registry import open_engine
from ..model.capabilities import Capability
from .checks.base import Check
from .checks.children import Children
from .checks.consistency import Consistency
from .checks.counts import Counts
from .checks.divides import Divides
from .checks.engine_lists import EngineLists
from .checks.fens import ChildFens
from .checks.gentypes import GenTypes
from .checks.legality import Validator
from .checks.refusals import Refusals
from .checks.setups import Setups
from .checks.subject import OwnSubject, Subject
from .checks.symmetry import Symmetry
from .checks.totals import Totals
from .examining import Examiner
from .plan import FuzzPlan

TRUTH = "python-chess"
"""The engine that confirms the answers of references, and the reference for the API of our own generator."""

INSIDE = (Capability.LISTS, Capability.COUNTS, Capability.MOVES, Capability.UNDO, Capability.FEN, Capability.GENTYPES)
"""What the checks of the API of our own generator ask for; it copies positions, so there is nothing to undo."""


def build_examiner(plan: FuzzPlan, caller: CallRunner | None = None) -> Examiner:
    """Return the examiner with the checks of a plan. Raises UsageError where an engine cannot be opened.

    Our own generator is checked through its API, with python-chess as the reference; any other engine
    is checked by its answers. python-chess also confirms the answers of other references. `caller`
    carries out the calls of the engines, so that its holder can stop the checks.
    """
    caller, limit = caller or CallRunner(), TimeLimit(plan.timeout)
    insists = True in plan.variants
    engine = EngineClient(open_engine(plan.engine, plan.limits), caller, limit, insists_on_chess960=insists)
    if plan.gentypes:
        engine.note(Capability.GENTYPES)
        return Examiner([GenTypes(plan.gentypes, OwnSubject())], [engine], caller)
    if plan.self_consistency:
        return Examiner([Consistency(engine)], [engine], caller, Setups(engine, None, (), plan.variants))
    references = [
        EngineClient(open_engine(name, plan.limits), caller, limit, is_reference=True) for name in plan.references
    ]
    truth = EngineClient(open_engine(TRUTH), caller, limit, is_reference=True)
    checks: list[Check] = []
    if engine.engine.is_own and TRUTH in plan.references:
        checks += inside_checks(OwnSubject(), caller)
        engine.note(*INSIDE, *[Capability.CHESS960] * (True in plan.variants))
        references = [reference for reference in references if reference.name != TRUTH]
    for reference in references:
        checks.append(Divides(engine, reference, None if reference.name == TRUTH else truth))
        if isinstance(engine.engine, LibraryEngine):
            checks.append(Totals(engine, reference))
    if not engine.engine.is_own:
        checks.append(ChildFens(engine, plan.ignore_clocks))
    if may_list(engine.engine):
        checks.append(EngineLists(engine, plan.convention))
    reference = (references or [truth])[0]
    divides = tuple(check for check in checks if isinstance(check, Divides))
    return Examiner(checks, [engine, *references], caller, Setups(engine, reference, divides, plan.variants))


def inside_checks(subject: Subject, caller: CallRunner) -> list[Check]:
    """Return the checks of a generator's API; the counts are always those of our own kernels."""
    return [
        GenTypes(tuple(GenType), subject),
        Children(subject),
        Counts(caller),
        Validator(subject),
        Symmetry(subject),
        Refusals(subject),
    ]
