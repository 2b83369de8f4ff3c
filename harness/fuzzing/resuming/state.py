"""What is kept of a run, so that another one can go on from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ....generator.drawing.experience import Experience, experience_of
from ....generator.states import states_of
from ...asking.histories import write_line
from ..ahead.bases import known_bases_of
from ..batch import BatchResult
from ..model import Hit
from ..plan import FuzzPlan

MOST_FINDS = 1000
"""So many finds are kept to be examined again, the first ones. All are in the corpus."""


@dataclass(frozen=True)
class KeptFind:
    """A line that has shown a fault of the engine."""

    line: str
    """As histories have it."""
    depth: int
    """The depth at which the line was examined."""

    @classmethod
    def of(cls, hit: Hit, depth: int) -> KeptFind:
        """Return a hit of a run with this depth."""
        return cls(write_line(hit.discrepancy.line), max(depth, hit.depth))


@dataclass(frozen=True)
class FuzzState:
    """A run, or several that went on from each other."""

    seed: int
    next_batch: int = 0
    """The number of the first batch that was not begun. Those before are never drawn again."""
    counts: BatchResult = field(default_factory=lambda: BatchResult(0))
    """How many positions were examined, and how often which events were met; hits are left out."""
    experiences: Mapping[bool, Experience] = field(default_factory=dict)
    """What drawers have learned, by whether it is about Chess960; nothing where the engine is not asked ahead."""
    finds: tuple[KeptFind, ...] = ()


def beginning(plan: FuzzPlan) -> FuzzState:
    """Return the state of a run that has not begun."""
    variants = plan.variants if plan.may_ask_ahead else ()
    return FuzzState(
        plan.seed,
        experiences={chess960: experience_of(states_of(known_bases_of(plan, chess960))) for chess960 in variants},
    )
