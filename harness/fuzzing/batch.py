"""One batch: Hypothesis draws lines from a strategy, the examiner looks at each, faults are collected.

A fault of a new kind is raised, an exception class for each kind, so that Hypothesis keeps the
example in its database; then the batch goes on where it stopped. Hypothesis does not shrink: the
reduction knows chess.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, target
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import HypothesisWarning

from ...generator.events import Event, event_bits
from ...generator.kernels.machine.jit import cache_root
from ...generator.line import Line
from ...generator.reachability.labels import label_of
from ...strategies.mixed import lines
from ..model.verdict import Verdict
from .choosing import moves_to_try
from .examining import Examiner
from .model import Coverage, Fault, Hit
from .plan import Plan

MOST_TIMEOUTS = 3
"""After so many questions of a batch that were not answered in time the run ends."""
KEPT = 3
"""So many finds of each kind are kept from a batch, those with the fewest pieces."""
LONGEST, PART = 12, 8
"""Lines of more moves than the first are examined in parts: a game is drawn once and looked at all along."""
LEAST_DRAWN = 20
"""Hypothesis is asked for so many examples at least: the first ones may have been examined already."""
SUCCESSORS, OF_TEMPLATES = 2, 1
"""After so many moves of a drawn position it is examined again; fewer where the position itself is what matters."""
_SEED_STEP = 1_000_003
"""Between the seeds of batches: neighbouring seeds of a run share none."""

Signature = tuple[str, ...]


@dataclass
class BatchResult:
    """What a batch has found and covered."""

    number: int
    hits: dict[Signature, list[Hit]] = field(default_factory=dict)
    """Up to `KEPT` finds of each kind, the simplest first."""
    first: dict[Signature, Hit] = field(default_factory=dict)
    """The first find of each kind."""
    times: Counter[Signature] = field(default_factory=Counter)
    events: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    is_cut_short: bool = False
    """Whether the batch ended early because the engine did not answer in time."""

    @property
    def examples(self) -> int:
        """Number of examples examined."""
        return self.strategies.total()

    def coverage(self) -> Coverage:
        """Return the coverage as reports have it."""
        return Coverage(
            tuple(sorted(self.events.items())),
            tuple(sorted(self.strategies.items())),
            tuple(sorted(self.labels.items())),
        )

    def add(self, other: BatchResult) -> None:
        """Add the results of a later batch."""
        for signature, hits in other.hits.items():
            self.hits[signature] = sorted([*self.hits.get(signature, []), *hits], key=simplicity)[:KEPT]
            self.first.setdefault(signature, other.first[signature])
        self.times += other.times
        self.events += other.events
        self.labels += other.labels
        self.strategies += other.strategies
        self.is_cut_short |= other.is_cut_short


def simplicity(hit: Hit) -> tuple[int, int, int]:
    """Return by what finds of one kind are ordered: the simplest is reduced first."""
    return len(hit.fault.place.moves), hit.fault.place.pieces, hit.example


def parts(line: Line) -> Iterator[Line]:
    """Yield a line, or of a long one its pieces of `PART` moves, the last first: each is an example."""
    end = len(line.moves)
    while end > LONGEST:
        yield Line(Line(line.base, line.moves[: end - PART]).position, line.moves[end - PART : end])
        end -= PART
    yield Line(line.base, line.moves[:end])


class _Silent(KeyboardInterrupt):
    """Raised when the engine has not answered in time too often: each time takes long."""


class _Enough(KeyboardInterrupt):
    """Raised when the batch is complete; anything else Hypothesis would take for a failing test, and keep."""


class _NewKind(Exception):
    """Raised for a fault of a kind that the batch has not seen; a class of its own for each kind."""


class Batch:
    """A batch at work."""

    def __init__(self, plan: Plan, number: int, examiner: Examiner, tell: Callable[[list[Hit]], None]) -> None:
        """`tell` is called after each example, with the hits that are the first of their kind."""
        self._plan, self._examiner, self._tell = plan, examiner, tell
        self._turn = plan.turn(number)
        self.result = BatchResult(number)
        self._raised: dict[Signature, type[_NewKind]] = {}
        self._muted: frozenset[Signature] = frozenset()
        self._failed: dict[Line, _NewKind] = {}
        self._examined: set[Line] = set()
        self._timeouts = 0

    def run(self) -> None:
        """Draw and examine all examples; raises Interrupted, with the result so far in `result`."""
        size = self._plan.size(self.result.number)
        resumed = 0
        with _hypothesis_apart():
            while (left := size - self.result.examples) > 0:
                before = self.result.examples
                try:
                    self._draw(left, resumed)
                except* _Enough:
                    pass
                except* _Silent:
                    self.result.is_cut_short = True
                except* _NewKind:
                    self._muted = frozenset(self._raised)
                    self._failed.clear()
                resumed += 1
                is_exhausted = self.result.examples == before
                if is_exhausted or self.result.is_cut_short or (self._plan.fail_fast and self._raised):
                    return

    def _draw(self, examples: int, resumed: int) -> None:
        phases = [Phase.generate, Phase.target]
        if self._database is not None and resumed == 0 and self.result.number < len(self._plan.turns):
            phases.insert(0, Phase.reuse)

        @settings(
            max_examples=max(examples, LEAST_DRAWN),
            phases=phases,
            database=self._database,
            deadline=None,
            derandomize=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        # Below the settings: above them it would take their database away.
        @seed((self._plan.seed * _SEED_STEP + self.result.number) * _SEED_STEP + resumed)
        @given(lines(self._turn.strategy, chess960=self._turn.chess960, impossible=self._plan.impossible))
        def examine(line: Line) -> None:
            met = [self._examine(place) for part in parts(line) for place in (part, *self._successors(part))]
            target(max(met), label="events")

        examine()

    def _successors(self, line: Line) -> Iterator[Line]:
        """Yield lines one move longer: what happens in a position matters as much as how it came about."""
        fresh = line.afresh()
        for move in moves_to_try(fresh.base, OF_TEMPLATES if self._turn.strategy == "templates" else SUCCESSORS):
            yield fresh.after(move)

    @property
    def _database(self) -> ExampleDatabase | None:
        if not self._plan.remember:
            return None
        return DirectoryBasedExampleDatabase(cache_root() / "examples" / self._turn.name)

    def _examine(self, line: Line) -> float:
        """Examine a line unless that has been done; return how many events its position meets."""
        result = self.result
        if line in self._failed:
            raise self._failed[line]  # Hypothesis looks at a failing example again, to be sure
        if result.examples >= self._plan.size(result.number):
            raise _Enough
        bits = event_bits(line.position)
        if line in self._examined:
            return bits.bit_count()
        self._examined.add(line)
        faults = self._examiner.examine(line, self._plan.depth)
        result.strategies[self._turn.name] += 1
        result.labels[label_of(line.position).value] += 1
        result.events.update(event.value for event in Event if bits >> event & 1)
        new = [hit for fault in faults if (hit := self._noted(fault)) is not None]
        self._tell(new)
        self._timeouts += any(fault.verdict is Verdict.TIMEOUT for fault in faults)
        if self._timeouts >= MOST_TIMEOUTS:
            raise _Silent
        for fault in faults:
            if fault.signature not in self._muted:
                self._failed[line] = self._kind(fault.signature)(" ".join(fault.signature))
                raise self._failed[line]
        return bits.bit_count()

    def _noted(self, fault: Fault) -> Hit | None:
        """Note a fault; return the hit if it is the first of its kind."""
        result, signature = self.result, fault.signature
        hit = Hit(fault, self._turn.name, result.number * self._plan.batch + result.examples)
        result.times[signature] += 1
        result.hits[signature] = sorted([*result.hits.get(signature, []), hit], key=simplicity)[:KEPT]
        if signature in result.first:
            return None
        result.first[signature] = hit
        return hit

    def _kind(self, signature: Signature) -> type[_NewKind]:
        if signature not in self._raised:
            self._raised[signature] = type("_NewKind", (_NewKind,), {})
        return self._raised[signature]


@contextmanager
def _hypothesis_apart() -> Iterator[None]:
    """Keep its warnings, which are for authors of tests, from the user's eyes, its files out of the user's folder."""
    set_hypothesis_home_dir(cache_root() / "hypothesis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisWarning)
        yield
