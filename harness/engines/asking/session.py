"""Sessions, through which all engines are asked, regardless of their type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self, TypeVar

from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import IMAGE_OPTIONS, PositionSetup, SetupOption, options_of, preceding_game
from ....generator.types.moves import GenType, Move
from ...model.capabilities import NOT_APPLICABLE, Capability, CapabilityUse
from ..base import Divide, EngineError, overdue
from ..call import EngineCall
from ..command_lines import doctor_command
from ..engine import Engine
from ..predicates import PredicateAnswers, PredicateQuestions
from ..root_moves import unlisted_final_moves
from ..spec import EngineSpec
from ..stdio.displays import SearchAnswer
from .runner import CallRunner
from .trials import (
    EASIEST_DEPTH,
    EASY,
    FIRST_SECONDS,
    LEAST_SECONDS,
    Depths,
    check_position_is_taken,
    is_silence,
    try_chess960,
    try_depths,
    without_name,
)

T = TypeVar("T")
Counted = TypeVar("Counted", int, Divide)


@dataclass(frozen=True)
class TimeLimit:
    """The time limit for an answer: a fixed part, plus a part proportional to the expected count."""

    seconds: float = math.inf
    """The fixed part in seconds."""
    min_speed: float = math.inf
    """Minimum speed in leaf nodes per second, for the proportional part."""

    def of(self, nodes: int) -> float | None:
        """Return the time limit in seconds for counting `nodes` leaf nodes, or None if there is no limit."""
        return None if math.isinf(self.seconds) else self.seconds + nodes / self.min_speed


UNLIMITED = TimeLimit()
SEARCH_LIMITS: Mapping[str, tuple[str, Sequence[str]]] = {
    "nodes": ("nodes 1", ()),
    "searchmoves": ("depth 1", ["e2e4"]),
}
"""Arguments of `go` that an engine may not know, with a search of the starting position: its limit, and the moves."""


class EngineSession:
    """Asks an engine. Methods raise EngineError if it gives no valid answer, or Interrupted if the call is stopped."""

    def __init__(
        self,
        engine: Engine,
        runner: CallRunner,
        limit: TimeLimit = UNLIMITED,
        *,
        is_reference: bool = False,
        insists_on_chess960: bool = False,
    ) -> None:
        """Create a session.

        Args:
            engine: The engine to ask.
            runner: Makes the calls.
            limit: Time limit of each question.
            is_reference: Whether error messages call the engine a reference.
            insists_on_chess960: Whether to ask about Chess960 even if the engine declares no support for it.
        """
        self.engine, self.runner, self.limit = engine, runner, limit
        self.is_reference, self._nodes = is_reference, 0
        self.insists_on_chess960 = insists_on_chess960
        self._asked: set[Capability] = set()
        self.depths = Depths()
        """The depths that the engine is known to support."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name shown in messages."""
        return self.engine.name

    @property
    def spec(self) -> EngineSpec:
        """The SPEC, which identifies the engine."""
        return self.engine.spec

    @property
    def min_depth(self) -> int:
        """The smallest depth that the engine supports."""
        return max(self.engine.min_depth, self.depths.least)

    @property
    def max_depth(self) -> int:
        """The greatest depth that the engine supports."""
        return self.depths.most

    @property
    def counts_all_depths(self) -> bool:
        """Whether no trial has found a depth limit."""
        return not self.depths.why

    def may_count(self, depth: int) -> bool:
        """Return False if trials have shown that the engine does not support this depth, otherwise True."""
        return depth >= self.min_depth and depth in self.depths

    @property
    def depth_limit(self) -> str:
        """A sentence, without a final period, that states the supported depths."""
        return self.depths.describe(self.name, self.min_depth, is_program=bool(self.engine.launch))

    def find_depth_limit(self, depth: int) -> str | None:
        """Determine whether an engine that failed at a depth has a depth limit.

        Return a sentence that states the limit, which `may_count` then respects, or None. Raises Interrupted.
        """
        with self._trial():
            least = max(1, self.min_depth)
            has_limit = try_depths(self._failure_at, self.restart, least, depth, self.depths)
        return self.depth_limit if has_limit else None

    def try_depth(self, depth: int) -> str | None:
        """Ask an easy question at this depth and, if it fails, call `find_depth_limit`. Raises Interrupted."""
        depth, seconds = min(depth, EASIEST_DEPTH), LEAST_SECONDS
        if self.engine.starts_for_each_question:
            seconds = FIRST_SECONDS
        with self._trial():
            failure = self._failure_at(EASY[0], depth, seconds)
        return None if failure is None else self.find_depth_limit(depth)

    @cached_property
    def no_chess960(self) -> str | None:
        """A clause that says why the engine cannot be asked about Chess960, or None if it can. Available after `start`.

        If the engine declares nothing, this is determined by a trial. Raises Interrupted.
        """
        declared = True if self.insists_on_chess960 else self.engine.chess960
        if declared is not None:
            return None if declared else self.engine.no_chess960
        with self._trial():
            try:
                return try_chess960(self.name, self.divide, self.perft, self.min_depth)
            finally:
                self.restart()

    @contextmanager
    def _trial(self) -> Iterator[None]:
        """Do not record the capabilities used by answers within the `with` block."""
        asked = {*self._asked}
        try:
            yield
        finally:
            self._asked.intersection_update(asked)

    def _failure_at(self, fen: str, depth: int, seconds: float) -> str | None:
        """Return a clause that says how the engine fails to count within `seconds`, or None if it succeeds.

        Raises Interrupted.
        """
        try:
            counted = self.within(seconds).perft(Game(Position.from_fen(fen)), depth)
        except EngineError as error:
            return without_name(self.name, error) if is_silence(error) else None
        return None if counted else "it counts no nodes"

    @property
    def insisting_notice(self) -> str | None:
        """Notice shown when `--chess960` overrides an engine that declares no Chess960 support."""
        if not self.insists_on_chess960 or self.engine.chess960 is not False:
            return None
        return f"{self.name} is asked about Chess960 because of --chess960: {self.engine.no_chess960}"

    @property
    def plays_moves(self) -> bool:
        """Whether the engine can play moves."""
        return self.engine.plays_moves

    def can_take(self, game: Game, refused: Set[SetupOption] = frozenset()) -> bool:
        """Return True if the engine supports a game and its setup options, and has `refused` none of them.

        Raises Interrupted.
        """
        if not options_of(game) <= self.engine.setups - refused or (game.base.chess960 and self.no_chess960):
            return False
        return not (game.moves and SetupOption.START_BY_NAME in options_of(game)) or self.plays_moves

    def expecting(self, nodes: int) -> EngineSession:
        """Return a session with the same engine, and the time limit for counting `nodes` leaf nodes."""
        other = copy(self)  # both record capabilities and depths in the same objects
        other._nodes = nodes
        return other

    def within(self, seconds: float) -> EngineSession:
        """Return a session with the same engine, and a fixed time limit of at most `seconds`."""
        other = copy(self)
        other.limit = replace(self.limit, seconds=min(seconds, self.limit.seconds))
        return other

    @property
    def use(self) -> CapabilityUse:
        """The capabilities that the answers have used and those that the engine lacks."""
        declared = None if self.insists_on_chess960 or self.engine.chess960 is not False else self.engine.no_chess960
        no_chess960 = self.__dict__.get("no_chess960", declared)  # no trial is made here
        lacks = {**self.engine.lacks, **({Capability.CHESS960: no_chess960} if no_chess960 else {})}
        if SetupOption.START_BY_NAME not in self.engine.setups:
            lacks[Capability.STARTPOS] = NOT_APPLICABLE
        return CapabilityUse(frozenset(self._asked - lacks.keys()), lacks)

    def note_answer(self, game: Game, depth: int) -> None:
        """Record the capabilities used by a correct count of a game."""
        plays = bool(game.moves) and self.engine.plays_moves
        self.note(Capability.MOVES if plays else Capability.LISTS)
        if depth > 1:
            self.note(Capability.COUNTS, Capability.UNDO)
        if game.base.chess960:
            self.note(Capability.CHESS960)
        if SetupOption.START_BY_NAME in options_of(game):
            self.note(Capability.STARTPOS)

    def note(self, *capabilities: Capability) -> None:
        """Record the capabilities that an answer used, except those that the engine lacks."""
        self._asked.update(one for one in capabilities if one not in self.engine.lacks)

    @property
    def is_in_process(self) -> bool:
        """Whether the engine runs in this process and therefore cannot be restarted."""
        return self.engine.is_in_process

    @property
    def is_kernel(self) -> bool:
        """Whether the engine is one of perft-check's counting kernels."""
        return self.engine.is_kernel

    @property
    def gentypes(self) -> tuple[GenType, ...] | None:
        """The GenTypes that the engine may be able to list, or None if it lists none. Available after `start`."""
        return self.engine.gentypes

    def restart(self) -> None:
        """Terminate the engine's process. The next question starts a new one."""
        self.engine.close()

    def close(self) -> None:
        """Release the engine's processes and memory."""
        self.engine.close()

    def start(self) -> None:
        """Start the engine. Each step, such as the handshake, has the time limit of a question.

        There is no limit for engines in this process, because they may have to be compiled. If a program fails to
        start, the error contains advice on what to try next.
        """
        try:
            self._ask(self._start, self.limit.of(0), self.name, in_steps=True)
        except EngineError as error:
            if not error.advice and self.engine.launch:
                error.advice = doctor_command(self.engine.spec, self.engine.launch)
            raise

    def _start(self, call: EngineCall) -> None:
        least = max(1, self.engine.min_depth)
        self.engine.start(call)
        if self.engine.min_depth > least:
            self.depths.least, self.depths.why = self.engine.min_depth, f"it does not count at depth {least}"
        check_position_is_taken(self.engine, call)

    def perft(self, game: Game, depth: int) -> int:
        """Return the number of leaf nodes."""
        asked = self._prepare(game, depth)
        return self._count(partial(self.engine.perft, asked, depth), game, depth)

    def divide(self, game: Game, depth: int) -> Divide:
        """Return the number of leaf nodes below each root move, or only the total if the engine lists no root moves.

        `depth` is at least 1.
        """
        return self._with_final_moves(game, depth, self._divide(game, depth))

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether the engine omits root moves whose count is 0. Available after `start`."""
        return self.engine.leaves_out_final_moves

    def remark(self) -> str | None:
        """Return a remark about a peculiarity of the engine that is not a fault, or None. Call after `start`."""
        if self.engine.adopted_patterns is not None:
            return f"{self.name}: {self.engine.adopted_patterns}, which was correct in three positions"
        if not self.leaves_out_final_moves:
            return None
        return f"{self.name} omits root moves with a count of 0, which end the game: that is not a fault"

    def _with_final_moves(self, game: Game, depth: int, divide: Divide) -> Divide:
        """Add moves that end the game to a divide, because some engines omit moves with a count of 0.

        If the engine supports depth 1, only moves that it lists there are added.
        """
        if depth < 2 or divide.is_total_only:
            return divide
        final = unlisted_final_moves(game.position, divide.counts)
        if not final:
            return divide
        if self.min_depth <= 1:
            listed = self._divide(game, 1)
            lists_all = self.leaves_out_final_moves and listed.is_total_only
            lists_all = lists_all and listed.total == len(game.position.legal_moves)
            final = final if lists_all else [text for text in final if text in listed.counts]
        return Divide(divide.counts | dict.fromkeys(final, 0), divide.repeated, divide.total)

    def _divide(self, game: Game, depth: int) -> Divide:
        asked = self._prepare(game, depth)
        divide = self._count(partial(self.engine.divide, asked, depth), game, depth)
        return _of_image(game, divide) if isinstance(game, PositionSetup) and game.options & IMAGE_OPTIONS else divide

    def with_children(
        self, game: Game, depth: int, divide: Divide, moves: Sequence[Move] | None = None, *, played: bool = False
    ) -> Divide:
        """Return a divide with a count for each legal move if the given one has only a total.

        The engine is asked about the FEN after each move, or plays the move if `played`. `moves` restricts the moves.
        At the engine's minimum depth, the divide is returned unchanged.
        """
        if not divide.is_total_only or depth - 1 < max(1, self.min_depth):
            return divide
        legal = game.position.legal_moves if moves is None else moves
        children = ((move, game.after(move)) for move in legal)
        counts = {
            move.uci(chess960=True): self.perft(child if played else child.without_moves(), depth - 1)
            for move, child in children
        }
        return Divide(counts, {}, divide.total)

    def fen(self, game: Game) -> str | None:
        """Return the FEN that the engine prints, or None if it prints none or the setup transforms the position."""
        if isinstance(game, PositionSetup) and game.options & IMAGE_OPTIONS:
            return None
        asked = self._prepare(game, max(1, self.min_depth))
        printed = self._ask(partial(self.engine.fen, asked), self.limit.of(0), self.name)
        if printed is not None:
            self.note(Capability.FEN, *[Capability.MOVES] * bool(game.moves))
        return printed

    def key(self, game: Game, undone: str = "") -> str | None:
        """Return the hash key of the position in hexadecimal, or None if the engine has none.

        `undone` is a move that the engine plays and takes back first. If it cannot, the result is None.
        """
        key = self._ask(partial(self.engine.key, game, undone=undone), self.limit.of(0), self.name)
        if key is not None:
            self.note(Capability.KEYS)
        return key

    @property
    def key_interval(self) -> int:
        """Of how many positions of a block `fuzz` compares the key of one with other keys."""
        return self.engine.key_interval

    def keys(self, fens: Sequence[str], *, chess960: bool) -> list[str | None] | None:
        """Return the hash keys of many positions of one variant, or None if the engine has none."""
        return self._ask(partial(self.engine.keys, fens, chess960=chess960), self.limit.of(0), self.name)

    def find_predicates(self) -> Mapping[str, str]:
        """Return the predicates that the engine has, and the names by which they are called."""
        return self._ask(self.engine.find_predicates, self.limit.of(0), self.name)

    def ask_predicates(self, game: Game, questions: PredicateQuestions) -> PredicateAnswers:
        """Return the answers of predicates in the position after the moves of a game."""
        answers = self._ask(partial(self.engine.ask_predicates, game, questions), self.limit.of(0), self.name)
        if answers:
            self.note(Capability.PREDICATES)
        return answers

    @cached_property
    def search_limits(self) -> frozenset[str]:
        """The arguments of `go` that the engine answers with a best move in the starting position. Raises Interrupted.

        Some engines do not know `nodes` or `searchmoves`, and ignore the whole command or search without end.
        """
        with self._trial():
            if not self._answers_search("depth 1"):
                return frozenset()
            return frozenset(
                {"depth", *(name for name, words in SEARCH_LIMITS.items() if self._answers_search(*words))}
            )

    def _answers_search(self, limit: str, only: Sequence[str] = ()) -> bool:
        try:
            answer = self.within(LEAST_SECONDS)._search(Game(Position.start()), limit, only)
        except EngineError:
            self.restart()
            return False
        return answer is not None and bool(answer.best)

    def search(self, game: Game, limit: str, only: Sequence[str] = ()) -> SearchAnswer | None:
        """Return the moves that the engine prints during a search, or None if it prints no best move.

        `limit` is the text after `go`, such as "depth 2". `only` restricts the search to these root moves.
        """
        answer = self._search(game, limit, only)
        self.note(Capability.SEARCH)
        return answer

    def recount(self, depth: int) -> int | None:
        """Return the number of leaf nodes of the last searched position without setting it up again, or None."""
        return self._ask(partial(self.engine.recount, depth), self.limit.of(0), f"{self.name} depth {depth}")

    def _search(self, game: Game, limit: str, only: Sequence[str] = ()) -> SearchAnswer | None:
        asked = partial(self.engine.search, game, limit, only=only)
        return self._ask(asked, self.limit.of(0), f"{self.name} go {limit}")

    def find_misread_line(self, game: Game, depth: int, count: int) -> str:
        """Return the line of an answer with the correct count if a different number was parsed, or ""."""
        asked = partial(self.engine.find_misread_line, game, depth, count)
        return self._ask(asked, self.limit.of(count), self.name, in_steps=True)

    def moves(self, game: Game, gentype: GenType) -> list[str] | None:
        """Return the moves of a GenType, with castling as king takes rook, or None if the engine cannot list them."""
        if self.gentypes is None:
            return None
        listed = self._ask(partial(self.engine.moves, game, gentype), self.limit.of(0), self.name)
        if listed is not None:
            self.note(Capability.GENTYPES)
        return listed

    def _prepare(self, game: Game, depth: int) -> Game:
        """Ask the preliminary questions of a setup, and return the game to ask about next."""
        if not isinstance(game, PositionSetup):
            return game
        if SetupOption.TWICE in game.options:
            self.perft(game.without(SetupOption.TWICE), depth)
        if SetupOption.AFTER_ANOTHER in game.options:
            with suppress(EngineError):  # this position is not being tested
                self.perft(preceding_game(game), depth)
        return game.image

    def _count(self, work: Callable[[EngineCall], Counted], game: Game, depth: int) -> Counted:
        answer = self._ask(work, self.limit.of(self._nodes), f"{self.name} depth {depth}")
        self.depths.note(depth, answer.total if isinstance(answer, Divide) else answer)
        self.note_answer(game, depth)
        return answer

    def _ask(self, work: Callable[[EngineCall], T], seconds: float | None, what: str, in_steps: bool = False) -> T:
        self.runner.asked = self.name
        try:
            answer = self.runner.call(work, seconds, what)
            if self.runner.latest.is_overdue and not in_steps:
                raise overdue(self.name, "has not answered", seconds or 0)
        except EngineError as error:
            if not self.is_reference:
                raise
            failure = type(error)(f"the reference {self.name} failed: {error}")
            failure.of_reference = True
            raise failure from None
        return answer


def _of_image(setup: PositionSetup, divide: Divide) -> Divide:
    """Convert the divide of a transformed position to that of the original position."""
    counts = {setup.map_move(move): count for move, count in divide.counts.items()}
    repeated = {setup.map_move(move): times for move, times in divide.repeated.items()}
    return replace(divide, counts=counts, repeated=repeated)
