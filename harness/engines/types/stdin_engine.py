"""Engines that read questions from stdin, in UCI or in the format of a descriptor."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import ClassVar

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import SetupOption, fen_of, options_of, setup_without_moves
from ....generator.types.moves import GenType
from ...coverage.counters import SharedCounters
from ...model.capabilities import NOT_APPLICABLE, Capability, MissingCapabilities
from ..base import CountsAnotherPosition, Divide, EngineCrash, EngineError, contradiction
from ..block_stream import OpenedStream
from ..call import EngineCall
from ..engine import OF_UCI, REPEATED, WRITTEN
from ..root_moves import as_king_takes_rook, unlisted_final_moves
from ..spec import EngineSpec
from ..stdio.asking_once import ask_once
from ..stdio.attempts import UCI_COMMANDS
from ..stdio.command_probe import CommandProbe
from ..stdio.consistency import check_sum, divide_of
from ..stdio.conversation import Conversation, rejection
from ..stdio.descriptor import Descriptor
from ..stdio.displays import SearchAnswer, read_key, read_search
from ..stdio.offered import replace_options
from ..stdio.output import printable
from ..stdio.probing import understand
from ..stdio.process import ProcessLimits
from ..stdio.sentinels import SENTINELS
from ..stdio.transcript import Transcript
from ..uci_options import CHESS960, NoOptions, UciOption
from .probed import ProbedEngine

SENTINEL, OTHER_SENTINEL = map(Position.from_fen, SENTINELS)
"""Positions that precede each question. If an engine silently rejects a position, it counts the sentinel instead. The
second sentinel confirms this, because an incorrect count may by chance equal that of the first one.
"""
SENTINEL_DEPTH = 7
SEARCH_OPTIONS = frozenset({"hash", "multipv", "ponder"})
"""Options of UCI engines that search, in lower case."""


class StdinEngine(ProbedEngine):
    """An engine whose process is started at the first question and restarted after a crash."""

    can_pipeline = True
    has_search = True
    may_have_keys = True
    has_counters = True

    def __init__(self, spec: str, descriptor: Descriptor, limits: ProcessLimits | None = None) -> None:
        super().__init__(spec, replace(descriptor, spec=spec), limits)
        self._conversation: Conversation | None = None
        self._coverage: SharedCounters | None = None
        """The branch counters of its processes, if coverage is measured."""
        self._prints_fen: bool | None = None
        """Whether the engine prints FENs, or None until it is asked for one."""
        self._shows_key: bool | None = None
        """Whether the engine prints hash keys, or None until it is asked for one."""
        self._answers = 0
        """Number of questions that the process has answered. The probing questions count as one."""
        self._answers_once = False
        """Whether each process exits normally after its first answer."""

    def with_options(self, spec: EngineSpec, options: Sequence[UciOption]) -> StdinEngine:
        """Return a copy with `spec` and UCI options. Raises UsageError if the engine does not support UCI."""
        if not self._given.uci:
            raise NoOptions(f'{self.spec} takes no options: its descriptor has no "uci": true')
        setup = replace_options(self._given.setup, options)
        return StdinEngine(spec, replace(self._given, setup=setup), self._limits)

    @property
    def chess960(self) -> bool | None:
        """Whether the descriptor or the UCI options declare support for Chess960."""
        return self.understood.chess960

    @property
    def no_chess960(self) -> str:
        """A clause that states how the engine declares that it does not support Chess960."""
        is_described = self.descriptor.chess960 is False
        return 'its descriptor has "chess960": false' if is_described else "it has no option UCI_Chess960"

    @property
    def offers_search(self) -> bool:
        """Whether the engine offers an option that only searches use. Available after `start`."""
        return any(option.name.lower() in SEARCH_OPTIONS for option in self.understood.offered)

    @property
    def setups(self) -> frozenset[SetupOption]:
        """The setup options that the engine supports, including UCI commands if its question can contain them."""
        return WRITTEN | REPEATED | (OF_UCI if self.descriptor.uci and self.descriptor.names_start else frozenset())

    @property
    def gentypes(self) -> tuple[GenType, ...] | None:
        """The GenTypes that the engine may be able to list, or None if its descriptor has no command for lists."""
        return None if self.descriptor.lists is None else tuple(self.descriptor.lists.names)

    @property
    def lacks(self) -> MissingCapabilities:
        """The missing capabilities, according to the descriptor and to previous answers."""
        descriptor, lacks = self.descriptor, {}
        if not self.plays_moves:
            unplayed = self._why_moves_are_not_played
            lacks[Capability.MOVES] = (
                unplayed if descriptor.plays_moves else "put {moves} into `case` of its descriptor"
            )
        if self._prints_fen is False or not (descriptor.uci and descriptor.position_lines):
            lacks[Capability.FEN] = "answer `d` by a line with `Fen: `" if descriptor.uci else NOT_APPLICABLE
        if self.gentypes is None:
            lacks[Capability.GENTYPES] = "`moves` in a descriptor"
        return lacks

    @property
    def convention(self) -> Mapping[str, str]:
        """The convention of its move lists that the descriptor declares."""
        return {} if self.descriptor.lists is None else self.descriptor.lists.convention

    def options(self) -> Iterator[tuple[str, str]]:
        """Yield the names and descriptions of the options that `-o` can set."""
        for option in self.understood.offered:
            if option.name.casefold() != CHESS960.casefold():
                yield printable(option.name), option.describe()

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield titles and texts that describe how the engine is asked and how its answers are read."""
        descriptor, understood = self.descriptor, self.understood
        yield "launch", shlex.join(descriptor.launch)
        yield "asked by", " / ".join(descriptor.case.split("\n"))
        yield from self._total_facts()
        if not understood.prints_divide:
            yield "root moves", "not printed: divides are assembled from one count for each child"
        elif not understood.prints_root_moves:
            yield "root moves", "printed only from depth 2 on: for depth 1, the moves of depth 2 are used"
        else:
            yield "root moves", "printed"
        yield "least depth", str(self.min_depth)
        if descriptor.plays_moves:
            yield from self._move_facts()
        for line in descriptor.setup:
            yield "sent first", line

    def measure_coverage(self) -> SharedCounters:
        """Share memory for branch counters with the engine's processes, and return the counters."""
        self._coverage = SharedCounters()
        self._limits = self._limits.with_variable(self._coverage.variable)
        return self._coverage

    def start(self, call: EngineCall) -> None:
        """Start the process, complete the handshake, and probe the engine with a fixed series of questions."""
        probe = CommandProbe(self.name, self._limits)
        try:
            self.understood = understand(probe, self._given, call)
        finally:
            self._conversation, self._answers = probe.conversation, 1

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide that the engine prints, or only the total if it prints no root moves.

        Raises UnparseableOutput if the printed root moves do not add up to the total.
        """
        if not self.understood.prints_divide:
            return Divide.of_total(self.perft(game, depth, call))
        if depth == 1 and (self.min_depth > 1 or not self.understood.prints_root_moves):
            return self._divide_at_depth_1(game, call)
        answer = self._ask(game, depth, call)
        total, divide = answer.total or 0, divide_of(game.position, answer)
        if not call.stopped and divide.total != total:
            raise contradiction(self.name, total, divide)
        return divide

    def _divide_at_depth_1(self, game: Game, call: EngineCall) -> Divide:
        """Return the divide at depth 1, with the root moves that the engine lists at depth 2.

        Moves that end the game may be missing there. They are added unless the total at depth 1 contradicts this.
        """
        answer = self._ask(game, 2, call)
        if (listed := divide_of(game.position, answer)).is_total_only:
            return Divide.of_total(self.perft(game, 1, call)) if self.min_depth <= 1 else listed
        told = Divide.of([(move, 1) for move in listed.counts for _ in range(1 + listed.repeated.get(move, 0))])
        final = unlisted_final_moves(game.position, told.counts)
        if not final or call.stopped:
            return told
        if self.min_depth <= 1 and self.perft(game, 1, call) != told.total + len(final):
            return told
        return Divide(told.counts | dict.fromkeys(final, 1), told.repeated, told.total + len(final))

    def output(self, game: Game, depth: int, call: EngineCall, *, with_errors: bool = False) -> list[str]:
        """Ask a new process, and return the lines that it prints until it exits or the time limit."""
        descriptor = self.descriptor.with_command(UCI_COMMANDS[0])
        variant = [UciOption(CHESS960, "true").line] if descriptor.uci and game.base.chess960 else []
        started = ["uci", *descriptor.setup, *variant, "isready"] if descriptor.uci else [*descriptor.setup]
        lines = [*started, *descriptor.lines(fen_of(game), game.uci_moves(), depth)]
        return ask_once(self.name, descriptor.launch, lines, self._limits, call, with_errors=with_errors)

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN in the engine's answer to `d`, or None if it prints none."""
        if self._prints_fen is False or (lines := self._display(game, call)) is None:
            return None
        printed = next((line[4:].strip() for line in reversed(lines) if line.lower().startswith("fen:")), None)
        if not call.stopped and (printed is not None or not game.moves):  # moves may be rejected
            self._prints_fen = printed is not None
        return printed

    def key(self, game: Game, call: EngineCall, undone: str = "") -> str | None:
        """Return the hash key in the engine's answer to `d`, or None if it prints none or is to take a move back."""
        if undone or self._shows_key is False or (lines := self._display(game, call)) is None:
            return None
        key = read_key(lines)
        if not call.stopped and (key is not None or not game.moves):  # moves may be refused
            self._shows_key = key is not None
        return key

    key_interval: ClassVar[int] = 64  # `d` prints a whole board, which takes longer than a count to depth 1

    def keys(self, fens: Sequence[str], call: EngineCall, *, chess960: bool) -> list[str | None] | None:
        """Return the hash keys of many positions, all of which are sent before the first answer is read."""
        start = replace(Position.start(), chess960=chess960)
        if not self._shows_key and self.key(Game(start), call) is None:
            return None
        with self._discarded_on_failure():
            conversation = self._ready(start, call)
            conversation.send([line for fen in fens for line in (*self._set_up_by_fen(fen), "d", "isready")], call)
            keys: list[str | None] = []
            while len(keys) < len(fens) and not call.stopped:
                call.restart()  # each position has the full time limit
                keys.append(read_key([*conversation.lines_until("readyok", call)]))
            return keys

    def _display(self, game: Game, call: EngineCall) -> list[str] | None:
        """Return the answer to `d` in a position, or None if positions cannot be set up without a count."""
        if not (self.descriptor.uci and self.descriptor.position_lines):
            return None
        game = self._as_played(game)
        conversation = self._ready(game.base, call)
        conversation.send([*self._set_up(game), "d", "isready"], call)
        return list(conversation.lines_until("readyok", call))

    def search(self, game: Game, limit: str, call: EngineCall, only: Sequence[str] = ()) -> SearchAnswer | None:
        """Return the moves that the engine prints during a search, or None if it does not support UCI."""
        if not self.descriptor.uci:
            return None
        game = self._as_played(game)
        restriction = f" searchmoves {' '.join(only)}" if only else ""
        with self._discarded_on_failure():
            conversation = self._ready(game.base, call)
            conversation.send([*self._set_up(game), f"go {limit}{restriction}"], call)
            return read_search(conversation.lines_until("bestmove", call))

    def recount(self, depth: int, call: EngineCall) -> int | None:
        """Return the number of leaf nodes of the last searched position without setting it up again, or None."""
        if self._conversation is None or not self._conversation.process.is_alive:
            return None
        lines = self.descriptor.lines(Position.start().fen(), [], depth)[len(self.descriptor.position_lines) :]
        with self._discarded_on_failure():
            self._conversation.send(lines, call)
            return self._conversation.listen(depth, call).total

    def moves(self, game: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, with castling as king takes rook, or None if the engine cannot list them."""
        lists = self.descriptor.lists
        if lists is None or gentype not in lists.names:
            return None
        with self._discarded_on_failure():
            conversation = self._ready(game.position, call)
            conversation.send(lists.lines(fen_of(setup_without_moves(game)), gentype), call)
            found = conversation.moves(lists, call)
        return [as_king_takes_rook(game.position, move) for move in found]

    def open_pipeline(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Start another process of the engine, which is sent many questions before its first answer.

        Call this after `start`. The time limit of `call` applies to each answer. `chess960` must be true for questions
        about Chess960 positions. Raises CannotPipeline.
        """
        from ..stdio.stream.opening import open_ahead

        # Each process has its own counters.
        counters = None if self._coverage is None else SharedCounters()
        understood, limits = self.understood, self._limits
        return open_ahead(self.name, understood, limits, call, chess960=chess960, counters=counters)

    def close(self) -> None:
        """Terminate the process and its descendants."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.quit()

    def _ask(self, game: Game, depth: int, call: EngineCall) -> Transcript:
        with self._discarded_on_failure():
            answer = self._converse(game, depth, call)
            if answer.refusal and not call.stopped and answer.total != perft(game.position, depth):
                raise rejection(self.name, answer.refusal)
            refuses = not call.stopped and self._keeps_the_position_before(game, depth, answer, call)
        if not self.understood.prints_divide:
            answer.pairs.clear()  # lines that resemble root moves are something else
        if not call.stopped and self.understood.adds_up:
            check_sum(self.name, game.position, answer, depth)
        if refuses:
            raise CountsAnotherPosition(f"{self.name} counts another position: it has refused this one without a word")
        return answer

    def _keeps_the_position_before(self, game: Game, depth: int, answer: Transcript, call: EngineCall) -> bool:
        """Return True if the engine counted the sentinel instead of the position, verified with the second sentinel."""
        if not self._is_of(SENTINEL, game, depth, answer) or answer.total == perft(game.position, depth):
            return False
        again = self._converse(game, depth, call, OTHER_SENTINEL)
        return not call.stopped and self._is_of(OTHER_SENTINEL, game, depth, again)

    def _is_of(self, sentinel: Position, game: Game, depth: int, answer: Transcript) -> bool:
        """Return True if an answer is correct for a sentinel."""
        if not self._before(game, sentinel) or not 0 < depth <= SENTINEL_DEPTH:
            return False
        listed = {move.uci() for move in sentinel.legal_moves}
        is_count = answer.total == _count(sentinel, depth)
        return is_count and (not answer.pairs or listed == divide_of(sentinel, answer).counts.keys())

    @contextmanager
    def _discarded_on_failure(self) -> Iterator[None]:
        """Terminate the process if the `with` block fails, because its state is then unknown."""
        try:
            yield
        except EngineError:
            self._discard()
            raise

    def _discard(self) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            conversation.kill()

    def _converse(self, game: Game, depth: int, call: EngineCall, sentinel: Position = SENTINEL) -> Transcript:
        """Set up a sentinel, then the position, and return the answer."""
        game = self._as_played(game)
        question = [*self._before(game, sentinel), *self._question(game, depth)]
        try:
            answer = self._running(call).ask(game.base, question, depth, call)
        except EngineCrash:
            if self._answers_once or not self._has_answered_once():
                raise
            self._answers_once = True
            answer = self._running(call).ask(game.base, question, depth, call)
        self._answers += 1
        return answer

    def _has_answered_once(self) -> bool:
        """Return True if the process exited with status 0 after its first answer."""
        return self._answers == 1 and self._conversation is not None and self._conversation.process.status == 0

    def _as_played(self, game: Game) -> Game:
        """Return the game to send: the position after the moves if the engine cannot play moves."""
        return setup_without_moves(game) if game.moves and not self.understood.plays_moves else game

    def _question(self, game: Game, depth: int) -> list[str]:
        """Return the lines that set up the position of `game` and ask for its count."""
        options = options_of(game)
        descriptor = self.descriptor.by_name() if SetupOption.START_BY_NAME in options else self.descriptor
        lines = descriptor.lines(fen_of(game), game.uci_moves(), depth)
        return ["ucinewgame", "isready", *lines] if SetupOption.NEW_GAME in options else lines

    def _set_up(self, setup: Game) -> list[str]:
        """Return the lines that set up a position without asking about it."""
        asking = len(self.descriptor.case.split("\n")) - len(self.descriptor.position_lines)
        return self._question(setup, 1)[:-asking]

    def _before(self, game: Game, sentinel: Position) -> list[str]:
        """Return the lines that set up a sentinel, or none if the question depends on the previous one."""
        return [] if options_of(game) & REPEATED else self._set_up_by_fen(sentinel.fen())

    def _set_up_by_fen(self, fen: str) -> list[str]:
        """Return the lines that set up a FEN without moves."""
        return [line.replace("{fen}", fen).replace("{moves}", "") for line in self.descriptor.position_lines]

    def _ready(self, position: Position, call: EngineCall) -> Conversation:
        """Return a running, idle process in the mode (standard or Chess960) of the position."""
        conversation = self._running(call)
        conversation.begin(position, call)
        return conversation

    def _running(self, call: EngineCall) -> Conversation:
        """Return the running process; start one if there is none. Raises EngineCrash if it has exited by itself."""
        is_over = self._answers_once and self._answers > 0
        if self._conversation is None or is_over or not self._conversation.process.is_ready():
            self._discard()
            self._conversation = Conversation(self.name, self.descriptor, self._limits, call)
            self._answers = 0
            call.restart()  # starting the process does not count
        return self._conversation


@cache
def _count(sentinel: Position, depth: int) -> int:
    return perft(sentinel, depth)
