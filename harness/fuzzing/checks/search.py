"""The check of searches: every move that a search prints is legal, and a search does not change the position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....generator.counting.perft import perft
from ....generator.game import Game
from ...checking.comparing import explain_wrong_move, least_depth
from ...engines.asking.session import EngineSession
from ...engines.stdio.displays import SearchAnswer
from ...explaining import explain_move
from ...model.results.events import implausibility_of
from ...model.results.finding import Cause
from ..model import Discrepancy
from .base import Probe, discrepancies_in, finding_after

LIMITS = ("depth 1", "depth 2", "depth 3", "nodes 1")
"""The searches that are run in each position, as the arguments of `go`."""


class Searches:
    """Runs short searches, and checks each move that the engine prints. Only UCI engines can search."""

    name = "search"

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        if implausibility_of(probe.position.fen(), probe.position.chess960) or not self._engine.can_search:
            return  # programs need not support more pieces of a type than a game can lead to
        game, depth = probe.game, least_depth(self._engine)
        expected = perft(game.position, depth)
        # An engine that silently refuses the position would search another one; this count then raises an error.
        if self._engine.perft(game, depth) != expected:
            return
        for limit in LIMITS:
            answer = self._engine.search(game, limit)
            yield from self._judge(game, answer, f"go {limit}")
        # The position is not set up again, because that would hide any change made by the search.
        again = self._engine.recount(depth)
        if again not in (None, expected):
            note = f"go perft {depth} counts {again:,} right after go {LIMITS[-1]}, and {expected:,} in a new position"
            yield from self._fault(game, f"{note}: the search changes the position")
            return
        legal = sorted(move.uci(game.base.chess960) for move in game.position.legal_moves)
        if not legal:
            return
        only = legal[len(legal) // 2]
        answer = self._engine.search(game, "depth 1", [only])
        if answer is not None and answer.best != only and answer.best in legal:
            yield from self._fault(game, f"go depth 1 searchmoves {only} answers bestmove {answer.best}")

    def _judge(self, game: Game, answer: SearchAnswer | None, asked: str) -> Iterator[Discrepancy]:
        """Yield the discrepancies in the output of one search."""
        if answer is None:
            yield from self._fault(game, f"{asked} ends without a bestmove")
            return
        position = game.position
        if not answer.best and position.legal_moves:
            legal = len(position.legal_moves)
            yield from self._fault(game, f"{asked} answers that there is no legal move, and there are {legal}")
        best = [answer.best] if answer.best else []
        sequences = [
            ("bestmove", [*best, answer.ponder] if answer.ponder else best),
            *(("pv", list(moves)) for moves in answer.variations),
            *(("currmove", [move]) for move in answer.considered),
        ]
        for what, moves in sequences:
            found = list(self._first_illegal(game, moves, f"{asked}: {what} {' '.join(moves)}"))
            if found:
                yield from found
                return

    def _first_illegal(self, game: Game, moves: Sequence[str], said: str) -> Iterator[Discrepancy]:
        """Yield a discrepancy for the first move of a sequence that is illegal or written in the wrong notation."""
        position = game.position
        for number, text in enumerate(moves):
            legal = {move.uci(position.chess960): move for move in position.legal_moves}
            if text in legal:
                position = position.play_unchecked(legal[text])
                continue
            where = "" if number == 0 else f", after {' '.join(moves[:number])}"
            other = {move.uci(not position.chess960) for move in position.legal_moves}
            if text in other:
                custom = "king takes rook" if position.chess960 else "the king's step, as in e1g1"
                yield from self._fault(game, f"{said}: {text}{where} is written as in another variant, not as {custom}")
                return
            why = explain_move(position, text)
            wrong = explain_wrong_move(position, text, "extra", why)
            finding = finding_after(Game(position) if number else game, Cause.SEARCH, f"{said}", wrong=[wrong])
            yield from discrepancies_in(self.name, finding, game)
            return

    def _fault(self, game: Game, note: str) -> Iterator[Discrepancy]:
        yield from discrepancies_in(self.name, finding_after(game, Cause.SEARCH, note), game)
