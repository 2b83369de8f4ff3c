"""What is kept of a run, so that another one can go on from there: it first examines again what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ....generator.drawing.experience import Experience, Learned, experience_of
from ....generator.states import states_of
from ...asking.histories import read_row, write_line
from ..ahead.bases import known_bases_of
from ..batch import BatchResult
from ..course.model import Pairs, none_met
from ..examining import Examiner
from ..model import Hit
from ..plan import FuzzPlan, Share

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


FOUND_BEFORE = "found before"
"""The name that reports show in place of a strategy."""


class AgainBatch:
    """Examines finds again; `run` fills `result`. They do not count as positions of the run."""

    def __init__(
        self,
        share: Share,
        finds: Sequence[KeptFind],
        examiner: Examiner,
        tell: Callable[[list[Hit]], None],
        gone: Callable[[KeptFind], None],
    ) -> None:
        """`tell` is called with the hits that are the first of their signature, `gone` with what is right now."""
        self._share, self._finds, self._examiner, self._tell, self._gone = share, finds, examiner, tell, gone
        self.result = BatchResult(share.number)

    def run(self) -> None:
        """Examine all. Raises Interrupted, with the results so far in `result`."""
        for find in self._finds:
            found = self._examiner.examine(read_row(find.line), find.depth)
            hits = [Hit(discrepancy, FOUND_BEFORE, self._share.first, find.depth) for discrepancy in found]
            self._tell([hit for hit in hits if self.result.note(hit)])
            if not found:
                self._gone(find)

    @property
    def pairs_met(self) -> Pairs:
        """No pair of events: the positions do not count."""
        return none_met()

    def collect_learned(self) -> Sequence[Learned]:
        """Return nothing: nothing is drawn."""
        return ()
