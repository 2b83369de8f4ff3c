"""Causes that were explained often enough in a run, and a quick test of whether another failure has one of them.

Such a failure is counted with its cause but not explained. A failure has a known cause if, in a position further down
the tree, the same rules and no others are broken. If the engine prints root moves, one divide per ply leads to that
position. If it prints only totals, perft-check looks for a position to which the rule applies and where the engine's
counts imply that exactly the moves affected by the rule are wrong. Failures that cannot be assigned with certainty are
explained: moves that are played or taken back incorrectly, and deeper faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import PositionSetup
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...model.results.finding import Cause, Finding, WrongMove
from ..comparing import correct_divide, write_moves
from ..descent.deducing import confirm_rule
from ..descent.draws import explain_by_draw
from ..descent.wrong_moves import move_to_follow, wrong_moves

MOST_POSITIONS = 200
"""Maximum number of positions below a failure to search for moves to which a known rule applies."""
MOST_ASKED = 3
"""Maximum number of positions to check with an engine that prints only totals."""

Faults = frozenset[tuple[str, str]]
"""What is wrong with a move list, as pairs of kind and rule."""


class RecognizedFailure(NamedTuple):
    """A failure whose cause has been explained often enough."""

    finding: Finding
    like: str
    """The name of the first failure with this cause that was explained."""


class KnownCauses:
    """The explained causes of an engine's failures in a run; recognizes other failures with these causes."""

    def __init__(self, engine: EngineSession, enough: int) -> None:
        """Start without known causes. `enough` is the number of failures to explain for each cause."""
        self._engine, self._enough = engine, enough
        self._first: dict[Faults, str] = {}
        """The name of the first failure of each cause."""
        self._explained: Counter[Faults] = Counter()
        """The number of explained failures of each cause."""
        self._prints_moves: bool | None = None
        """Whether the engine prints root moves, or None if this is not known yet."""

    @property
    def settled(self) -> dict[Faults, str]:
        """The causes that have been explained often enough, each with the name of the first failure."""
        return {faults: name for faults, name in self._first.items() if self._explained[faults] >= self._enough > 0}

    def note(self, name: str, finding: Finding | None) -> None:
        """Record the finding of a failure with this name."""
        if finding is None or finding.cause is not Cause.MOVES or finding.setup or finding.engine_is_correct:
            return
        faults = _faults_of(finding.wrong)
        self._first.setdefault(faults, name)
        self._explained[faults] += 1

    def recognize(self, game: Game, depth: int, expected: int, agreed: int) -> RecognizedFailure | None:
        """Return the settled cause of an incorrect count, or None if none is certain. Raises Interrupted.

        `agreed` is the greatest depth at which the engine counted the position correctly, or 0. The result is None
        unless perft-check's generator confirms the expected count, because that generator provides the correct counts
        further down the tree.
        """
        engine, settled = self._engine.expecting(expected), self.settled
        is_decidable = not (isinstance(game, PositionSetup) or game.moves or engine.is_kernel or engine.min_depth > 1)
        if not settled or not is_decidable or perft(game.position, depth) != expected:
            return None
        finding = None
        with suppress(EngineError):  # the explanation will encounter the same error
            if self._prints_moves is not False:
                finding = self._follow(game.position, depth, engine)
            if self._prints_moves is False:
                finding = self._search(game.position, range(agreed, depth), settled, engine)
        like = None if finding is None else settled.get(_faults_of(finding.wrong))
        return None if finding is None or like is None else RecognizedFailure(finding, like)

    def _follow(self, position: Position, depth: int, engine: EngineSession) -> Finding | None:
        """Follow the first root move with an incorrect count, ply by ply, and return the wrong moves at the end."""
        game = Game(position)
        for left in range(depth, 0, -1):
            got = engine.divide(game.without_moves(), left)
            if got.total:  # an engine that has no moves to print shows nothing
                self._prints_moves = not got.is_total_only
            if got.is_total_only:
                return None
            correct = correct_divide(game.position, left)
            if wrong := wrong_moves(game.position, got, correct):
                return _finding_of_moves(game, explain_by_draw(game.without_moves(), wrong, engine))
            move = move_to_follow(game.position, got, correct)
            if move is None:
                return None
            game = game.after(move)
        return None

    def _search(
        self, position: Position, plies: range, settled: Mapping[Faults, str], engine: EngineSession
    ) -> Finding | None:
        """Find a position in the subtree where a known rule explains the engine's counts; return its wrong moves.

        If the engine counts correctly up to a depth, all move lists above that ply are correct.
        """
        rules = [next(iter(faults)) for faults in settled if len(faults) == 1]
        asked = 0
        below = (game for ply in plies for game in _games_below(Game(position), ply))
        for game in islice(below, MOST_POSITIONS):
            for kind, rule in rules:
                wrong = confirm_rule(game.position, kind, rule, engine)
                if wrong:
                    return _finding_of_moves(game, wrong)
                asked += wrong is not None
                if asked == MOST_ASKED:
                    return None
        return None


def _faults_of(wrong: Sequence[WrongMove]) -> Faults:
    return frozenset((move.kind, move.rule) for move in wrong)


def _finding_of_moves(game: Game, wrong: Sequence[WrongMove]) -> Finding:
    """Return a finding for wrong moves at the end of a game from the position that failed."""
    return Finding(
        cause=Cause.MOVES,
        fen=game.position.fen(),
        chess960=game.base.chess960,
        path=write_moves(game),
        wrong=tuple(wrong),
        divides=len(game.moves) + 1,
    )


def _games_below(game: Game, plies: int) -> Iterator[Game]:
    if plies == 0:
        yield game
        return
    for move in game.position.legal_moves:
        yield from _games_below(game.after(move), plies - 1)
