"""Guess the convention of an engine's move lists from positions in which conventions differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import GenType
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...model.conventions import CONVENTION_SETTINGS, EITHER, SETTINGS_BY_NAME, Convention, ConventionSetting
from ...model.results.finding import WrongMove
from .correct import askable
from .wrong import differences, wrong_moves

DIAGNOSTIC = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",  # castling gives check
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "8/P6k/8/8/8/8/8/K7 w - - 0 1",  # promotions: by push, by capture, with check by each piece
    "1n5k/P7/8/8/8/8/8/K7 w - - 0 1",
    "8/1P1k4/8/8/8/8/8/K7 w - - 0 1",
    "r7/1P6/1k6/8/8/8/8/2K5 w - - 0 1",
    "8/8/8/8/8/5K2/k6p/8 b - - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # en passant, legal and not
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/4r3/8/2p5/4N3/8/8/4K3 w - - 0 1",  # a pinned piece
    "4k3/8/8/8/8/2b5/3n4/4K3 w - - 0 1",  # a king next to protected and attacked squares
    "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1",  # castling over and onto attacked squares
    "4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1",  # discovered checks, by a knight, a pawn and the king
    "k7/8/8/3P4/8/5B2/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1",
    "4k3/8/8/4r3/8/8/3B4/3QK3 w - - 0 1",  # evasions: blocks, captures, double check, en passant, promotions
    "4k3/8/8/8/1b6/5n2/8/4K2R w K - 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1",
    "4k3/4r3/8/8/1b6/8/3N4/4K3 w - - 0 1",  # a pinned piece that could block
)
"""Positions in which conventions differ."""
ROUNDS = 2
"""Number of passes over the settings, because the best value of one may depend on the others."""
RELUCTANCE = 3
"""Number of moves that must support `EITHER`, because that value excludes moves from the comparison."""
MOST_FAILURES = 3
"""Number of failures after which no more lists are requested from an engine."""


@dataclass(frozen=True)
class AnsweredList:
    """A list that an engine has produced."""

    position: Position
    gentype: GenType
    moves: tuple[str, ...]

    def contradicts(self, convention: Convention) -> int:
        """Return the number of wrong moves according to a convention."""
        if self.gentype not in askable(self.position, convention):
            return 0
        return len(differences(self.position, self.gentype, self.moves, convention))


@dataclass(frozen=True)
class UnconventionalList:
    """A list that contradicts the convention."""

    fen: str
    gentype: GenType
    wrong: tuple[WrongMove, ...]


@dataclass(frozen=True)
class ConventionGuess:
    """The convention that fits best, and the lists that contradict it."""

    convention: Convention
    offered: tuple[GenType, ...]
    """The lists that the engine provides."""
    contradictions: tuple[UnconventionalList, ...] = ()
    would_fit: tuple[str, ...] = ()
    """Values, as `NAME=VALUE`, that are never guessed although they would fit better."""


def guess_convention(engine: EngineSession, given: Mapping[str, str]) -> ConventionGuess:
    """Guess the convention of an engine that has been started; values in `given` are fixed.

    Raises Interrupted.
    """
    known = _with_given(Convention(), {**engine.engine.convention, **given})
    answers, offered = _ask_for_lists(engine, known)
    free = [setting for setting in CONVENTION_SETTINGS if setting.name not in {**engine.engine.convention, **given}]
    convention = _best_convention(known, free, answers)
    return ConventionGuess(
        convention,
        tuple(sorted(offered)),
        tuple(_contradictions(answers, convention)),
        tuple(_better_values(answers, convention, free)),
    )


def _with_given(convention: Convention, given: Mapping[str, str]) -> Convention:
    for name, value in given.items():
        convention = convention.with_value(SETTINGS_BY_NAME[name], value)
    return convention


def _ask_for_lists(engine: EngineSession, convention: Convention) -> tuple[list[AnsweredList], set[GenType]]:
    """Return the lists of the diagnostic positions, except those at which the engine fails, and the offered types."""
    offered, failures = set(engine.gentypes or ()), 0
    answers: list[AnsweredList] = []
    for position in map(Position.from_fen, DIAGNOSTIC):
        for gentype in sorted(offered & askable(position, convention)):
            try:
                moves = engine.moves(Game(position), gentype)
            except EngineError:
                failures += 1
                if failures == MOST_FAILURES:
                    return answers, offered
                continue
            if moves is None:
                offered.discard(gentype)
            else:
                answers.append(AnsweredList(position, gentype, tuple(moves)))
    return answers, offered


def _best_convention(
    convention: Convention, free: Sequence[ConventionSetting], answers: Sequence[AnsweredList]
) -> Convention:
    """Return the convention that fits best, with the most common value if several fit equally well."""
    costs = {convention: _cost(answers, convention)}
    for setting in [*free] * ROUNDS:
        for candidate in (convention.with_value(setting, value) for value in setting.guessed):
            if not costs[convention]:
                return convention
            if candidate not in costs:
                costs[candidate] = _cost(answers, candidate)
            if costs[candidate] < costs[convention]:
                convention = candidate
    return convention


def _cost(answers: Iterable[AnsweredList], convention: Convention) -> int:
    return sum(one.contradicts(convention) for one in answers) + RELUCTANCE * (convention.legality == EITHER)


def _contradictions(answers: Iterable[AnsweredList], convention: Convention) -> Iterable[UnconventionalList]:
    for answer in answers:
        if answer.contradicts(convention):
            wrong = wrong_moves(answer.position, answer.gentype, answer.moves, convention)
            yield UnconventionalList(answer.position.fen(), answer.gentype, tuple(wrong))


def _better_values(
    answers: Sequence[AnsweredList], convention: Convention, free: Sequence[ConventionSetting]
) -> Iterable[str]:
    """Yield the values that are never guessed but would fit better."""
    cost = _cost(answers, convention)
    for setting in free if cost else ():
        for value in setting.values:
            if value not in setting.guessed and _cost(answers, convention.with_value(setting, value)) < cost:
                yield f"{setting.name}={value}"
