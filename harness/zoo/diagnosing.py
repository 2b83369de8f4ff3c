"""Diagnose incorrect counts: find the faults of the zoo that reproduce all counts of an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import combinations, product

import chess

from ...generator.counting.perft import divide, perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, SetupOption, fen_of, options_of, parse_setup, preceding_game
from ...generator.symmetry import turn_position
from ..engines.root_moves import as_king_takes_rook
from ..model.results.diagnosis import Candidate, Diagnosis, Prediction
from .catalogue import ZOO
from .engine import board_of
from .fault import Fault
from .generator import EVERYWHERE, LIMITED, Crash, Generator, Hang, IllegalMove, Scope, limit

SECONDS = 20.0
"""Default time limit of a diagnosis."""
SEARCH_SHARE = 0.8
"""Share of the time limit for finding faults. The rest is for the questions that confirm and distinguish them."""
MOST_PARTIAL = 3
"""Maximum number of faults to name if none reproduces all counts."""
LARGEST = 3_000_000
"""Maximum number of leaf nodes of a count to compare, because faulty generators are slow: they run in Python."""


@dataclass(frozen=True, eq=False)
class Observation:
    """An engine's counts for one position."""

    game: Game
    depth: int
    total: int
    """The total that the engine printed, or the sum over its root moves."""
    root_moves: Mapping[str, int] | None = None
    """The count of each root move, with castling as king takes rook, or None if the engine printed only the total."""


@dataclass(frozen=True)
class Number:
    """A single count of an observation: the total, or the count below a root move."""

    observation: Observation
    move: str
    """The root move, with castling as king takes rook, or "" for the total."""
    actual: int | None
    """The engine's count, or None if it does not list the move."""
    expected: int | None
    """The correct count, or None if the move is illegal."""

    @property
    def differs(self) -> bool:
        """Whether the engine's count is incorrect."""
        return self.actual != self.expected

    @property
    def cost(self) -> int:
        """The approximate number of leaf nodes that have to be counted for a prediction."""
        return max(self.actual or 0, self.expected or 0)


def numbers_of(observation: Observation) -> list[Number]:
    """Return the counts of all root moves of an observation or, if these are unknown, only the total."""
    position, depth = observation.game.position, observation.depth
    if observation.root_moves is None:
        return [Number(observation, "", observation.total, perft(position, depth))]
    expected = {move.uci(chess960=True): nodes for move, nodes in divide(position, depth).items()}
    texts = sorted(expected.keys() | observation.root_moves.keys())
    return [Number(observation, text, observation.root_moves.get(text), expected.get(text)) for text in texts]


LegalMoves = dict[Hashable, list[chess.Move]]
"""Legal moves by position. Generating them again for each fault would take most of the time of a diagnosis."""


class NoAnswer(Exception):
    """A faulty generator crashes or hangs, or the position cannot be set up."""


class OutOfTime(Exception):
    """The time limit has passed."""


def deadline(seconds: float, check: Callable[[], None]) -> Callable[[], None]:
    """Return a function that calls `check`, and raises OutOfTime after some seconds from now."""
    end = time.monotonic() + seconds

    def check_time() -> None:
        check()
        if time.monotonic() > end:
            raise OutOfTime

    return check_time


@contextmanager
def _raising_no_answer() -> Iterator[None]:
    try:
        yield
    except (Crash, Hang, IllegalMove, ValueError) as error:
        raise NoAnswer(str(error)) from None


class FaultyEngine:
    """Predicts the counts of an engine with a given fault. Each position is set up and counted only once."""

    def __init__(
        self,
        fault: Fault,
        scope: Scope = EVERYWHERE,
        setup: str = "",
        remembered: LegalMoves | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Create an engine. `check` is called during counts, and may raise an exception to stop them."""
        self.fault = fault
        self.scope = scope
        self.setup = setup
        self._remembered, self._check = remembered, check
        self._predicted: dict[Number, int | None] = {}
        self._roots: dict[Observation, tuple[Generator, chess.Board, dict[str, list[chess.Move]]]] = {}
        self._divides: dict[Observation, dict[str, int]] = {}

    def predict(self, number: Number) -> int | None:
        """Return the predicted count, or None if the generator does not list the root move. Raises NoAnswer."""
        if number not in self._predicted:
            self._predicted[number] = self._predict(number)
        return self._predicted[number]

    def may_give(self, number: Number) -> bool:
        """Return False if it is certain without counting that the generator gives a different count.

        A generator that only drops moves never gives a larger count, and one that only adds moves never a smaller one.
        """
        actual, expected = (-1 if one is None else one for one in (number.actual, number.expected))
        changed = self.fault.seeded.changed_methods()
        return not ((changed == {"keeps"} and actual > expected) or (changed == {"adds"} and actual < expected))

    def _predict(self, number: Number) -> int | None:
        if self.fault.effect == "count" and number.move:
            # With a fault of this type, a count depends on previous counts, so the complete divide is needed.
            return self.divide(number.observation).get(number.move)
        with _raising_no_answer():
            return self._count(number)

    def _count(self, number: Number) -> int | None:
        observation = number.observation
        generator, board, moves = self._root(observation)
        if not number.move:
            return generator.perft(board, observation.depth)
        listed = moves.get(number.move)
        if listed is None:
            return None
        count = 0
        for move in listed:
            generator.play(board, move)
            count += generator.perft(board, observation.depth - 1)
            generator.undo(board)
        return count

    def divide(self, observation: Observation) -> dict[str, int]:
        """Return the count below each root move, with castling as king takes rook. Raises NoAnswer."""
        if observation not in self._divides:
            found: dict[str, int] = {}
            for uci, count in self.listed(observation):
                found[uci] = found.get(uci, 0) + count
            self._divides[observation] = found
        return self._divides[observation]

    def listed(self, observation: Observation) -> list[tuple[str, int]]:
        """Return the root moves in the order of generation, duplicates included. Raises NoAnswer."""
        with _raising_no_answer():
            generator, board, _ = self._root(observation)
            counts = generator.divide(board, observation.depth)
            return [(as_king_takes_rook(observation.game.position, text), count) for text, count in counts]

    def _root(self, observation: Observation) -> tuple[Generator, chess.Board, dict[str, list[chess.Move]]]:
        if observation not in self._roots:
            generator = limit(self.fault.seeded, self.scope)
            generator.remembered, generator.check = self._remembered, self._check
            board = _set_up(generator, self._setup_of(observation.game))
            moves: dict[str, list[chess.Move]] = {}
            for move in generator.moves(board):
                moves.setdefault(as_king_takes_rook(observation.game.position, board.uci(move)), []).append(move)
            self._roots[observation] = generator, board, moves
        return self._roots[observation]

    def _setup_of(self, game: Game) -> Game:
        """Return a game with the setup options that this engine requires. Raises ValueError if they do not fit."""
        return PositionSetup.of(game, parse_setup(self.setup)) if self.setup else game


def _set_up(generator: Generator, game: Game) -> chess.Board:
    """Set up a position in a generator, and return the board. Raises ValueError, IllegalMove."""
    options, chess960 = options_of(game), game.base.chess960
    if SetupOption.TWICE in options:
        generator.perft(board_of(generator, game), 1)
    if isinstance(game, PositionSetup) and SetupOption.AFTER_ANOTHER in options:
        generator.perft(generator.set_up(fen_of(preceding_game(game)), chess960), 1)
    if SetupOption.NEW_GAME in options:
        generator.new_game()
    return board_of(generator, game)


def faults_to_try(*, chess960: bool = False) -> list[Fault]:
    """Return the faults that may change a count, the most likely first.

    Those of the variant come first, then those that represent the most bugs of public engines.
    """
    countable = (one for one in ZOO.values() if one.effect not in (None, "fen"))
    return sorted(countable, key=lambda one: (one.demonstration.chess960 is not chess960, -len(one.ids), one.name))


class Search:
    """Searches for faults that reproduce an engine's counts, until `check` raises OutOfTime."""

    def __init__(self, numbers: Sequence[Number], check: Callable[[], None]) -> None:
        self._check = check
        counted = [one for one in numbers if one.cost <= LARGEST]
        # An incorrect count rules out most faults, a correct one only some, so the latter has to be much cheaper.
        self.numbers = sorted(counted, key=lambda one: one.cost if one.differs else 8 * one.cost)
        self.untried = len(numbers) - len(counted)
        self.positions = {one.observation.game.position for one in numbers}
        self.tried = 0
        """Number of faults that were tried everywhere, as opposed to on one color or wing only."""
        self.is_cut_short = False
        """Whether the time limit ended the search."""
        self._remembered: LegalMoves = {}
        self._engines: dict[Fault, FaultyEngine] = {}

    @property
    def is_possible(self) -> bool:
        """Whether an incorrect count is small enough to be tried."""
        return any(one.differs for one in self.numbers)

    @contextmanager
    def _until_out_of_time(self) -> Iterator[None]:
        try:
            yield
        except OutOfTime:
            self.is_cut_short = True

    def alone(self, faults: Sequence[Fault]) -> list[FaultyEngine]:
        """Return the faults that reproduce all counts. If there are none, try faults limited to a color or wing."""
        found: list[FaultyEngine] = []
        with self._until_out_of_time():
            for fault in faults:
                for setup in dict.fromkeys(("", fault.demonstration.setup)):
                    engine = self._engine(fault, setup=setup)
                    if self._fits(engine):
                        found.append(engine)
                self.tried += 1
            if not found:
                for fault, scope in product(filter(self._matters, faults), LIMITED):
                    engine = self._engine(fault, scope)
                    if self._fits(engine):
                        found.append(engine)
        return found

    def _engine(self, fault: Fault, scope: Scope = EVERYWHERE, setup: str = "") -> FaultyEngine:
        """Return an engine with a fault that shares the legal moves of all positions with the others."""
        if scope != EVERYWHERE or setup:
            return FaultyEngine(fault, scope, setup, self._remembered, self._check)
        if fault not in self._engines:
            self._engines[fault] = FaultyEngine(fault, remembered=self._remembered, check=self._check)
        return self._engines[fault]

    def _fits(self, engine: FaultyEngine) -> bool:
        """Return True if an engine gives all counts. Raises OutOfTime."""
        self._check()
        if not all(map(engine.may_give, self.numbers)):
            return False
        try:
            return all(engine.predict(one) == one.actual for one in self.numbers)
        except NoAnswer:
            return False

    def _matters(self, fault: Fault) -> bool:
        """Return True if a fault changes the incorrect count that is the quickest to predict. Raises OutOfTime.

        A fault that does not change it cannot change it if it is limited to a color or wing.
        """
        first = next(one for one in self.numbers if one.differs)
        engine = self._engine(fault)
        try:
            return engine.may_give(first) and engine.predict(first) != first.expected
        except NoAnswer:
            return True

    def together(self, faults: Iterable[Fault]) -> tuple[list[FaultyEngine], dict[FaultyEngine, list[int | None]]]:
        """Return two faults that together reproduce all counts, if any, and each fault's predictions if they differ."""
        predicted: dict[FaultyEngine, list[int | None]] = {}
        with self._until_out_of_time():
            for engine in map(self._engine, faults):
                with suppress(NoAnswer):
                    counts = [engine.predict(one) for one in self.numbers]
                    if any(count != one.expected for count, one in zip(counts, self.numbers, strict=True)):
                        predicted[engine] = counts
        for first, second in combinations(predicted, 2):
            pairs = zip(self.numbers, predicted[first], predicted[second], strict=True)
            if all(_sum(one.expected, *counts) == one.actual for one, *counts in pairs):
                return [first, second], predicted
        return [], predicted


def _sum(expected: int | None, first: int | None, second: int | None) -> int | None:
    """Return the count with both faults, assuming that neither affects what the other has changed."""
    if expected in (first, second):
        return second if expected == first else first
    if expected is None or first is None or second is None:
        return None
    return first + second - expected


def diagnose(
    observations: Sequence[Observation], seconds: float = SECONDS, check: Callable[[], None] = lambda: None
) -> Diagnosis:
    """Return the faults, alone or in a pair, that reproduce an engine's counts, and the next question to ask it.

    `check` is called often, and may raise an exception to stop the search.
    """
    numbers = [number for one in observations for number in numbers_of(one)]
    differing, correct = (sum(one.differs is differs for one in numbers) for differs in (True, False))
    if not differing:
        return Diagnosis(0, correct)
    search, check_time = Search(numbers, deadline(SEARCH_SHARE * seconds, check)), deadline(seconds, check)
    faults = faults_to_try(chess960=any(one.game.base.chess960 for one in observations))
    alone = _one_of_each_family(search.alone(faults)) if search.is_possible else []
    pair: list[FaultyEngine] = []
    best: list[FaultyEngine] = []
    if search.is_possible and not (alone or search.is_cut_short):
        pair, predicted = search.together(faults)
        hits = {
            engine: sum(count == one.actual for count, one in zip(counts, search.numbers, strict=True) if one.differs)
            for engine, counts in predicted.items()
        }
        best = sorted((one for one in hits if hits[one]), key=hits.__getitem__, reverse=True)[:MOST_PARTIAL]
    candidates = tuple(_candidate(one, search, check_time) for one in alone)
    return Diagnosis(
        differing,
        correct,
        candidates=candidates,
        together=tuple(_candidate(one, search, check_time) for one in pair),
        partial=() if pair else tuple(_candidate(one, search, check_time) for one in best),
        tried=search.tried,
        out_of_time=search.is_cut_short,
        untried=search.untried,
        next_question=_separating(alone, candidates, check_time) if alone else None if pair else _narrowing(numbers),
    )


def _one_of_each_family(engines: Iterable[FaultyEngine]) -> list[FaultyEngine]:
    return list({engine.fault.family: engine for engine in reversed([*engines])}.values())[::-1]


def _candidate(engine: FaultyEngine, search: Search, check: Callable[[], None]) -> Candidate:
    """Return a fault whose counts have been predicted, without a question to confirm it if `check` raises OutOfTime."""
    fault, reproduced, agreed = engine.fault, 0, 0
    for one in search.numbers:
        hit = engine.predict(one) == one.actual
        reproduced += hit and one.differs
        agreed += hit and not one.differs
    confirming = None
    with suppress(OutOfTime):
        confirming = _confirming(engine, search.positions, check)
    return Candidate(
        fault=fault.name,
        family=fault.family,
        scope=str(engine.scope),
        story=fault.story,
        rule=fault.rules[0] if fault.rules else "",
        reproduced=reproduced,
        agreed=agreed,
        setup=engine.setup,
        confirmed_by=confirming,
    )


def _confirming(engine: FaultyEngine, known: Collection[Position], check: Callable[[], None]) -> Prediction | None:
    """Return the question that shows a fault in the smallest position, which may not be a known one, or None.

    Raises OutOfTime.
    """
    shown = engine.fault.demonstration
    games = [Game(shown.game.base, shown.game.moves)]
    if not shown.moves:
        # If the fault is restricted to a color or wing, or the position is known, a mirror image may show it.
        games += [Game(turn_position(shown.game.base, flags)) for flags in (1, 2, 3)]
    asked = (
        _prediction(game, shown.depth, shown.setup, [engine], check) for game in games if game.position not in known
    )
    unusable = () if engine.fault.effect in ("crash", "hang") else (None,)  # the setup does not fit the position
    return next((one for one in asked if one.counts.isdisjoint({one.expected, *unusable})), None)


def _prediction(
    game: Game, depth: int, setup: str, engines: Iterable[FaultyEngine], check: Callable[[], None]
) -> Prediction:
    """Return a question with the count that each engine would give if the position is set up in this way.

    Raises OutOfTime.
    """
    asked = Number(Observation(game, depth, 0), "", 0, perft(game.position, depth))
    predicted: list[tuple[str, int | None]] = []
    for engine in engines:
        count = None
        with suppress(NoAnswer):
            count = FaultyEngine(engine.fault, engine.scope, setup, check=check).predict(asked)
        predicted.append((f"{engine.fault.name} {engine.scope}".strip(), count))
    assert asked.expected is not None, "a total is known"
    chess960, moves = game.base.chess960, tuple(game.uci_moves())
    return Prediction(game.base.fen(), chess960, depth, asked.expected, tuple(predicted), moves, setup)


def _separating(
    engines: Sequence[FaultyEngine], candidates: Sequence[Candidate], check: Callable[[], None]
) -> Prediction | None:
    """Return the question that distinguishes the most candidates, or None if no known one distinguishes any."""
    asked = [one.confirmed_by for one in candidates if one.confirmed_by is not None]
    games = [(Game.from_uci(Position.from_fen(one.fen, one.chess960), " ".join(one.moves)), one) for one in asked]
    predictions = []
    with suppress(OutOfTime):
        for game, one in games:
            predictions.append(_prediction(game, one.depth, one.setup, engines, check))
    best = max(predictions, key=lambda one: len(one.counts), default=None)
    return None if best is None or len(best.counts) < 2 else best


def _narrowing(numbers: Sequence[Number]) -> Prediction:
    """Return the divide to ask for if no fault fits.

    It is that of the position after the incorrect root move with the fewest leaf nodes. If only the lists of root moves
    differ, or only totals are known, it is that of the position itself.
    """
    wrong = [one for one in numbers if one.differs]
    counted = [one for one in wrong if one.move and one.actual is not None and one.expected is not None]
    number = min(counted or wrong, key=lambda one: one.cost)
    game, depth = number.observation.game, number.observation.depth
    if counted:
        move = next(one for one in game.position.legal_moves if one.uci(chess960=True) == number.move)
        game, depth = Game(game.position.play_unchecked(move)), depth - 1
    elif number.move:
        depth = 1
    return _prediction(game, depth, "", (), lambda: None)
