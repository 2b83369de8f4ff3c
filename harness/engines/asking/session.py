"""The one way to ask an engine of any type: within a time limit, until its runner is stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self, TypeVar

from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import IMAGES, PositionSetup, SetupOption, another, options_of
from ....generator.types.moves import GenType, Move
from ...model.capabilities import NOT_APPLICABLE, Capability, CapabilityUse
from ..base import Divide, EngineError, overdue
from ..call import EngineCall
from ..command_lines import doctor_command
from ..engine import Engine
from ..root_moves import unlisted_final_moves
from ..spec import EngineSpec
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
    """How long an engine may take to answer."""

    seconds: float = math.inf
    """Time for any question, whatever its size ..."""
    min_speed: float = math.inf
    """... and the leaf nodes a second that it must count beyond that."""

    def of(self, nodes: int) -> float | None:
        """Return the seconds for a count of `nodes`; None without a limit."""
        return None if math.isinf(self.seconds) else self.seconds + nodes / self.min_speed


UNLIMITED = TimeLimit()


class EngineSession:
    """Asks one engine questions. Raises EngineError, and Interrupted if its runner is stopped."""

    def __init__(
        self,
        engine: Engine,
        runner: CallRunner,
        limit: TimeLimit = UNLIMITED,
        *,
        nodes: int = 0,
        is_reference: bool = False,
        insists_on_chess960: bool = False,
    ) -> None:
        """Ask `engine` through `runner`. `nodes` is what it is expected to count; a reference is called one.

        With `insists_on_chess960` it is asked about Chess960 whether it knows it or not.
        """
        self.engine, self.runner, self.limit = engine, runner, limit
        self.is_reference, self._nodes = is_reference, nodes
        self.insists_on_chess960 = insists_on_chess960
        self._asked: set[Capability] = set()
        self.depths = Depths()
        """The depths that the engine is asked for."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the engine, as messages show it."""
        return self.engine.name

    @property
    def spec(self) -> EngineSpec:
        """The SPEC of the engine, which identifies it."""
        return self.engine.spec

    @property
    def min_depth(self) -> int:
        """The least depth that the engine may be asked to count."""
        return max(self.engine.min_depth, self.depths.least)

    @property
    def max_depth(self) -> int:
        """The greatest depth that the engine may be asked to count."""
        return self.depths.most

    @property
    def counts_all_depths(self) -> bool:
        """Whether no trial has shown a limit to the depths that the engine may be asked for."""
        return not self.depths.why

    def may_count(self, depth: int) -> bool:
        """Return True if the engine may be asked for a depth."""
        return depth >= self.min_depth and depth in self.depths

    @property
    def depth_limit(self) -> str:
        """Which depths the engine is asked for, as a sentence without a stop."""
        return self.depths.describe(self.name, self.min_depth, is_program=bool(self.engine.launch))

    def find_depth_limit(self, depth: int) -> str | None:
        """Return, if an engine that fails at a depth answers none so deep (or so shallow), a sentence that says so.

        From then on it is not to be asked for such a depth. Raises Interrupted.
        """
        with self._trial():
            least = max(1, self.min_depth)
            has_limit = try_depths(self._failure_at, self.restart, least, depth, self.depths)
        return self.depth_limit if has_limit else None

    def try_depth(self, depth: int) -> str | None:
        """Return the same, found out beforehand by an easy question. Raises Interrupted."""
        depth, seconds = min(depth, EASIEST_DEPTH), LEAST_SECONDS
        if self.engine.starts_for_each_question:
            seconds = FIRST_SECONDS
        with self._trial():
            failure = self._failure_at(EASY[0], depth, seconds)
        return None if failure is None else self.find_depth_limit(depth)

    @cached_property
    def no_chess960(self) -> str | None:
        """Why the engine, once started, is not asked about Chess960, as a clause; None if it may be asked.

        What it declares holds, or else what a trial shows. Raises Interrupted.
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
        """Have answers to questions of this block not count as tests of the engine."""
        asked = {*self._asked}
        try:
            yield
        finally:
            self._asked.intersection_update(asked)

    def _failure_at(self, fen: str, depth: int, seconds: float) -> str | None:
        """Return, as a clause, how the engine gives no count within so many seconds; None if it gives one.

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
        """Whether the engine plays the moves of a line itself."""
        return self.engine.plays_moves

    def can_take(self, game: Game, refused: Set[SetupOption] = frozenset()) -> bool:
        """Return True if the engine can be asked for a line as it is set up; what it has `refused` it does not take.

        Raises Interrupted.
        """
        if not options_of(game) <= self.engine.setups - refused or (game.base.chess960 and self.no_chess960):
            return False
        return not (game.moves and SetupOption.START_BY_NAME in options_of(game)) or self.plays_moves

    def expecting(self, nodes: int) -> EngineSession:
        """Return a session of the same engine, which allows it the time for counts of `nodes`."""
        other = copy(self)  # what the engine has been asked is noted by both
        other._nodes = nodes
        return other

    def within(self, seconds: float) -> EngineSession:
        """Return a session of the same engine, which allows it no more than so many seconds for a small count."""
        other = copy(self)
        other.limit = replace(self.limit, seconds=min(seconds, self.limit.seconds))
        return other

    @property
    def use(self) -> CapabilityUse:
        """What the engine has answered, here or ahead, and what it cannot be asked."""
        declared = None if self.insists_on_chess960 or self.engine.chess960 is not False else self.engine.no_chess960
        no_chess960 = self.__dict__.get("no_chess960", declared)  # without a trial
        lacks = {**self.engine.lacks, **({Capability.CHESS960: no_chess960} if no_chess960 else {})}
        if SetupOption.START_BY_NAME not in self.engine.setups:
            lacks[Capability.STARTPOS] = NOT_APPLICABLE
        return CapabilityUse(frozenset(self._asked - lacks.keys()), lacks)

    def note_answer(self, game: Game, depth: int) -> None:
        """Note that the engine has counted the position of a line."""
        plays = bool(game.moves) and self.engine.plays_moves
        self.note(Capability.MOVES if plays else Capability.LISTS)
        if depth > 1:
            self.note(Capability.COUNTS, Capability.UNDO)
        if game.base.chess960:
            self.note(Capability.CHESS960)
        if SetupOption.START_BY_NAME in options_of(game):
            self.note(Capability.STARTPOS)

    def note(self, *capabilities: Capability) -> None:
        """Note what the engine was asked and has answered, of what it can be asked."""
        self._asked.update(one for one in capabilities if one not in self.engine.lacks)

    @property
    def is_in_process(self) -> bool:
        """Whether the engine runs in this process, so that it cannot be restarted."""
        return self.engine.is_in_process

    @property
    def is_kernel(self) -> bool:
        """Whether the engine is one of our own kernels, whose faults another generator has to explain."""
        return self.engine.is_kernel

    @property
    def gentypes(self) -> tuple[GenType, ...] | None:
        """The GenTypes that it may be asked for, once it has been started; None if it is known to list none."""
        return self.engine.gentypes

    def restart(self) -> None:
        """End the process of the engine: the next question starts another one."""
        self.engine.close()

    def close(self) -> None:
        """Free what the engine holds."""
        self.engine.close()

    def start(self) -> None:
        """Get the engine ready. Each step of that, such as a handshake, has the time limit of a question.

        An engine in this process has none: it may have to be compiled. The error of a program says what to try next.
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
            self.depths.least, self.depths.why = self.engine.min_depth, f"it gives no count at depth {least}"
        check_position_is_taken(self.engine, call)

    def perft(self, game: Game, depth: int) -> int:
        """Return the number of leaf nodes."""
        asked = self._prepare(game, depth)
        return self._count(partial(self.engine.perft, asked, depth), game, depth)

    def divide(self, game: Game, depth: int) -> Divide:
        """Return the leaf nodes below each root move, `depth` at least 1; only the total, if no more is printed."""
        return self._with_final_moves(game, depth, self._divide(game, depth))

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether the engine prints no root moves with a count of 0; known once it has been started."""
        return self.engine.leaves_out_final_moves

    def remark(self) -> str | None:
        """Return a line about a habit of the engine that is no fault, or None. Call this after it was started."""
        if self.engine.adopted_patterns is not None:
            return f"{self.name}: {self.engine.adopted_patterns}, which was right in three positions"
        if not self.leaves_out_final_moves:
            return None
        return f"{self.name} leaves out moves that end the game, where it has counted no nodes: that is no fault"

    def _with_final_moves(self, game: Game, depth: int, told: Divide) -> Divide:
        """Return a divide with the moves that end the game, if the engine leaves them out as they have a count of 0.

        These are the moves that it lists at depth 1, if it counts there.
        """
        if depth < 2 or told.is_total_only:
            return told
        final = unlisted_final_moves(game.position, told.counts)
        if not final:
            return told
        if self.min_depth <= 1:
            listed = self._divide(game, 1)
            is_whole = self.leaves_out_final_moves and listed.is_total_only
            is_whole = is_whole and listed.total == len(game.position.legal_moves)
            final = final if is_whole else [text for text in final if text in listed.counts]
        return Divide(told.counts | dict.fromkeys(final, 0), told.repeated, told.total)

    def _divide(self, game: Game, depth: int) -> Divide:
        asked = self._prepare(game, depth)
        divide = self._count(partial(self.engine.divide, asked, depth), game, depth)
        return _of_image(game, divide) if isinstance(game, PositionSetup) and game.options & IMAGES else divide

    def with_children(
        self, game: Game, depth: int, told: Divide, moves: Sequence[Move] | None = None, *, played: bool = False
    ) -> Divide:
        """Return a divide of a line; if it has only a total, add the count after each legal move.

        Each count is asked for by the FEN after the move, or by the move if `played`; `moves` limits the moves. At the
        engine's least depth nothing can be added.
        """
        if not told.is_total_only or depth - 1 < max(1, self.min_depth):
            return told
        legal = game.position.legal_moves if moves is None else moves
        children = ((move, game.after(move)) for move in legal)
        counts = {
            move.uci(chess960=True): self.perft(child if played else child.afresh(), depth - 1)
            for move, child in children
        }
        return Divide(counts, {}, told.total)

    def fen(self, game: Game) -> str | None:
        """Return the FEN that the engine itself prints, or None if it prints none, or that of an image."""
        if isinstance(game, PositionSetup) and game.options & IMAGES:
            return None
        asked = self._prepare(game, max(1, self.min_depth))
        printed = self._ask(partial(self.engine.fen, asked), self.limit.of(0), self.name)
        if printed is not None:
            self.note(Capability.FEN, *[Capability.MOVES] * bool(game.moves))
        return printed

    def find_misread_line(self, game: Game, depth: int, count: int) -> str:
        """Return the line of an answer in which a correct count is printed, and not read; "" if there is none."""
        asked = partial(self.engine.find_misread_line, game, depth, count)
        return self._ask(asked, self.limit.of(count), self.name, in_steps=True)

    def moves(self, game: Game, gentype: GenType) -> list[str] | None:
        """Return the engine's own list of a GenType, castling as king takes rook, or None if it offers none."""
        if self.gentypes is None:
            return None
        listed = self._ask(partial(self.engine.moves, game, gentype), self.limit.of(0), self.name)
        if listed is not None:
            self.note(Capability.GENTYPES)
        return listed

    def _prepare(self, game: Game, depth: int) -> Game:
        """Ask what a setup says is to be asked first; return the line that the engine is then asked about."""
        if not isinstance(game, PositionSetup):
            return game
        if SetupOption.TWICE in game.options:
            self.perft(game.without(SetupOption.TWICE), depth)
        if SetupOption.AFTER_ANOTHER in game.options:
            with suppress(EngineError):  # it is not the position that is examined
                self.perft(another(game), depth)
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
    """Return the divide of a setup, given that of its image."""
    counts = {setup.text_of_image(move): count for move, count in divide.counts.items()}
    repeated = {setup.text_of_image(move): times for move, times in divide.repeated.items()}
    return replace(divide, counts=counts, repeated=repeated)
