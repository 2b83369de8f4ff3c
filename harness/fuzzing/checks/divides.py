"""Checks of counts: divides, totals, and the consistency between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ...checking.comparing import agree, first_wrong_count, least_depth
from ...checking.consistency import contradictions, first_unlisted
from ...checking.descent.descending import descend
from ...checking.systematic.search import SystematicErrorSearch
from ...engines.asking.session import EngineSession
from ...engines.base import EngineContradiction, EngineError
from ...model.results.finding import Cause, Finding, varying_answers
from ...model.results.verdict import Verdict
from ..model import Discrepancy
from .base import Probe, discrepancies_in, game_of


class Divides:
    """Compares the divides of engine and reference, and descends from a difference to the wrong moves."""

    name = "moves"

    def __init__(self, engine: EngineSession, reference: EngineSession, arbiter: EngineSession | None) -> None:
        """Create the check; the `arbiter` verifies the reference."""
        self._engine, self._reference, self._arbiter = engine, reference, arbiter
        self._systematic = SystematicErrorSearch(engine)
        self._total_before: int | None = None
        """The previous total of the engine."""

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        depth = counted_depth(probe, self._engine)
        before, self._total_before = self._total_before, None
        try:
            got = self._engine.divide(probe.game, depth)
        except EngineError as error:
            found: list[Discrepancy] = []
            if isinstance(error, EngineContradiction):
                found = self._systematically(probe.game, depth, error.total, before)
            # The engine may give no answer because it does not generate a move of the game.
            found = (
                found or list(self._find_unlisted(probe.game)) or list(self._find_wrong_count(probe.game, depth, error))
            )
            if not found:
                raise
            yield from found
            return
        self._total_before = got.total
        if not agree(got, self._reference.divide(probe.game.without_moves(), depth)):
            yield from (
                self._systematically(probe.game, depth, got.total, before)
                or list(self._find_unlisted(probe.game))
                or self._follow(probe.game, depth)
            )

    def _systematically(self, game: Game, depth: int, total: int, before: int | None) -> list[Discrepancy]:
        """Return a discrepancy if the totals of the engine show a systematic error."""
        finding = self._systematic.explain_total(game, depth, total, before)
        return [] if finding is None else list(discrepancies_in(self.name, finding, game_of(finding, game)))

    def _follow(self, game: Game, depth: int) -> Iterator[Discrepancy]:
        """Yield the discrepancies in the last position of a game or below it."""
        finding = descend(game, depth, self._engine, self._reference)
        if finding is None:
            finding = varying_answers(game.base, "asked for the same again, it is correct")
        for discrepancy in discrepancies_in(self.name, finding, game_of(finding, game)):
            yield self._confirm(discrepancy, finding)

    def _find_wrong_count(self, game: Game, depth: int, failure: EngineError) -> Iterator[Discrepancy]:
        """Yield the discrepancies at smaller depths, which may explain why the engine fails at `depth`."""
        wrong = first_wrong_count(game, range(least_depth(self._engine), depth), self._engine, failure)
        if wrong is not None:
            yield from self._follow(game, wrong[0])

    def _find_unlisted(self, game: Game) -> Iterator[Discrepancy]:
        """Yield the discrepancies in the first position of a game in which the engine does not list the next move.

        Incorrect answers after such a move are not reported separately.
        """
        number = first_unlisted(game, self._engine)
        if number is not None:
            before = Game(game.base, game.moves[:number])
            finding = descend(before, least_depth(self._engine), self._engine, self._reference)
            if finding is not None:
                yield from discrepancies_in(self.name, finding, game_of(finding, before))

    def _confirm(self, discrepancy: Discrepancy, finding: Finding) -> Discrepancy:
        """Return the discrepancy, with verdict SPLIT if the arbiter contradicts the reference."""
        if self._arbiter is None:
            return discrepancy
        leaf = Game(Position.from_fen(finding.fen, finding.chess960))
        if agree(self._arbiter.divide(leaf, 1), self._reference.divide(leaf, 1)):
            return discrepancy
        text = f"{self._arbiter.name} contradicts the reference {self._reference.name} here"
        return replace(discrepancy, verdict=Verdict.SPLIT, message=text)


class Totals:
    """Compares totals if the divide is correct; `Divides` reports incorrect divides."""

    name = "total"

    def __init__(self, engine: EngineSession, reference: EngineSession) -> None:
        self._engine, self._reference = engine, reference

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield at most one discrepancy. Raises EngineError."""
        depth = counted_depth(probe, self._engine)
        game = probe.game.without_moves()
        got, expected = self._engine.perft(game, depth), self._reference.perft(game, depth)
        if got == expected or self._engine.divide(game, depth).total != expected:
            return
        note = (
            f"it counts {got:,} nodes instead of {expected:,} at depth {depth} if it is asked for the total alone, "
            "although its divide adds up to the correct number: check how nodes are added up or stored"
        )
        finding = Finding(cause=Cause.COUNT, fen=game.base.fen(), chess960=game.base.chess960, note=note, depth=depth)
        yield from discrepancies_in(self.name, finding, game)


class Consistency:
    """Compares the count below each move with the counts of the resulting position, after the move and from its FEN."""

    name = "consistency"

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield at most one discrepancy, for the first move whose counts contradict each other. Raises EngineError."""
        depth = min(max(2, probe.depth, self._engine.min_depth + 1), self._engine.max_depth)
        if depth < 2:  # there are no counts below the moves to compare
            return
        found = contradictions(Game(probe.position), depth, self._engine)
        if found:
            first = found[0]
            counts = f"divide {first.divided}, played {first.played}, from its FEN {first.from_fen}"
            note = f"below {first.uci} the engine contradicts itself ({counts}): {first.sentence}"
            base = probe.game.base
            finding = Finding(cause=Cause.COUNT, fen=base.fen(), chess960=base.chess960, note=note)
            yield from discrepancies_in(self.name, finding, Game(base))


def counted_depth(probe: Probe, engine: EngineSession) -> int:
    """Return the depth to which an engine counts the position of a probe, within the engine's limits."""
    depth = max(probe.depth, engine.min_depth)
    if probe.depth > 1 and not probe.is_exact:
        depth = affordable_depth(probe.position, depth)
    return max(engine.min_depth, min(depth, engine.max_depth))


MOST_LEAVES = (4000, 6000, 8000)
"""Leaf node limits for one, two and three additional plies. Some faults show only three plies deeper."""


def affordable_depth(position: Position, depth: int) -> int:
    """Return the depth to which a position is counted: `depth`, or up to three plies more if it has few leaf nodes.

    Some faults show only after many plies: an incomplete unmake, colliding hash keys, an incorrect count below the
    root. Positions with few moves reveal them at little cost.
    """
    for deeper, leaves in enumerate(MOST_LEAVES, depth + 1):
        if not 0 < perft(position, deeper) <= leaves:
            return deeper - 1
    return depth + len(MOST_LEAVES)
