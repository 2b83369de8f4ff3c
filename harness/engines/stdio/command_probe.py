"""Probe how to ask an engine and parse its answers, and determine why an answer could not be parsed."""

from __future__ import annotations

import math
import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ..base import EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..command_lines import quote
from ..command_words import as_typed, name_program
from .asking_once import ask_once
from .conversation import PATIENCE, Conversation, Idle, rejection
from .descriptor import DESCRIPTORS, Descriptor
from .learned_patterns import (
    ProbeAnswer,
    has_count,
    has_one_move,
    is_read_alike,
    learn,
    telling_line,
)
from .lines import root_move
from .offered import OfferedOption
from .process import ProcessLimits
from .sentinels import START_COUNTS
from .transcript import Survey, Transcript

START = Game(Position.start())
SECONDS = 2.0
"""Time limit in seconds for an answer after the end of the input."""
CONTROL_SECONDS = 1.0
"""Time limit for the same program while its input stays open, in addition to twice the time of that answer."""
BY_LINE = ("stdbuf", "-oL")
"""The command of GNU coreutils that makes a program flush its output after each line if it uses C's `stdout`."""
IN_THE_SOURCE = "setvbuf(stdout, NULL, _IOLBF, 0) in C, std::endl in C++, flush=True in Python"


class NotReceived(EngineTimeout):
    """The engine answers, but its output stays in a buffer or goes to stderr."""

    names_cure = True


@dataclass(frozen=True)
class Attempt:
    """A question about the starting position, and the answer or the failure."""

    descriptor: Descriptor
    depth: int
    answer: Survey | None
    error: EngineError | None
    """Why there is no answer."""
    lines: tuple[str, ...]
    """The most recent lines of the answer."""
    unread: tuple[str, ...]
    """The lines that could not be parsed."""

    @property
    def expected(self) -> int:
        """The correct count."""
        return START_COUNTS[self.depth - 1]

    @property
    def is_correct(self) -> bool:
        """Whether the answer has the correct count as its total."""
        return self.answer is not None and self.answer.total == self.expected

    @property
    def has_count(self) -> bool:
        """Whether the correct count is in the answer, parsed or not."""
        return any(has_count(line, self.expected) for line in self.lines)

    @property
    def has_moves(self) -> bool:
        """Whether there are root moves in the answer."""
        return any(root_move(line) is not None for line in self.lines)


class CommandProbe:
    """Asks an engine questions to determine how to ask it and parse its answers. Methods raise EngineError."""

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Store the engine's name and the limits for its processes."""
        self.name, self.limits = name, limits
        self.conversation: Conversation | None = None
        """The conversation with the process that answered last, unless it has failed."""
        self.declares_chess960: bool | None = None
        """What the last process declared about Chess960, as in `Conversation`."""
        self.offered: tuple[OfferedOption, ...] = ()
        """The options that the last process offered."""

    def start(self, descriptor: Descriptor, call: EngineCall, greeting_seconds: float = math.inf) -> Conversation:
        """Replace the running process with a new one. `greeting_seconds` is passed to `Conversation`."""
        self.discard()
        conversation = self.conversation = Conversation(self.name, descriptor, self.limits, call, greeting_seconds)
        self.declares_chess960, self.offered = conversation.declares_chess960, tuple(conversation.offered)
        return conversation

    def talk(self, descriptor: Descriptor, call: EngineCall) -> Conversation:
        """Return the conversation with the running process, or with a new one."""
        if self.conversation is None or not self.conversation.process.is_alive:
            return self.start(descriptor, call)
        self.conversation.descriptor = descriptor
        return self.conversation

    def discard(self) -> None:
        """Kill the running process."""
        conversation, self.conversation = self.conversation, None
        if conversation is not None:
            conversation.kill()

    def ask(
        self, descriptor: Descriptor, depth: int, call: EngineCall, game: Game = START, most_seconds: float = math.inf
    ) -> Transcript:
        """Ask about a game with the full time limit for this question. If there is no answer, kill the process."""
        conversation, step = self.talk(descriptor, call), call.step(most_seconds, unlimited=PATIENCE)
        try:
            conversation.begin(game.base, step)
            conversation.send(self.question(descriptor, depth, game), step)
            answer = conversation.survey(depth, step, START_COUNTS[:depth] if game == START else ())
            if answer.refusal and game != START and answer.total != perft(game.position, depth) and not call.stopped:
                raise rejection(self.name, answer.refusal)
            return answer
        except EngineError as error:
            telling = telling_line(conversation.unread, START_COUNTS[depth - 1]) if game == START else ""
            said = f"it said {telling!r}" if telling else conversation.process.quote_last_output()
            self.discard()
            if isinstance(error, EngineTimeout) and not isinstance(error, Idle) and said:
                raise EngineTimeout(f"{error}; {said}") from None
            raise

    def attempt(self, descriptor: Descriptor, depth: int, call: EngineCall, most_seconds: float = math.inf) -> Attempt:
        """Ask about the starting position. Raises EngineError only if the process does not start."""
        conversation = self.talk(descriptor, call)
        answer: Transcript | None = None
        failure: EngineError | None = None
        try:
            answer = self.ask(descriptor, depth, call, most_seconds=most_seconds)
        except EngineError as error:
            failure = error
        assert answer is None or isinstance(answer, Survey), "its count is known"
        return Attempt(descriptor, depth, answer, failure, tuple(conversation.lines), tuple(conversation.unread))

    def question(self, descriptor: Descriptor, depth: int, game: Game = START) -> list[str]:
        """Return the lines that ask about a game."""
        return descriptor.lines(game.base.fen(), game.uci_moves(), depth)

    # Why an answer could not be parsed. The question is repeated to a process whose input is then closed, so that the
    # program flushes its output buffer.

    def answers_uci_late(self, descriptor: Descriptor, call: EngineCall) -> bool:
        """Return True if an engine that has not answered `uci` in time does so later. Raises NotReceived."""
        answers, reason = self._look_for_buffer(descriptor, ["uci"], lambda line: line.strip() == "uciok", call)
        if reason is not None:
            raise reason
        return answers

    def find_reason(self, attempt: Attempt, call: EngineCall) -> Descriptor | None:
        """Find out why the correct count could not be parsed, and return the descriptor with patterns that parse it.

        Return None if the reason is unknown, for example because the engine is slow. Raises EngineError with any other
        reason.
        """
        if attempt.has_count or attempt.has_moves:
            learned = self._learn_patterns(attempt, call)
            if learned is not None or attempt.has_count:
                return learned
        descriptor = attempt.descriptor
        lines = [*descriptor.start_lines, *self.question(descriptor, attempt.depth)]
        _, unflushed = self._look_for_buffer(descriptor, lines, partial(has_count, count=attempt.expected), call)
        if unflushed is not None:
            raise unflushed
        return None

    def _look_for_buffer(
        self, descriptor: Descriptor, lines: Sequence[str], is_answer: Callable[[str], bool], call: EngineCall
    ) -> tuple[bool, NotReceived | None]:
        """Return whether a program answers after the end of its input, and the error if no answer arrives before."""
        began = time.monotonic()
        if not self._answers(descriptor.launch, lines, is_answer, call.step(SECONDS), ends_input=True):
            return False, None
        enough = CONTROL_SECONDS + 2 * (time.monotonic() - began)
        if self._answers(descriptor.launch, lines, is_answer, call.step(enough)) or call.stopped:
            return True, None  # it is only slow
        on_stderr = self._find_on_stderr(descriptor, lines, is_answer, call.step(enough))
        return True, on_stderr or self._explain_buffer(descriptor, "its input has ended", lines, is_answer, call)

    def _find_on_stderr(
        self, descriptor: Descriptor, lines: Sequence[str], is_answer: Callable[[str], bool], step: EngineCall
    ) -> NotReceived | None:
        """Return the error that a program prints its answer to stderr, or None if it does not."""
        script = f"{shlex.join(as_typed(descriptor.spec, descriptor.launch))} 2>&1"
        words = ["sh", "-c", script]
        if not shutil.which(words[0]) or not self._answers(words, lines, is_answer, step):
            return None
        command = name_program(words) if set('"$`\\') & set(script) else f'sh -c "{script}"'
        spec = quote("uci:" * descriptor.uci + command)
        return NotReceived(f"{self.name} prints its answer to stderr instead of stdout; give -e {spec}")

    def explain_late_flush(self, attempt: Attempt, call: EngineCall) -> NotReceived:
        """Return the error that an engine answers a question only after the next command."""
        descriptor, is_answer = attempt.descriptor, partial(has_count, count=attempt.expected)
        lines = [*descriptor.start_lines, *self.question(descriptor, attempt.depth)]
        return self._explain_buffer(descriptor, "it is sent another command", lines, is_answer, call)

    def _explain_buffer(
        self,
        descriptor: Descriptor,
        condition: str,
        lines: Sequence[str],
        is_answer: Callable[[str], bool],
        call: EngineCall,
    ) -> NotReceived:
        """Return the error, with a command that makes the program print each line at once if there is one."""
        remedy, launch = f"let the program print each line at once ({IN_THE_SOURCE})", [*BY_LINE, *descriptor.launch]
        if shutil.which(BY_LINE[0]) and self._answers(launch, lines, is_answer, call.step(SECONDS)):
            words = [*BY_LINE, *as_typed(descriptor.spec, descriptor.launch)]
            remedy = f"give -e {quote('uci:' * descriptor.uci + name_program(words))}, or {remedy}"
        return NotReceived(f"{self.name} answers only once {condition}: its output waits in a buffer; {remedy}")

    def _answers(
        self,
        command: Sequence[str],
        lines: Sequence[str],
        is_answer: Callable[[str], bool],
        step: EngineCall,
        *,
        ends_input: bool = False,
    ) -> bool:
        """Return True if a new process of a command answers lines on stdout.

        If `ends_input`, its stdin is closed after the lines, and an answer on stderr is accepted, too.
        """
        output = ask_once(
            self.name, command, lines, self.limits, step, is_answer, ends_input=ends_input, with_errors=ends_input
        )
        return any(map(is_answer, output))

    def _learn_patterns(self, attempt: Attempt, call: EngineCall) -> Descriptor | None:
        """Return the descriptor with patterns that parse the totals of three positions.

        Return None if the answers are parsed correctly or contain no correct counts. Raises UnparseableOutput if they
        contain correct counts that no pattern parses.
        """
        descriptor, count = attempt.descriptor, attempt.expected
        line = telling_line(attempt.lines, count)
        known = START_COUNTS[: attempt.depth]
        survey = Survey(attempt.depth, descriptor.total_format, patterns=descriptor.patterns, known=known)
        if any(map(survey.add, attempt.lines)) and survey.total == count and is_read_alike(survey):
            if descriptor.end is None:
                return None
            never = f"no line of its answer matches 'end_re', {descriptor.end.text!r}"
            raise UnparseableOutput(f"{self.name} does not end its answers: it prints {line!r}, and {never}")
        start = ProbeAnswer(attempt.lines, count, attempt.depth, START.base)
        ask = partial(self._output_for, descriptor, call)
        patterns, probes = learn(start, ask, descriptor.min_depth, needs_total=True)
        if patterns is not None and descriptor.patterns is None:
            return replace(descriptor, patterns=patterns)
        if not probes or not all(one.is_correct for one in probes):
            return None  # it counts the starting position incorrectly
        asked = self.question(descriptor, attempt.depth)[-1]
        error = UnparseableOutput(f"{self.name} writes its total in an unknown way: for {asked}, it prints {line!r}")
        error.advice = f"a descriptor with total_re: {DESCRIPTORS}"
        raise error

    def _output_for(self, descriptor: Descriptor, call: EngineCall, position: Position, depth: int) -> list[str]:
        """Return the output of a new process for a position, up to the count or the next `readyok`."""
        count, is_counted = perft(position, depth), False

        def is_last(line: str) -> bool:
            nonlocal is_counted
            is_counted = is_counted or (has_count(line, count) and not has_one_move(line))
            return is_counted and (line.strip() == "readyok" or not descriptor.uci)

        question = descriptor.lines(position.fen(), [], depth)
        lines = [*descriptor.start_lines, *question, *(["isready"] if descriptor.uci else [])]
        return ask_once(self.name, descriptor.launch, lines, self.limits, call.step(SECONDS), is_last)
