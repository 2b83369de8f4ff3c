"""The causes of a run that are explained often enough: a few questions show that a further failure has one of them.

Such a failure is counted with its cause, and not explained. It has a cause if, in a position below it, the list of
moves is wrong by the same rules and by no others. An engine that prints its root moves shows that itself: one question
a ply leads there. Of one that prints only totals, perft-check's generator looks for a position below in which moves are
legal, or are not, by the rule, and the engine has to count there as if just these moves were wrong. What that does not
show for certain is explained: moves that are played or taken back wrongly, and whatever lies deeper.
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

PLACES = 200
"""Positions below a failure among which one is sought in which moves may be wrong by a known rule."""
MOST_ASKED = 3
"""Positions about which an engine that prints only totals is asked."""

Faults = frozenset[tuple[str, str]]
"""What is wrong with a list of moves: kinds of wrong moves, each with its rule."""


class RecognizedFailure(NamedTuple):
    """A failure of a cause that is explained often enough."""

    finding: Finding
    like: str
    """The name of the first failure of the cause that was explained."""


class KnownCauses:
    """The causes of an engine's failures that were explained in a run; it recognizes further failures of them."""

    def __init__(self, engine: EngineSession, enough: int) -> None:
        """Take the engine, and how many failures of a cause are explained."""
        self._engine, self._enough = engine, enough
        self._first: dict[Faults, str] = {}
        """The name of the first failure of each cause."""
        self._explained: Counter[Faults] = Counter()
        """How many failures of each cause are explained."""
        self._prints_moves: bool | None = None
        """Whether the engine prints root moves; None as long as it has not been asked here."""

    @property
    def settled(self) -> dict[Faults, str]:
        """The causes that are explained often enough, each with the name of the first failure."""
        return {faults: name for faults, name in self._first.items() if self._explained[faults] >= self._enough > 0}

    def note(self, name: str, finding: Finding | None) -> None:
        """Note what was found out about the failure of this name."""
        if finding is None or finding.cause is not Cause.MOVES or finding.setup or finding.engine_is_correct:
            return
        faults = _faults_of(finding.wrong)
        self._first.setdefault(faults, name)
        self._explained[faults] += 1

    def recognize(self, game: Game, depth: int, expected: int, agreed: int) -> RecognizedFailure | None:
        """Return the settled cause of an incorrect count, or None if that is not certain. Raises Interrupted.

        `agreed` is the greatest depth at which the engine counted the position correctly, or 0. perft-check's generator
        has to count what is expected, because it decides what is correct below.
        """
        engine, settled = self._engine.expecting(expected), self.settled
        may_tell = not (isinstance(game, PositionSetup) or game.moves or engine.is_own or engine.min_depth > 1)
        if not settled or not may_tell or perft(game.position, depth) != expected:
            return None
        finding = None
        with suppress(EngineError):  # explaining meets it, too
            if self._prints_moves is not False:
                finding = self._follow(game.position, depth, engine)
            if self._prints_moves is False:
                finding = self._search(game.position, range(agreed, depth), settled, engine)
        like = None if finding is None else settled.get(_faults_of(finding.wrong))
        return None if finding is None or like is None else RecognizedFailure(finding, like)

    def _follow(self, position: Position, depth: int, engine: EngineSession) -> Finding | None:
        """Follow the first root move whose count is wrong, ply after ply, and return the wrong moves at the end."""
        game = Game(position)
        for left in range(depth, 0, -1):
            got = engine.divide(game.afresh(), left)
            if got.total:  # if there is nothing to print, nothing shows
                self._prints_moves = not got.is_total_only
            if got.is_total_only:
                return None
            right = correct_divide(game.position, left)
            if wrong := wrong_moves(game.position, got, right):
                return _finding_of_moves(game, explain_by_draw(game.afresh(), wrong, engine))
            move = move_to_follow(game.position, got, right)
            if move is None:
                return None
            game = game.after(move)
        return None

    def _search(
        self, position: Position, plies: range, settled: Mapping[Faults, str], engine: EngineSession
    ) -> Finding | None:
        """Return the wrong moves of a position below that a known rule accounts for, by what the engine counts there.

        If it counts correctly to a depth, all lists above that ply are correct.
        """
        rules = [next(iter(faults)) for faults in settled if len(faults) == 1]
        asked = 0
        below = (game for ply in plies for game in _lines_below(Game(position), ply))
        for game in islice(below, PLACES):
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
    """Return the finding of moves that are wrong at the end of a line from the position that failed."""
    return Finding(
        cause=Cause.MOVES,
        fen=game.position.fen(),
        chess960=game.base.chess960,
        path=write_moves(game),
        wrong=tuple(wrong),
        divides=len(game.moves) + 1,
    )


def _lines_below(game: Game, plies: int) -> Iterator[Game]:
    """Yield all lines that are `plies` legal moves longer."""
    if plies == 0:
        yield game
        return
    for move in game.position.legal_moves:
        yield from _lines_below(game.after(move), plies - 1)
