"""Probe how to ask an engine and parse its answers, and determine why an answer could not be parsed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ..base import EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from .asking_once import ask_once
from .conversation import PATIENCE, Conversation, Idle, rejection
from .descriptor import DESCRIPTORS, Descriptor
from .learned_patterns import (
    ProbeAnswer,
    ask_probes,
    has_count,
    has_one_move,
    is_read_alike,
    is_usual,
    patterns_for,
    states_total,
    telling_line,
)
from .lines import root_move
from .offered import OfferedOption
from .output import printable
from .process import ProcessLimits
from .sentinels import START_COUNTS
from .transcript import Survey, Transcript

SECONDS = 2.0
"""Time limit in seconds for an answer after the end of the input."""
CONTROL_SECONDS = 1.0
"""Time limit for the same program while its input stays open, in addition to twice the time of that answer."""
IN_THE_SOURCE = "setvbuf(stdout, NULL, _IOLBF, 0) in C, std::endl in C++, flush=True in Python"


class UnreadTotal(UnparseableOutput):
    """The engine prints the correct count in a line that cannot be parsed."""

    descriptor: Descriptor | None = None
    """The engine's descriptor with patterns that parse the totals of three positions, or None if there are none."""


class Unflushed(EngineTimeout):
    """The engine answers, but its output stays in a buffer."""

    names_cure = True


class CommandProbe:
    """Asks an engine questions to determine how to ask it and parse its answers. Methods raise EngineError."""

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Store the engine's name and the limits for its processes."""
        self.name, self.limits = name, limits
        self._answers: list[tuple[str, list[str], list[str]]] = []
        """For each question about the starting position: the last line sent, the answer, and its unparsed lines."""
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

    def probe(
        self,
        descriptor: Descriptor,
        depth: int,
        call: EngineCall,
        game: Game | None = None,
        most_seconds: float = math.inf,
    ) -> Transcript:
        """Ask about a game, by default the starting position, with the full time limit for this question."""
        game = game or Game(Position.start())
        is_start, question = game == Game(Position.start()), self.question(descriptor, depth, game)
        lines, unread = list[str](), list[str]()
        if is_start:
            self._answers.append((question[-1], lines, unread))
        conversation, step = self.talk(descriptor, call), call.step(most_seconds, unlimited=PATIENCE)
        try:
            conversation.begin(game.base, step)
            conversation.send(question, step)
            answer = conversation.survey(depth, step, START_COUNTS[:depth] if is_start else ())
            if answer.refusal and not is_start and answer.total != perft(game.position, depth) and not call.stopped:
                raise rejection(self.name, answer.refusal)
            return answer
        except EngineError as error:
            telling = telling_line(conversation.unread, START_COUNTS[depth - 1]) if is_start else ""
            said = f"it said {telling!r}" if telling else conversation.process.quote_last_output()
            self.discard()
            if isinstance(error, EngineTimeout) and not isinstance(error, Idle) and said:
                raise EngineTimeout(f"{error}; {said}") from None
            raise
        finally:
            lines.extend(conversation.lines)
            unread.extend(conversation.unread)

    def probe_start(
        self, descriptor: Descriptor, depth: int, call: EngineCall, most_seconds: float
    ) -> Transcript | None:
        """Return the answer about the starting position if its total is correct; otherwise kill the process."""
        try:
            answer = self.probe(descriptor, depth, call, most_seconds=most_seconds)
        except EngineError:
            return None
        if answer.total == START_COUNTS[depth - 1]:
            return answer
        self.discard()
        return None

    def question(self, descriptor: Descriptor, depth: int, game: Game | None = None) -> list[str]:
        """Return the lines that ask about a game, by default the starting position."""
        game = game or Game(Position.start())
        return descriptor.lines(game.base.fen(), game.uci_moves(), depth)

    # Answers about the starting position.

    def forget_answers(self) -> None:
        """Forget the answers about the starting position."""
        self._answers.clear()

    def has_unread_count(self, depth: int) -> bool:
        """Return True if the last answer contains the correct count but it was not parsed."""
        return any(has_count(line, START_COUNTS[depth - 1]) for line in self._answers[-1][1])

    def has_unread_moves(self) -> bool:
        """Return True if the last answer, which could not be parsed, contains root moves."""
        return any(root_move(line) is not None for line in self._answers[-1][1])

    def has_mentioned(self, word: str) -> bool:
        """Return True if a word occurs in an answer."""
        return any(word in line for _, lines, _ in self._answers for line in lines)

    def most_telling(self, depth: int) -> str:
        """Return a clause that quotes the line most likely to contain the count, or "" if there is none."""
        lines = {line: asked for asked, _, unread in self._answers for line in unread if any(map(str.isdigit, line))}
        line = telling_line(lines, START_COUNTS[depth - 1])
        asked = next((asked for one, asked in lines.items() if printable(one) == line), "")
        return f"to {asked} it said {line!r}" if line else ""

    # Why an answer could not be parsed. The question is repeated to a process whose input is then closed, so that the
    # program flushes its output buffer.

    def answers_uci_late(self, descriptor: Descriptor, call: EngineCall) -> bool:
        """Return True if an engine that has not answered `uci` in time does so later. Raises Unflushed."""
        answers, reason = self._look_for_buffer(descriptor, ["uci"], lambda line: line.strip() == "uciok", call)
        if reason is not None:
            raise reason
        return answers

    def reason(self, descriptor: Descriptor, depth: int, call: EngineCall) -> EngineError | None:
        """Return the reason why the last answer about the starting position could not be parsed.

        Return None if the reason is unknown, for example because the engine is slow.
        """
        question, output, count = self.question(descriptor, depth), self._answers[-1][1], START_COUNTS[depth - 1]
        is_correct = partial(has_count, count=count)
        is_there = any(map(is_correct, output))
        if is_there or self.has_unread_moves():
            unread = self._unread_total(descriptor, depth, call)
            if is_there or unread is not None:
                return unread
        return self._look_for_buffer(descriptor, [*descriptor.start_lines, *question], is_correct, call)[1]

    def _look_for_buffer(
        self, descriptor: Descriptor, lines: Sequence[str], is_answer: Callable[[str], bool], call: EngineCall
    ) -> tuple[bool, Unflushed | None]:
        """Return whether a program answers after the end of its input, and the error if it does not answer before."""

        def answers(command: Sequence[str], seconds: float, ends_input: bool = False) -> bool:
            step = call.step(seconds)
            output = ask_once(self.name, command, lines, self.limits, step, is_answer, ends_input=ends_input)
            return any(map(is_answer, output))

        began = time.monotonic()
        if not answers(descriptor.launch, SECONDS, ends_input=True):
            return False, None
        enough = CONTROL_SECONDS + 2 * (time.monotonic() - began)
        if answers(descriptor.launch, enough) or call.stopped:
            return True, None  # it is only slow
        what = f"its output waits in a buffer; let the program print each line at once ({IN_THE_SOURCE})"
        return True, Unflushed(f"{self.name} answers only once its input has ended: {what}")

    def _unread_total(self, descriptor: Descriptor, depth: int, call: EngineCall) -> EngineError | None:
        """Return the error if the last answer contains the correct count but it was not parsed, or None."""
        asked, output, count = self.question(descriptor, depth)[-1], self._answers[-1][1], START_COUNTS[depth - 1]
        line = telling_line(output, count)
        survey = Survey(depth, descriptor.total_format, patterns=descriptor.patterns, known=START_COUNTS[:depth])
        if any(map(survey.add, output)) and survey.total == count and is_read_alike(survey):
            if descriptor.end is None:
                return None
            never = f"no line of its answer matches 'end_re', {descriptor.end.text!r}"
            return UnparseableOutput(f"{self.name} does not end its answers: it prints {line!r}, and {never}")
        start = ProbeAnswer(tuple(output), count, depth, Position.start())
        if states_total(start):
            return None
        probes = ask_probes(partial(self._output_for, descriptor, call), descriptor.min_depth)
        if is_usual(probes, needs_total=True):
            return None  # it counts the starting position incorrectly
        patterns = patterns_for(start, probes, needs_total=True) if descriptor.patterns is None else None
        if patterns is None and not all(one.is_correct for one in probes):
            return None
        error = UnreadTotal(f"{self.name} writes its total in an unknown way: for {asked}, it prints {line!r}")
        error.advice = f"a descriptor with total_re: {DESCRIPTORS}"
        if patterns is not None:
            error.descriptor = replace(descriptor, patterns=patterns)
        return error

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
