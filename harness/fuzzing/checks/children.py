"""The check of FENs that an engine prints after moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....generator.game import Game
from ...checking.comparing import explain_wrong_move
from ...checking.consistency import first_unlisted
from ...checking.descent.fen_reading import reads_other_rights
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...explaining import Explanation, explain_state
from ...explaining.rules import UNREADABLE, Rule
from ...model.results.finding import Cause, finding_after
from ..model import Discrepancy
from .base import Probe, discrepancies_in, moves_to_try

CLOCKS = (Rule.HALFMOVE_CLOCK, Rule.MOVE_NUMBER, Rule.UNREADABLE_CLOCKS)
RIGHTS = (Rule.CASTLING_RIGHT_LOST, Rule.CASTLING_RIGHT_KEPT)
MOST_MOVES = 3
"""Number of moves per position after which the engine is asked for a FEN."""


class ChildFens:
    """Compares the FENs that an engine prints after moves, if it prints any; special moves are tried first."""

    name = "fen"

    def __init__(self, engine: EngineSession, ignore_clocks: bool = False) -> None:
        """Create the check; if `ignore_clocks`, it ignores the halfmove clock and the move number."""
        self._engine, self._ignored = engine, CLOCKS if ignore_clocks else ()
        self._prints = True

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        position = probe.position
        played = [Game(position, (move,)) for move in moves_to_try(position, MOST_MOVES)]
        for after in [probe.game, *played] if probe.game.moves else played:
            if not self._prints:
                return
            yield from self._compare(after)

    def _with_fen_fault(self, after: Game, why: Explanation) -> Explanation:
        """Return the explanation, corrected if the castling rights are wrong before any move. Raises EngineError."""
        if why.rule not in RIGHTS or not reads_other_rights(after.base, self._engine):
            return why
        text = f"{why.sentence} The FEN that it prints before any move has other rights than the one that it was given."
        return replace(why, rule=Rule.FEN_CASTLING, sentence=text)

    def _compare(self, after: Game) -> Iterator[Discrepancy]:
        """Compare the FEN after the last move of a game."""
        try:
            printed = self._engine.fen(after)
        except EngineError:
            if first_unlisted(after, self._engine) is None:
                raise
            return  # the engine does not list the move, which `Divides` reports
        if printed is None:  # the engine prints no FEN after these moves, or none at all
            self._prints = self._engine.fen(Game(after.base)) is not None
            return
        before, text = Game(after.base, after.moves[:-1]).position, after.moves[-1].uci(chess960=True)
        found = explain_state(before, text, after.position.fen(), printed)
        explanations = [
            self._with_fen_fault(after, explanation) for explanation in found if explanation.rule not in self._ignored
        ]
        if not explanations or first_unlisted(after, self._engine) is not None:
            return
        for cause, kind, is_unreadable in ((Cause.FEN, "fen", True), (Cause.STATE, "state", False)):
            of_cause = [one for one in explanations if (one.rule in UNREADABLE) is is_unreadable]
            wrong = tuple(explain_wrong_move(before, text, kind, one) for one in of_cause)
            if wrong:
                finding = finding_after(after, cause, f"the engine's FEN is {printed}", state=wrong)
                yield from discrepancies_in(self.name, finding, after)
