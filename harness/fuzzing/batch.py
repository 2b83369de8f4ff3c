"""The base class of all batches, and the result of a batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ...generator.events import Event
from ...generator.game import Game
from ..checking.causes import is_ordinary
from .examining import Examiner
from .guidance import Guidance
from .model import Coverage, Discrepancy, Hit, Signature
from .plan import BatchAssignment, FuzzPlan

MOST_TIMEOUTS = 3
"""Number of timeouts in one batch after which the run ends."""
HITS_KEPT = 3
"""Number of hits that a batch keeps for each signature."""
MOST_SIGNATURES = 500
"""Maximum number of signatures, so that an engine that never repeats an error message cannot exhaust the memory."""


@dataclass
class BatchResult:
    """The discrepancies and the coverage of a batch."""

    number: int
    hits: dict[Signature, list[Hit]] = field(default_factory=dict)
    """Up to `HITS_KEPT` hits of each signature, sorted by `simplicity`."""
    first: dict[Signature, Hit] = field(default_factory=dict)
    """The first hit of each signature."""
    hit_counts: Counter[Signature] = field(default_factory=Counter)
    """Number of hits per signature."""
    plausible_counts: Counter[Signature] = field(default_factory=Counter)
    """Number of hits per signature in standard chess positions that look reachable."""
    events: Counter[int] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    is_cut_short: bool = False
    """Whether the batch ended early because of timeouts."""

    @property
    def examples(self) -> int:
        """Number of examples examined."""
        return self.strategies.total()

    def coverage(self) -> Coverage:
        """Return the coverage of the examples, for reports."""
        return Coverage(tuple(sorted(self.events.items())), tuple(sorted(self.strategies.items())))

    def add(self, other: BatchResult) -> None:
        """Add the results of a later batch."""
        for signature, hits in other.hits.items():
            if self._has_room(signature):
                self._keep(signature, hits)
                self.first.setdefault(signature, other.first[signature])
                self.hit_counts[signature] += other.hit_counts[signature]
                self.plausible_counts[signature] += other.plausible_counts[signature]
        self.events += other.events
        self.strategies += other.strategies
        self.is_cut_short |= other.is_cut_short

    def note(self, hit: Hit) -> bool:
        """Add a hit; return True if it is the first with its signature and was kept."""
        signature = hit.discrepancy.signature
        if not self._has_room(signature):
            return False
        self.hit_counts[signature] += 1
        base = hit.discrepancy.game.base
        self.plausible_counts[signature] += is_ordinary(base.fen(), base.chess960)
        self._keep(signature, [hit])
        return self.first.setdefault(signature, hit) is hit

    def _has_room(self, signature: Signature) -> bool:
        return signature in self.first or len(self.first) < MOST_SIGNATURES

    def _keep(self, signature: Signature, hits: list[Hit]) -> None:
        self.hits[signature] = sorted([*self.hits.get(signature, []), *hits], key=simplicity)[:HITS_KEPT]


def simplicity(hit: Hit) -> tuple[int, int, int, int]:
    """Return the sort key for hits of one signature: plausible positions first, then short games and few pieces."""
    found = hit.discrepancy
    return found.implausibility, len(found.game.moves), found.pieces, hit.example


@dataclass(frozen=True)
class BatchContext:
    """The arguments that all batches have in common."""

    plan: FuzzPlan
    assignment: BatchAssignment
    examiner: Examiner
    report: Callable[[list[Hit]], None]
    """Called after each example or block with the hits whose signatures are new."""
    guidance: Guidance | None = None
    """Coverage guidance; None if coverage is not measured."""


class Batch:
    """A batch of a plan. Subclasses define `run`, which fills `result`."""

    def __init__(self, context: BatchContext, name: str, result: BatchResult | None = None) -> None:
        """Create a batch; `name` is the strategy in reports. Pass the `result` of another batch to add to it."""
        self._plan, self._assignment = context.plan, context.assignment
        self._examiner, self._report, self._name = context.examiner, context.report, name
        self._guidance = context.guidance
        self.result = BatchResult(context.assignment.number) if result is None else result
        self._timeouts = 0

    def run(self) -> None:
        """Examine the whole batch. Raises Interrupted; `result` then holds the results so far."""
        raise NotImplementedError

    @property
    def _is_over(self) -> bool:
        return self.result.is_cut_short or (self._plan.fail_fast and bool(self.result.first))

    def _count_events_in(self, bits: int) -> None:
        """Count the events in the bit set `bits`."""
        self.result.events.update(event.value for event in Event if bits >> event & 1)

    def _examine_game(
        self, game: Game, depth: int, *, is_exact: bool = False, is_quick: bool = False, only: str | None = None
    ) -> list[Discrepancy]:
        """Run the checks on a game, and record the coverage of the engine's code.

        `only` selects the check with this name; `is_quick` skips the checks that ask many questions. Raises
        Interrupted.
        """
        found = self._examiner.examine(game, depth, only, is_exact=is_exact, is_quick=is_quick)
        if self._guidance is not None:
            self._guidance.note_game(game, depth, by_suite=self._is_of_suite)
        return found

    @property
    def _is_of_suite(self) -> bool:
        return bool(self._assignment.sweep_cases)

    def _note(self, found: list[Discrepancy], depth: int = 0, *, is_confirmed: bool = True) -> None:
        """Record the discrepancies of the current example, and report those with a new signature."""
        example = self._assignment.first + self.result.examples
        hits = [Hit(discrepancy, self._name, example, depth, is_confirmed) for discrepancy in found]
        self._report([hit for hit in hits if self.result.note(hit)])

    def _note_timeout(self, is_timeout: bool) -> None:

        self._timeouts += is_timeout
        self.result.is_cut_short |= self._timeouts >= MOST_TIMEOUTS
