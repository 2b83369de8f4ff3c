"""A conversation with an engine process: handshake, options, positions and answers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress

from ....generator.position import Position
from ..base import EngineCrash, EngineError, EngineRejection, EngineTimeout, UnparseableOutput, overdue
from ..call import EngineCall
from ..uci_options import CHESS960, UciOption
from .consistency import check_possible
from .descriptor import Descriptor, ListQuestion
from .lines import is_rejection
from .offered import OfferedOption, fit_lines
from .output import printable
from .process import NeverReads, Process, ProcessLimits
from .transcript import MOST_LISTED, Survey, Transcript, endless

SILENT_SECONDS = 0.5
"""Silence in seconds before `isready` is sent. Most engines have answered by then, and some treat any input as `stop`.
"""
IDLE_SECONDS = 2.0
"""Silence in seconds after `readyok` before the engine is considered idle, because a thread may still be counting."""
REFUSED_SECONDS = 1.0
"""Like `IDLE_SECONDS`, after a line that may reject the position. If `isready` is not sent, silence since that line."""
SETTLING_SECONDS = 0.5
"""Silence in seconds after which an unexpected total is accepted, because no better one has followed."""
PATIENCE = 60.0
"""Time limit for each step before the first question, if the user has set none."""
_MOVES = re.compile(r"(?<![\w-])[a-h][1-8][a-h][1-8][nbrq]?(?![\w-])")
"""Moves in a line of a list."""


class Idle(EngineTimeout):
    """The engine is ready for the next question, but has not answered this one."""


class NoHandshake(EngineTimeout):
    """The engine does not answer `uci` or `isready`, so that no other command can work."""

    def __init__(self, message: str, *, reads: bool = True, has_greeted: bool = False) -> None:
        """Store the message, whether the process has read anything, and whether it has answered `uci`."""
        super().__init__(message)
        self.reads, self.has_greeted = reads, has_greeted


def is_deaf(error: EngineError) -> bool:
    """Return True if an engine failed because it read nothing, not even `uci`."""
    return isinstance(error, NoHandshake) and not error.reads


def rejection(name: str, line: str) -> EngineRejection:
    """Return the exception for an engine that rejects a position with this line."""
    return EngineRejection(f"{name} refuses the position: {printable(line)}")


class IdleDetector:
    """Reads the answer to a question. Raises Idle if the engine is not working on it."""

    def __init__(self, name: str, process: Process, idle_seconds: float = IDLE_SECONDS) -> None:
        """Store the engine's name, its process, and the silence after `readyok` that shows that it is idle."""
        self._name, self._process, self._idle_seconds = name, process, idle_seconds
        self.has_asked = False
        """Whether `isready` was sent."""
        self._said: str | None = None
        """A clause that quotes the output before `readyok`, or None if the engine may be busy."""

    def read(self, call: EngineCall) -> str | None:
        """Return the next line, or None if the call was stopped. Raises the same exceptions as `Process.read`."""
        if self._said is not None:
            if self._process.is_silent(self._idle_seconds, call):
                raise Idle(f"{self._name} does not answer, and is ready for more{self._said}")
        elif not self.has_asked and self._process.is_silent(SILENT_SECONDS, call):
            self.has_asked = True
            self._process.send(["isready"], call)
        said = self._process.quote_last_output() if self.has_asked else ""
        line = self._process.read(call)
        if self.has_asked and line is not None and line.strip() == "readyok":
            self._said = f"; {said}" if said else ""
        return line

    def settle(self, call: EngineCall) -> None:
        """Read the `readyok` after the answer, which would otherwise be mistaken for the answer to the next `isready`.

        Engines that do not read while counting do not send it. If the engine exits now, its answer is still valid.
        """
        with suppress(EngineCrash, EngineTimeout):
            while self.has_asked and self._said is None and not self._process.is_silent(IDLE_SECONDS, call):
                if self.read(call) is None:
                    return


class Conversation:
    """An engine process, and what it was sent. Methods raise EngineError."""

    def __init__(
        self,
        name: str,
        descriptor: Descriptor,
        limits: ProcessLimits,
        call: EngineCall,
        greeting_seconds: float = math.inf,
    ) -> None:
        """Start the process and complete the handshake. Each step has the full time limit of the call.

        `greeting_seconds` is another time limit for the answer to `uci`.
        """
        self._name, self.descriptor = name, descriptor
        self.process = Process(name, list(descriptor.launch), limits)
        call.on_stop(self.process.interrupt)
        self._is_chess960 = False
        self.was_prompted = False
        """Whether the last surveyed answer arrived only after `isready` was sent."""
        self.unread: Collection[str] = ()
        """The lines of that answer that could not be parsed."""
        self.lines: Collection[str] = ()
        """All lines of that answer, if the correct count was searched for in it."""
        self.declares_chess960 = False if descriptor.uci and descriptor.chess960 is None else descriptor.chess960
        """Whether the descriptor or, if it says nothing, the option UCI_Chess960 declares support for Chess960. None if
        an engine without UCI declares nothing.
        """
        self.offered: list[OfferedOption] = []
        """The options that a UCI engine offers."""
        try:
            if descriptor.uci:
                self._shake_hands(call, greeting_seconds)
            else:
                self.send(descriptor.setup, call)
        except BaseException:
            self.kill()
            raise

    def begin(self, position: Position, call: EngineCall) -> None:
        """Wait until the engine is ready for a question about a position, and discard earlier output."""
        call.on_stop(self.process.interrupt)
        if self.descriptor.uci:
            self.send(self.lines_of_variant(position.chess960), call)
            self._expect("isready", "readyok", call)
        self.process.begin_question()
        self.unread = self.lines = ()

    def ask(self, position: Position, question: Sequence[str], depth: int, call: EngineCall) -> Transcript:
        """Ask about a position, and return the answer.

        The question is sent together with `isready`; output before `readyok` belongs to earlier questions.
        """
        call.on_stop(self.process.interrupt)
        self.process.begin_question()
        if self.descriptor.uci:
            self._expect("isready", "readyok", call, self.lines_of_variant(position.chess960), question)
        else:
            self.send(question, call)
        return self.listen(depth, call)

    def lines_of_variant(self, chess960: bool) -> list[str]:
        """Return the lines that switch the engine to standard chess or Chess960, or none if it is in that mode.

        The lines are recorded as sent.
        """
        if not self.descriptor.uci or chess960 == self._is_chess960:
            return []
        self._is_chess960 = chess960
        return [UciOption(CHESS960, str(chess960).lower()).line]

    def send(self, lines: Sequence[str], call: EngineCall) -> None:
        """Write lines."""
        self.process.send(lines, call)

    def lines_until(self, word: str, call: EngineCall) -> Iterator[str]:
        """Yield the lines that the engine prints, up to the one that begins with a word."""
        while (line := self.process.read(call)) is not None:
            yield line
            if line.split(maxsplit=1)[:1] == [word]:
                return

    def listen(self, depth: int, call: EngineCall) -> Transcript:
        """Read an answer up to its total, or up to the last line as defined by the descriptor."""
        return self._read_answer(Transcript.of(self.descriptor, depth), None, call)

    def survey(self, depth: int, call: EngineCall, known: Sequence[int] = ()) -> Transcript:
        """Read an answer to determine its format.

        `known` are the correct counts from depth 1 to `depth`, if known. If a UCI engine is silent, `isready` is sent.
        Raises Idle if the engine is ready but has not answered.
        """
        answer = Transcript.of(self.descriptor, depth)
        if known:
            finds = self.descriptor.separator is None
            answer = Survey.of(self.descriptor, depth, known=known, finds_separator=finds)
        self.unread, self.lines = answer.unread, answer.lines if isinstance(answer, Survey) else answer.unread
        detector = IdleDetector(self._name, self.process) if self.descriptor.uci else None
        return self._read_answer(answer, detector, call)

    def _read_answer(self, answer: Transcript, detector: IdleDetector | None, call: EngineCall) -> Transcript:
        line: str | None = ""
        self.process.await_start(call)
        while not call.stopped:
            if not self._is_settled(answer, call):
                line = (detector or self.process).read(call)
                if line is None or not self._add(line, answer, call):
                    if answer.refusal and not call.stopped:
                        return self._after_refusal(answer, call)
                    continue
            if detector is not None:
                self.was_prompted = detector.has_asked
                detector.settle(call)
            return self._with_total(answer, line or "")
        return answer

    def _after_refusal(self, answer: Transcript, call: EngineCall) -> Transcript:
        """Wait for an answer after a line that may reject the position. Raises EngineRejection if there is none."""
        detector = IdleDetector(self._name, self.process, REFUSED_SECONDS) if self.descriptor.uci else None
        try:
            while detector is not None or not self.process.is_silent(REFUSED_SECONDS, call):
                line = (detector or self.process).read(call)
                if line is None:
                    return answer
                if self._add(line, answer, call):
                    if detector is not None:
                        detector.settle(call)
                    return self._with_total(answer, line)
        except (EngineCrash, EngineTimeout):
            if answer.pairs:
                raise
        if isinstance(answer, Survey) and answer.settle():
            return answer
        raise rejection(self._name, answer.refusal)

    def _is_settled(self, answer: Transcript, call: EngineCall) -> bool:
        """If silence has followed the most likely total of a survey, accept it and return True."""
        if not isinstance(answer, Survey) or answer.likeliest is None:
            return False
        with suppress(EngineCrash):
            if not self.process.is_silent(SETTLING_SECONDS, call):
                return False
        return answer.settle()

    def _add(self, line: str, answer: Transcript, call: EngineCall) -> bool:
        """Add a line to an answer. Return True if it is the last one."""
        counted = len(answer.pairs)
        is_total = answer.add(line)
        if len(answer.pairs) > counted:
            call.add(answer.pairs[-1][1])
            call.found(*answer.pairs[-1])
            if answer.is_endless:
                raise endless(self._name)
        elif not (is_total or answer.pairs or answer.refusal) and is_rejection(line):
            answer.refusal = line
        elif line.startswith("bestmove"):
            raise UnparseableOutput(f"{self._name} searches instead of counting: it printed {printable(line)!r}")
        end = self.descriptor.end
        if end is None:
            return is_total
        is_end = end.is_in(line)
        if is_end and isinstance(answer, Survey):
            answer.settle()
        return is_end

    def moves(self, lists: ListQuestion, call: EngineCall) -> list[str]:
        """Read a list of moves up to its last line, and return the moves."""
        if lists.end is None:
            self.send(["isready"], call)
        found: list[str] = []
        while (line := self.process.read(call)) is not None:
            if line.strip() == "readyok" if lists.end is None else lists.end.is_in(line):
                break
            moves = _MOVES.findall(line)
            if not moves and is_rejection(line):
                raise rejection(self._name, line)
            found += moves
            if len(found) > MOST_LISTED:
                raise endless(self._name)
        return found

    def quit(self) -> None:
        """Ask the process to quit, and kill it and its descendants if they do not exit."""
        self.process.quit(self.descriptor.quit)

    def kill(self) -> None:
        """Kill the process and its descendants."""
        self.process.kill()

    def _with_total(self, answer: Transcript, line: str) -> Transcript:
        """Return a complete answer. If no total was printed, the total is the sum over the root moves."""
        if answer.total is None:
            answer.take_san_moves()
            if not answer.pairs and answer.refusal:
                raise rejection(self._name, answer.refusal)
            if not answer.pairs:
                raise UnparseableOutput(f"{self._name} ended its answer without a total: {printable(line)}")
            answer.total = answer.divide().total
        if not isinstance(answer, Survey):
            check_possible(self._name, answer)
        return answer

    def _shake_hands(self, call: EngineCall, greeting_seconds: float) -> None:
        """Perform the UCI handshake. Raises UsageError if the engine does not offer a given option."""
        has_greeted = False
        try:
            step = call.step(greeting_seconds, unlimited=PATIENCE)
            self._expect("uci", "uciok", step, on_line=self._add_option)
            has_greeted = True
            # If the call was stopped, the list of options may be incomplete.
            setup = self.descriptor.setup
            fitted = [] if call.stopped else fit_lines(self._name, self.descriptor.spec, setup, self.offered)
            self._expect("isready", "readyok", call.step(unlimited=PATIENCE), fitted, on_line=self._add_option)
        except EngineTimeout as error:
            reads = not isinstance(error, NeverReads)
            raise NoHandshake(str(error), reads=reads, has_greeted=has_greeted) from None

    def _add_option(self, line: str) -> None:
        option = OfferedOption.read(line)
        if option is None:
            return
        self.offered.append(option)
        if self.descriptor.chess960 is None and option.name.casefold() == CHESS960.casefold():
            self.declares_chess960 = True

    def _expect(
        self,
        command: str,
        answer: str,
        call: EngineCall,
        before: Sequence[str] = (),
        question: Sequence[str] = (),
        on_line: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Send `before`, `command` and `question`, and call `on_line` with each line up to `answer`.

        Raises EngineTimeout, which quotes the output.
        """
        try:
            self.process.send([*before, command, *question], call)
            self.process.await_start(call)
            while (line := self.process.read(call)) is not None and line.strip() != answer:
                on_line(line)
        except EngineTimeout as late:
            said = self.process.quote_last_output()
            complaint = f"does not answer {command!r} with {answer!r}"
            seconds = late.seconds if isinstance(late, NeverReads) else call.seconds or 0
            error = overdue(self._name, complaint, seconds)
            text = f"{error}; {said}" if said else str(error)
            raise (NeverReads(text, seconds) if isinstance(late, NeverReads) else EngineTimeout(text)) from None
