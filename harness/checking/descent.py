"""From a wrong count to the wrong move: follow the first difference of two divides down to its cause.

At every step both are asked for a divide, the engine under test from a fresh FEN. Where the move
lists differ, the cause is found. Where only counts differ, the first such move is played, and one
ply less is asked. If the difference is gone there, though the count above was wrong, then the move
lists are right and the *state* is not: the engine plays that move wrongly. From then on it has to
play the moves itself, until the wrong state shows in a move list.
"""

from __future__ import annotations

from ...generator.line import Line
from ...generator.position import Position
from ...generator.types.moves import Move
from ..engines.asker import Asker
from ..engines.base import Divide, EngineRejection
from ..explaining import explain_duplicate, explain_extra, explain_missing, explain_state, is_legal
from ..model.events import Cause, Finding, WrongMove
from .comparing import differing_moves, explained, written


def descend(start: Line, depth: int, engine: Asker, reference: Asker) -> Finding | None:
    """Return the cause of a wrong count at `depth` plies below a line, or None where the divides agree there.

    Both are asked for at most `depth` divides and one more. The engine's own FEN of a position, if it
    prints any, tells what state is wrong. Stops at the first position that the engine rejects. Raises
    EngineError.
    """
    return _Descent(start, engine, reference).run(depth)


class _Refused(Exception):
    """The engine has taken the position at the start, but does not take this one, to which moves have led."""

    def __init__(self, setup: Line, why: EngineRejection) -> None:
        super().__init__(str(why))
        self.setup = setup


class _Descent:
    def __init__(self, start: Line, engine: Asker, reference: Asker) -> None:
        self._start, self._engine, self._reference = start, engine, reference
        self._path: list[Move] = []
        self._asked = 0
        self._counts = ""
        """The counts of the two at the start, as a clause."""

    def run(self, depth: int) -> Finding | None:
        try:
            return self._follow(depth)
        except _Refused as refusal:
            return self._finding(refusal.setup, [], plays=False).noting(Cause.REFUSED, str(refusal))

    def _follow(self, depth: int) -> Finding | None:
        setup, plays = self._start.afresh(), False
        for left in range(depth, 0, -1):
            got, expected = self._divides(setup, left)
            self._counts = self._counts or f"{got.total:,} nodes against {expected.total:,} at depth {left}"
            moves = differing_moves(got, expected)
            played = None if plays else self._played_here()
            if not moves and got.total == expected.total and played is not None:
                # Right from its FEN, wrong when the engine played its way here: it keeps a wrong state.
                setup, plays = played, True
                got = self._divide(setup, left)
                moves = differing_moves(got, expected)
            if wrong := wrong_moves(setup.position, got, expected, moves):
                return self._finding(setup, wrong, plays)
            move = _first_legal(setup.position, moves)
            if move is None:
                return self._without_moves(setup, got, expected, plays)
            self._path.append(move)
            setup = setup.after(move) if plays else setup.after(move).afresh()
        return self._without_moves(setup, got, expected, plays)

    def _divides(self, setup: Line, depth: int) -> tuple[Divide, Divide]:
        return self._divide(setup, depth), self._reference.divide(setup.afresh(), depth)

    def _divide(self, setup: Line, depth: int) -> Divide:
        self._asked += 1
        try:
            return self._engine.divide(setup, depth)
        except EngineRejection as refusal:
            if not self._path:
                raise
            raise _Refused(setup, refusal) from None

    def _played_here(self) -> Line | None:
        """Return how the engine has played its way to the position at hand, or None where it read its FEN."""
        if self._path:
            return Line(self._at(len(self._path) - 1), (self._path[-1],))
        return self._start if self._start.moves else None

    def _at(self, place: int) -> Position:
        """Return the position after the first moves of the path."""
        return Line(self._start.position, tuple(self._path[:place])).position

    def _finding(self, setup: Line, wrong: list[WrongMove], plays: bool) -> Finding:
        return Finding(
            cause=Cause.STATE if plays else Cause.MOVES,
            path=tuple(self._written(place, move) for place, move in enumerate(self._path)),
            fen=setup.position.fen(),
            chess960=setup.position.chess960,
            wrong=tuple(wrong),
            base_fen=setup.base.fen() if plays else None,
            base_moves=tuple(setup.uci_moves()) if plays else (),
            state=self._state(setup) if plays else (),
            divides=self._asked,
        )

    def _without_moves(self, setup: Line, got: Divide, expected: Divide, plays: bool) -> Finding | None:
        """Return what can be said where the lists agree, or were not printed, but the totals do not."""
        if not self._path and got.total == expected.total:
            return None
        finding = self._finding(setup, [], plays)
        surplus = got.total - expected.total
        if surplus:
            many = f"{abs(surplus)} move{'s' * (abs(surplus) != 1)} too {'many' if surplus > 0 else 'few'}"
            note = (
                f"it has {many} here ({got.total} instead of {expected.total}), but prints no root moves to tell which"
            )
        else:
            note = f"{self._counts}, but asked for step by step the two agree"
        return finding.noting(Cause.COUNT if surplus else Cause.VANISHED, note)

    def _state(self, setup: Line) -> tuple[WrongMove, ...]:
        """Return what is wrong in the engine's own FEN after the first move that it plays wrongly, if it prints any."""
        for number, move in enumerate(setup.moves, 1):
            before, after = Line(setup.base, setup.moves[: number - 1]), Line(setup.base, setup.moves[:number])
            printed = self._engine.fen(after)
            if printed is None:
                return ()
            text = move.uci(chess960=True)
            explanations = explain_state(before.position, text, after.position.fen(), printed)
            if explanations:
                return tuple(explained(before.position, text, "state", explanation) for explanation in explanations)
        return ()

    def _written(self, place: int, move: Move) -> tuple[str, str | None]:
        return written(self._at(place), move.uci(chess960=True))


def _first_legal(position: Position, texts: list[str]) -> Move | None:
    """Return the first of the moves that can be played; engine and reference may both list one that cannot."""
    known = {move.uci(chess960=True): move for move in position.legal_moves}
    return next((known[text] for text in texts if text in known), None)


def wrong_moves(position: Position, got: Divide, expected: Divide, moves: list[str]) -> list[WrongMove]:
    """Return the moves that only one side has, or that come more than once, with the rule behind each."""
    wrong = []
    for text in moves:
        if text not in expected.counts:
            why, is_right = explain_extra(position, text), is_legal(position, text)
            wrong.append(explained(position, text, "extra", why, is_right))
        elif text not in got.counts:
            missing = [other for other in moves if other not in got.counts]
            why, is_right = explain_missing(position, _lead(text, missing)), not is_legal(position, text)
            wrong.append(explained(position, text, "missing", why, is_right))
        elif got.repeated.get(text, 0) != expected.repeated.get(text, 0):
            is_right = got.repeated.get(text, 0) < expected.repeated.get(text, 0)
            wrong.append(explained(position, text, "duplicate", explain_duplicate(position, text), is_right))
    return wrong


def _lead(text: str, missing: list[str]) -> str:
    """Return the move to explain: an underpromotion that is missing with the queen's is missing for the same reason."""
    queen = text[:4] + "q"
    return queen if len(text) == 5 and queen in missing else text
