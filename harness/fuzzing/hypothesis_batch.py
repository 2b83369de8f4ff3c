"""One batch: Hypothesis draws lines from a strategy, and the examiner looks at each of them.

A discrepancy with a new signature is raised, as an exception class of its own, so that Hypothesis
keeps the example in its database; then the batch goes on where it stopped. Hypothesis does not
shrink examples, because the reduction does that with knowledge of chess.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, target
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import HypothesisWarning

from ...generator.events import event_bits
from ...generator.game import Game
from ...generator.kernels.machine.folders import cache_root
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, ended_at
from ...generator.types.moves import MoveKind
from ...strategies.mixed import strategy_named
from ..model.results.verdict import Verdict
from .batch import Batch, BatchContext
from .checks.base import moves_to_try
from .model import Discrepancy, Signature

LONGEST, PART = 12, 8
"""A line of more moves than the first is examined in parts of the second, so that all of a game is examined."""
MOST_ENDS, ALMOST_FIFTY = 5, 98
"""Positions of a game examined beside the last one; the halfmove clock at which the fifty-move rule is near."""
LEAST_GENERATED = 20
"""Hypothesis is asked for at least this many examples: the first ones may have been examined already."""
SUCCESSORS, TEMPLATE_SUCCESSORS = 2, 1
"""How many moves of a generated position are played and examined; fewer for templates, whose position matters most."""
_SEED_STEP = 1_000_003
"""The distance between the seeds of two batches, so that runs with neighboring seeds have no batch in common."""


def parts(game: Game) -> Iterator[Game]:
    """Yield a short line as it is, and a long one in parts of `PART` moves, the last part first."""
    end = len(game.moves)
    while end > LONGEST:
        yield Game(Game(game.base, game.moves[: end - PART]).position, game.moves[end - PART : end])
        end -= PART
    yield Game(game.base, game.moves[:end])


def along(game: Game) -> Iterator[Game]:
    """Yield each position of a line, the last first: after the moves that lead there, and from its own FEN."""
    for end in range(len(game.moves), 0, -1):
        part = Game(game.base, game.moves[:end])
        yield from (part, part.afresh())
    yield Game(game.base)


def setups_along(setup: PositionSetup) -> Iterator[Game]:
    """Yield a line that is set up in some way; of a whole game several positions, the last one first.

    They are those in which a right or a counter matters: castling, en passant, the fifty-move rule.
    """
    yield setup
    if len(setup.moves) <= LONGEST:
        return
    ends: dict[str, list[int]] = {}
    positions = [setup.base]
    for end, move in enumerate(setup.moves):
        for matter in _what_matters(positions[-1]):
            ends.setdefault(matter, []).append(end)
        positions.append(positions[-1].play_unchecked(move))
    chosen = {places[0] for places in ends.values()} | {places[-1] for places in ends.values()}
    for end in sorted({*chosen, len(setup.moves) // 2}, reverse=True)[:MOST_ENDS]:
        yield ended_at(setup, end, positions[end])


def _what_matters(position: Position) -> Iterator[str]:
    """Yield which parts of its history the counts of a position depend on."""
    may_be_special = position.castling or position.en_passant is not None
    for move in position.legal_moves if may_be_special else ():
        if move.kind in (MoveKind.CASTLING, MoveKind.EN_PASSANT):
            yield f"{move.kind} {position.turn}"
    if position.halfmove >= ALMOST_FIFTY:
        yield "clock"


class _Silent(KeyboardInterrupt):
    """Raised when an engine has not answered in time too often: each time takes long."""


class _Enough(KeyboardInterrupt):
    """Raised when the batch is complete. Hypothesis would take an ordinary exception for a failing test."""


class _NewSignature(Exception):
    """Raised for a discrepancy with a new signature; each signature has a subclass of its own."""


class HypothesisBatch(Batch):
    """One batch of generated lines."""

    def __init__(self, context: BatchContext) -> None:
        self._variant = context.plan.variant(context.assignment.number)
        super().__init__(context, self._variant.name)
        self._raised: dict[Signature, type[_NewSignature]] = {}
        self._muted: frozenset[Signature] = frozenset()
        self._failed: dict[Game, _NewSignature] = {}
        self._examined: set[Game] = set()

    def run(self) -> None:
        """Draw and examine all examples. Raises Interrupted, with the results so far in `result`."""
        size = self._assignment.size
        attempt = 0
        with _quiet_hypothesis():
            while (left := size - self.result.examples) > 0:
                before = self.result.examples
                self._sample_until_new(left, attempt)
                attempt += 1
                is_exhausted = self.result.examples == before
                if is_exhausted or self.result.is_cut_short or (self._plan.fail_fast and self._raised):
                    return

    def _sample_until_new(self, examples: int, attempt: int) -> None:
        """Draw until there are enough examples, or until one shows a new signature."""
        try:
            self._draw(examples, attempt)
        except* (_Enough, _Silent):
            pass
        except* _NewSignature:
            self._muted = frozenset(self._raised)
            self._failed.clear()

    def _draw(self, examples: int, attempt: int) -> None:
        variant = self._variant

        @settings(
            max_examples=max(examples, LEAST_GENERATED),
            phases=self._phases(attempt),
            database=self._database,
            deadline=None,
            derandomize=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            suppress_health_check=list(HealthCheck),
        )
        # Below the settings: above them it would take their database away.
        @seed((self._plan.seed * _SEED_STEP + self.result.number) * _SEED_STEP + attempt)
        @given(strategy_named(variant.strategy, chess960=variant.chess960, impossible=self._plan.impossible))
        def examine(game: Game) -> None:
            met = [self._events_met(each) for each in self._looked_at(game)]
            target(max(met), label="events")

        examine()

    def _phases(self, attempt: int) -> list[Phase]:
        """Return the phases of Hypothesis; only the first batch of each strategy tries the kept examples again."""
        is_first = attempt == 0 and self.result.number < len(self._plan.strategy_order)
        reuse = [Phase.reuse] if self._database is not None and is_first else []
        return [*reuse, Phase.generate, Phase.target]

    def _looked_at(self, game: Game) -> Iterator[Game]:
        """Yield what is examined of a generated line. A sequence matters at each of its moves."""
        if isinstance(game, PositionSetup):
            yield from setups_along(game)
            return
        if self._variant.strategy == "sequences":
            yield from along(game)
            return
        for part in parts(game):
            yield from (part, *self._successors(part))

    def _successors(self, game: Game) -> Iterator[Game]:
        """Yield the position at the end of a line with one more move each: playing a move is tested as well."""
        fresh = game.afresh()
        most = TEMPLATE_SUCCESSORS if self._variant.strategy == "templates" else SUCCESSORS
        for move in moves_to_try(fresh.base, most):
            yield fresh.after(move)

    @property
    def _database(self) -> ExampleDatabase | None:
        root = cache_root() if self._plan.keeps_examples else None
        return None if root is None else DirectoryBasedExampleDatabase(root / "examples" / self._variant.name)

    def _events_met(self, game: Game) -> float:
        """Examine a line, unless that has been done; return how many rare events its position meets."""
        if game in self._failed:
            raise self._failed[game]  # Hypothesis runs a failing example again, and must see it fail again
        if self.result.examples >= self._assignment.size:
            raise _Enough
        bits = event_bits(game.position)
        if game not in self._examined:
            self._examined.add(game)
            found = self._examine_game(game, self._plan.depth)
            self.result.strategies[self._name] += 1
            self.result.events.update(self.note_met(game.position, bits))
            self._note(found)
            self._note_timeout(any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found))
            if self.result.is_cut_short:
                raise _Silent
            self._raise_new(game, found)
        return bits.bit_count()

    def _raise_new(self, game: Game, found: list[Discrepancy]) -> None:
        """Raise the first discrepancy whose signature has not been raised in an earlier attempt."""
        for signature in (discrepancy.signature for discrepancy in found):
            if signature not in self._muted:
                kind = self._raised.setdefault(signature, type("_NewSignature", (_NewSignature,), {}))
                self._failed[game] = kind(" ".join(signature))
                raise self._failed[game]


@contextmanager
def _no_constants_of_modules() -> Iterator[None]:
    """Have Hypothesis draw the same in each process.

    It draws numbers that stand in the sources of the modules that are loaded, which are others in each process and on
    each machine. Older versions do not; newer ones may name the function in another way.
    """
    providers: Any = sys.modules.get("hypothesis.internal.conjecture.providers")
    if not hasattr(providers, "_get_local_constants"):
        yield
        return
    with patch.object(providers, "_get_local_constants", providers.Constants):
        yield


@contextmanager
def _quiet_hypothesis() -> Iterator[None]:
    """Hide the warnings of Hypothesis, which are for authors of tests, and keep its files in perft-check's cache."""
    set_hypothesis_home_dir((cache_root() or Path(os.devnull)) / "hypothesis")  # by default it is the current folder
    with warnings.catch_warnings(), _no_constants_of_modules():
        warnings.simplefilter("ignore", HypothesisWarning)
        yield
