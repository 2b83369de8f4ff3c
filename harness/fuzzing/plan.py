"""The plan of a fuzzing run: which engine, against which references, in which order strategies take turns, how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...generator.events import IMPOSSIBLE_EVENTS, Event
from ...generator.types.moves import GenType
from ..engines.stdio.process import ProcessLimits
from .questions import SweepQuestion, sweep_questions


@dataclass(frozen=True)
class Turn:
    """A strategy, for standard chess or for Chess960."""

    strategy: str
    chess960: bool

    @property
    def name(self) -> str:
        """The name that reports show."""
        return f"{self.strategy} (Chess960)" if self.chess960 else self.strategy


_STANDARD, _CHESS960 = False, True
_TURNS = (
    Turn("templates", _STANDARD),
    Turn("walks", _STANDARD),
    Turn("sequences", _STANDARD),
    Turn("setups", _STANDARD),
    Turn("templates", _CHESS960),
    Turn("placements", _STANDARD),
    Turn("castlings", _CHESS960),
    Turn("sequences", _CHESS960),
    Turn("setups", _CHESS960),
    Turn("templates", _STANDARD),
    Turn("mutations", _STANDARD),
    Turn("games", _STANDARD),
    Turn("walks", _CHESS960),
    Turn("locked", _STANDARD),
    Turn("setups", _STANDARD),
    Turn("templates", _STANDARD),
    Turn("placements", _CHESS960),
    Turn("games", _CHESS960),
    Turn("mutations", _CHESS960),
)
"""Templates of rare events come most often: there are many of them, and they find most."""


def turns(chosen: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[Turn, ...]:
    """Return the turns that batches take one after another; `variants` has True for Chess960, False for standard."""
    return tuple(turn for turn in _TURNS if turn.chess960 in variants and (not chosen or turn.strategy in chosen))


LARGEST_BATCH, SMALLEST_BATCH = 80, 20
"""Examples in one batch. Each batch has its own seed, so that batches can be drawn in any order."""
SWEEP_BATCH = 50
"""Questions of the sweep in one batch."""


@dataclass(frozen=True)
class Share:
    """A batch, and which of the examples of a run are its own."""

    number: int
    first: int
    """How many examples the batches before it have."""
    size: int
    is_ahead: bool = False
    """Whether the engine is asked ahead of its answers."""
    questions: tuple[SweepQuestion, ...] = ()
    """Those of the sweep, where nothing is drawn."""


@dataclass(frozen=True)
class FuzzPlan:
    """A run, with all that a process needs to examine any of its batches."""

    engine: str
    """The SPEC of the engine under test."""
    references: tuple[str, ...]
    seed: int
    examples: int | None
    """None if only the time is limited."""
    seconds: float | None
    strategies: tuple[str, ...]
    """The names of the strategies chosen; empty for all."""
    gentypes: tuple[GenType, ...]
    """The only lists to be checked; empty for all checks."""
    variants: tuple[bool, ...]
    """True for Chess960, False for standard chess: one of them, or both."""
    depth: int
    impossible: bool = False
    ignore_clocks: bool = False
    """Whether FENs are compared without halfmove clock and move number."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """What is said about the convention of the engine's lists, by the names of `model.conventions.SETTINGS`."""
    self_consistency: bool = False
    remember: bool = True
    """Whether failing examples are kept in the database of Hypothesis, and tried first."""
    fail_fast: bool = False
    require_all: bool = False
    """Whether something that was not tried counts as a failure of the run."""
    may_ask_ahead: bool = False
    """Whether the engine may be asked many questions before it answers, if it turns out to bear that."""
    sweeps: bool = False
    """Whether the first batches are those of the sweep."""
    is_kept: bool = False
    """Whether the run is kept, so that another one can go on from there; its batches then learn from each other."""
    jobs: int = 1
    timeout: float = 10.0
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The strategies in the order in which batches take their turns."""
        return turns(self.strategies, self.variants)

    @property
    def possible_events(self) -> tuple[int, ...]:
        """The events of the catalogue that positions of this plan can meet."""
        events = [event for event in Event if not event.chess960 or True in self.variants]
        return tuple(event.value for event in events if self.impossible or event not in IMPOSSIBLE_EVENTS)

    @property
    def sweep(self) -> tuple[SweepQuestion, ...]:
        """The questions of the sweep; none where it is left out."""
        return sweep_questions(self.variants, self.depth, impossible=self.impossible) if self.sweeps else ()

    @property
    def sweep_batches(self) -> int:
        """The number of batches that the sweep has, which come before all others."""
        return -(-len(self.sweep) // SWEEP_BATCH)

    def turn(self, batch: int) -> Turn:
        """Return the strategy of a batch that is not one of the sweep."""
        return self.turns[(batch - self.sweep_batches) % len(self.turns)]

    @property
    def batch(self) -> int:
        """Examples in one batch: few enough that every strategy has its turn."""
        if self.examples is None:
            return LARGEST_BATCH
        return max(SMALLEST_BATCH, min(LARGEST_BATCH, -(-self.examples // len(self.turns))))

    def swept(self, batch: int) -> tuple[SweepQuestion, ...]:
        """Return the questions of the sweep in one batch; none in those that come after it."""
        return self.sweep[batch * SWEEP_BATCH : (batch + 1) * SWEEP_BATCH]

    def share(self, batch: int) -> Share:
        """Return a batch of a run in which no engine is asked ahead; its size is 0 after the last."""
        swept = self.swept(batch)
        first = batch * SWEEP_BATCH if swept else len(self.sweep) + (batch - self.sweep_batches) * self.batch
        return self.limit(Share(batch, first, len(swept) or self.batch, questions=swept), first)

    def limit(self, share: Share, before: int) -> Share:
        """Return a batch without the examples that are too many, given how many the run has had before."""
        left = share.size if self.examples is None else self.examples - before
        size = max(0, min(share.size, left))
        return replace(share, size=size, questions=share.questions[:size])
