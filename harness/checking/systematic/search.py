"""Search for a systematic error that explains an incorrect total and the answers about known positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.symmetry import flip_colors
from ...engines.asking.session import EngineSession
from ...engines.base import EngineContradiction, EngineError
from ...model.results.finding import Cause, Finding
from ..comparing import least_depth
from .errors import ERRORS, REPEATS, ROOT_MOVES_AGAIN, SUMS, SystematicError, TotalQuestion

LEAST_POSITIONS = 3
"""Minimum number of known positions in which an error must be visible."""
LEAST_FRACTION = 0.8
"""Fraction of the answers that an error must explain. It is less than 1, because the engine may have another fault as
well."""
MOST_UNEXPLAINED = 3
"""Number of unexplained incorrect totals after which the search ends, because the engine has other faults."""
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
ENDGAMES = ENDGAME, "4k3/4r3/8/8/8/4B3/8/4K2b w - - 0 1"
"""Known positions with few moves, which are counted to the greatest depth."""
CLOSE = "8/8/2nk4/2p1p3/3PP1p1/2NK4/8/8 w - - 0 1", "3k4/2p2b2/5n2/r2P4/2K2p2/4PN2/1B6/4q1R1 w - - 0 1"
"""Known positions in which the kings are close to each other and to other pieces."""
KNOWN = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    *ENDGAMES,
    *CLOSE,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
)
"""Various positions, one of them in check. Each is also checked with colors swapped."""


@dataclass(frozen=True)
class _Answer:
    """The engine's answer about a known position."""

    asked: TotalQuestion
    correct: int
    got: int


class SystematicErrorSearch:
    """Searches for a systematic error of one engine."""

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine
        self.known: SystematicError | None = None
        """The error, once it is found."""
        self._unexplained = 0
        """Number of incorrect totals so far that no error explains."""

    def explain_total(self, game: Game, depth: int, got: int, before: int | None = None) -> Finding | None:
        """Return a finding if a systematic error explains an incorrect total and other answers, or None otherwise.

        `before` is the engine's answer to the previous question, if known. Nothing is asked if no error explains the
        total. Raises Interrupted.
        """
        position = game.position
        if self._unexplained >= MOST_UNEXPLAINED or got == (correct := perft(position, depth)):
            return None
        try:
            error = self._explanation(TotalQuestion(position, depth, before), got)
        except EngineError:
            error = None
        if error is None:
            self._unexplained += self.known is None
            return None
        self.known = error
        note = f"{error.title}; {got:,} nodes at depth {depth} instead of {correct:,}"
        return Finding(cause=Cause.COUNT, fen=position.fen(), chess960=position.chess960, note=note, depth=depth)

    def _explanation(self, asked: TotalQuestion, got: int) -> SystematicError | None:
        if self.known is REPEATS:
            return REPEATS if self._repeats_answers(asked) else None
        known = ERRORS if self.known is None else (self.known,)
        candidates = [error for error in known if self._fits(error, asked, got)]
        if self.known is not None or not candidates:
            return self.known if candidates else None
        return self._shown_elsewhere(candidates)

    def _fits(self, error: SystematicError, asked: TotalQuestion, got: int) -> bool:
        """Return True if an error explains a total, or if the total under that error cannot be computed."""
        if error is REPEATS:
            return asked.answer_before == got
        return error.count(asked) in (got, None) and not (error.is_of_moves and self._prints_moves(error, asked))

    def _repeats_answers(self, asked: TotalQuestion) -> bool:
        """Return True if the engine repeats its previous answer when asked about a different position."""
        other = next(one for one in (Position.from_fen(ENDGAME), _flip(ENDGAME)) if one != asked.position)
        before = self._total(other, least_depth(self._engine))
        return self._total(asked.position, asked.depth) == before

    def _prints_moves(self, error: SystematicError, asked: TotalQuestion) -> bool:
        """Return True if the engine prints root moves that are more informative than the error."""
        try:
            divide = self._engine.divide(Game(asked.position), least_depth(self._engine))
        except EngineContradiction:
            return False
        legal = {move.uci(chess960=True) for move in asked.position.legal_moves}
        return not divide.is_total_only and (error.is_of_totals or divide.counts.keys() != legal)

    def _shown_elsewhere(self, candidates: Sequence[SystematicError]) -> SystematicError | None:
        """Return the first candidate that explains a new process's answers about the known positions.

        The answers of the running process may depend on earlier questions.
        """
        self._engine.restart()
        answers = self._answers()
        error = next((one for one in candidates if _explains(one, answers)), None)
        return ROOT_MOVES_AGAIN if error is SUMS and self._repeats_root_moves() else error

    def _answers(self) -> list[_Answer]:
        answers: list[_Answer] = []
        for position, depth in _questions(least_depth(self._engine)):
            before = answers[-1].got if answers else None
            got = self._total(position, depth)
            answers.append(_Answer(TotalQuestion(position, depth, before), perft(position, depth), got))
        return answers

    def _total(self, position: Position, depth: int) -> int:
        try:
            return self._engine.perft(Game(position), depth)
        except EngineContradiction as error:
            return error.total

    def _repeats_root_moves(self) -> bool:
        try:
            divide = self._engine.divide(Game(Position.start()), 2)
        except EngineContradiction:
            return False
        return bool(divide.counts) and {divide.repeated.get(move) for move in divide.counts} == {1}


def _explains(error: SystematicError, answers: Iterable[_Answer]) -> bool:
    """Return True if an error explains nearly all answers, and some of these are incorrect.

    An error that consists of wrong moves must explain all answers.
    """
    counted = [(one, count) for one in answers if (count := error.count(one.asked)) is not None]
    fitting = [(one, count) for one, count in counted if count == one.got]
    wrong = {one.asked.position for one, count in fitting if count != one.correct}
    fraction = 1 if error.is_of_moves else LEAST_FRACTION
    return len(wrong) >= LEAST_POSITIONS and len(fitting) >= fraction * len(counted)


@cache
def _flip(fen: str) -> Position:
    return flip_colors(Position.from_fen(fen))


def _questions(least_depth: int) -> Iterator[tuple[Position, int]]:
    """Yield pairs of known position and depth with few nodes, in ascending order of depth."""
    positions = [Position.start(), *map(Position.from_fen, KNOWN), *map(_flip, KNOWN)]
    for depth in range(least_depth, 3):
        yield from ((position, depth) for position in positions)
    yield from ((position, 3) for fen in ENDGAMES for position in (Position.from_fen(fen), _flip(fen)))
