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
from ....generator.line import Line
from ....generator.position import Position
from ....generator.setup import Setup
from ....generator.types.moves import Move
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...model.results.finding import Cause, Finding, WrongMove
from ..comparing import right_divide, write_move
from ..descent.deducing import confirm_rule
from ..descent.draws import name_draw
from ..descent.wrong_moves import move_to_follow, wrong_moves

PLACES = 200
"""Positions below a failure among which one is sought in which moves may be wrong by a known rule."""
MOST_ASKED = 3
"""Positions about which an engine that prints only totals is asked."""

Faults = frozenset[tuple[str, str]]
"""What is wrong with a list of moves: kinds of wrong moves, each with its rule."""


class Recognized(NamedTuple):
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
        if finding is None or finding.cause is not Cause.MOVES or finding.setup or finding.engine_is_right:
            return
        faults = _faults_of(finding.wrong)
        self._first.setdefault(faults, name)
        self._explained[faults] += 1

    def recognize(self, line: Line, depth: int, expected: int, agreed: int) -> Recognized | None:
        """Return the settled cause of an incorrect count, or None if that is not certain. Raises Interrupted.

        `agreed` is the greatest depth at which the engine counted the position correctly, or 0. perft-check's generator
        has to count what is expected, because it decides what is correct below.
        """
        engine, settled = self._engine.expecting(expected), self.settled
        may_tell = not (isinstance(line, Setup) or line.moves or engine.is_own or engine.min_depth > 1)
        if not settled or not may_tell or perft(line.position, depth) != expected:
            return None
        finding = None
        with suppress(EngineError):  # explaining meets it, too
            if self._prints_moves is not False:
                finding = self._follow(line.position, depth, engine)
            if self._prints_moves is False:
                finding = self._search(line.position, range(agreed, depth), settled, engine)
        like = None if finding is None else settled.get(_faults_of(finding.wrong))
        return None if finding is None or like is None else Recognized(finding, like)

    def _follow(self, position: Position, depth: int, engine: EngineSession) -> Finding | None:
        """Follow the first root move whose count is wrong, ply after ply, and return the wrong moves at the end."""
        path: list[tuple[str, str | None]] = []
        for left in range(depth, 0, -1):
            got = engine.divide(Line(position), left)
            if got.total:  # if there is nothing to print, nothing shows
                self._prints_moves = not got.is_total_only
            if got.is_total_only:
                return None
            right = right_divide(position, left)
            if wrong := wrong_moves(position, got, right):
                return _finding_of_moves(path, position, name_draw(Line(position), wrong, engine))
            move = move_to_follow(position, got, right)
            if move is None:
                return None
            path.append(write_move(position, move.uci(chess960=True)))
            position = position.play_unchecked(move)
        return None

    def _search(
        self, position: Position, plies: range, settled: Mapping[Faults, str], engine: EngineSession
    ) -> Finding | None:
        """Return the wrong moves of a position below that a known rule accounts for, by what the engine counts there.

        If it counts correctly to a depth, all lists above that ply are correct.
        """
        rules = [next(iter(faults)) for faults in settled if len(faults) == 1]
        asked = 0
        for path, place in islice(_positions_below(position, plies), PLACES):
            for kind, rule in rules:
                wrong = confirm_rule(place, kind, rule, engine)
                if wrong:
                    return _finding_of_moves(path, place, wrong)
                asked += wrong is not None
                if asked == MOST_ASKED:
                    return None
        return None


def _faults_of(wrong: Sequence[WrongMove]) -> Faults:
    return frozenset((move.kind, move.rule) for move in wrong)


def _finding_of_moves(
    path: Sequence[tuple[str, str | None]], position: Position, wrong: Sequence[WrongMove]
) -> Finding:
    return Finding(
        cause=Cause.MOVES,
        fen=position.fen(),
        chess960=position.chess960,
        path=tuple(path),
        wrong=tuple(wrong),
        divides=len(path) + 1,
    )


def _positions_below(position: Position, plies: range) -> Iterator[tuple[list[tuple[str, str | None]], Position]]:
    """Yield the positions at these plies below one, with the moves that lead there."""
    for ply in plies:
        for moves in _lines_below(position, ply):
            after, path = position, []
            for move in moves:
                path.append(write_move(after, move.uci(chess960=True)))
                after = after.play_unchecked(move)
            yield path, after


def _lines_below(position: Position, plies: int) -> Iterator[tuple[Move, ...]]:
    """Yield all sequences of `plies` legal moves."""
    if plies == 0:
        yield ()
        return
    for move in position.legal_moves:
        for moves in _lines_below(position.play_unchecked(move), plies - 1):
            yield (move, *moves)
