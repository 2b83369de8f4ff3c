"""A conversation with an engine on stdin: start its process, shake hands, set a position up, hear its answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from ....errors import UsageError
from ....generator.position import Position
from ..base import EngineCrash, EngineError, EngineFlood, EngineRejection, EngineTimeout, UnparseableOutput, overdue
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
"""Silence after which it is asked. Most have answered by then: some take any word for `stop`."""
IDLE_SECONDS = 2.0
"""Further silence of an engine that says `readyok`: it may still count, in another thread."""
REFUSED_SECONDS = 1.0
"""The same after a line that may reject the position; without `isready`, the whole silence."""


def rejection(name: str, line: str) -> EngineRejection:
    """Return the error for an engine that rejects a position by a line."""
    return EngineRejection(f"{name} refuses the position: {printable(line)}")


class Idle(EngineTimeout):
    """An engine is ready for the next question, and has not answered this one."""


class IdleDetector:
    """Reads the answer to one question. Raises Idle if the engine does not work on it."""

    def __init__(self, name: str, process: Process, idle_seconds: float = IDLE_SECONDS) -> None:
        """Take the engine's name, its process, and the silence after `readyok` that means it is idle."""
        self._name, self._process, self._idle_seconds = name, process, idle_seconds
        self.has_asked = False
        """Whether it was asked whether it is busy."""
        self._said: str | None = None
        """What it had said before it was found to be ready; None as long as it may be busy."""

    def read(self, call: EngineCall) -> str | None:
        """Return the next line, or None once the call is stopped. Raises EngineError, as the process does."""
        if self._said is not None:
            if self._process.is_silent(self._idle_seconds, call):
                raise Idle(f"{self._name} does not answer, and is ready for more{self._said}")
        elif not self.has_asked and self._process.is_silent(SILENT_SECONDS, call):
            self.has_asked = True
            self._process.send(["isready"], call)
        said = self._process.quote_last_output()
        line = self._process.read(call)
        if self.has_asked and line is not None and line.strip() == "readyok":
            self._said = f"; {said}" if said else ""
        return line

    def settle(self, call: EngineCall) -> None:
        """Hear `readyok` after the answer, so that it is not taken for one to a later `isready`.

        An engine that hears nothing while it counts does not say it. The answer stands if it ends now.
        """
        with suppress(EngineCrash, EngineTimeout):
            while self.has_asked and self._said is None and not self._process.is_silent(IDLE_SECONDS, call):
                if self.read(call) is None:
                    return


class GreetingReader:
    """Reads the lines before `uciok`, and calls a function once if `uciok` does not come soon."""

    def __init__(self, process: Process, on_silence: Callable[[], None] | None) -> None:
        """Take the process, and what is called then."""
        self._process, self._on_silence = process, on_silence

    def read(self, call: EngineCall) -> str | None:
        """Return the next line, as the process does, and raise as it does."""
        if self._on_silence is not None:
            soon = min(GREETING_SECONDS, (call.seconds or math.inf) / 2)
            if self._process.is_silent(max(0.0, soon - call.seconds_spent), call):
                on_silence, self._on_silence = self._on_silence, None
                try:
                    on_silence()
                except Exception:
                    self._process.kill()
                    raise
                call.extend(MOMENT)
        return self._process.read(call)


_MOVES = re.compile(r"(?<![\w-])[a-h][1-8][a-h][1-8][nbrq]?(?![\w-])")
"""Moves in a line of a list."""
SETTLING_SECONDS = 0.5
"""Silence after which a total that is not the known one is believed: a better one does not come."""
PATIENCE = 60.0
"""Seconds for a step on the way to the first question, where the user has set no limit."""
GREETING_SECONDS = 2.0
"""Time for the answer to `uci` once it is read, after which it is doubted that the engine speaks UCI at all: half the
time limit if that is less.
"""
MOMENT = 0.1
"""Seconds to read what an engine wrote while other processes were being asked."""


class NoHandshake(EngineTimeout):
    """An engine does not answer `uci` or `isready`, whatever else it might be asked."""

    def __init__(self, message: str, *, reads: bool = True) -> None:
        """Take the message, and whether the process has read anything. The message may come from another process."""
        super().__init__(message)
        self.reads = reads


def is_deaf(error: EngineError) -> bool:
    """Return True if an engine has failed because it has read nothing, not even `uci`."""
    return isinstance(error, NoHandshake) and not error.reads


class FloodsAtOnce(EngineFlood):
    """An engine floods before it is asked anything but `uci` or `isready`."""


class Conversation:
    """One process and what it was last told. Raises EngineError if it does not answer as it should."""

    def __init__(
        self,
        name: str,
        descriptor: Descriptor,
        limits: ProcessLimits,
        call: EngineCall,
        on_silence: Callable[[], None] | None = None,
    ) -> None:
        """Start the process and shake hands; each step has the time limit of the call for itself.

        The time for `uci` begins when the process reads it. If `uciok` does not come soon, `on_silence` is called while
        the process may still answer. If it raises an exception, the process is killed.
        """
        self._name, self.descriptor = name, descriptor
        self._process = Process(name, list(descriptor.launch), limits)
        call.on_stop(self._process.interrupt)
        self._is_chess960 = False
        self.was_prompted = False
        """Whether the last answer that was surveyed came once the engine was asked whether it is ready."""
        self.unread: Collection[str] = ()
        """The lines of that answer that tell nothing that is known."""
        self.lines: Collection[str] = ()
        """All its lines, if known counts were looked for in them."""
        self.declares_chess960 = False if descriptor.uci and descriptor.chess960 is None else descriptor.chess960
        """Whether its descriptor says that it knows Chess960, or else whether its options have UCI_Chess960; None where
        neither is there.
        """
        self.offered: list[OfferedOption] = []
        """The options that the engine offers, if it speaks UCI."""
        if descriptor.uci:
            self._shake_hands(call, on_silence)
        else:
            self.send(descriptor.setup, call)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and can still be heard."""
        return self._process.is_alive

    def is_ready(self) -> bool:
        """Return True if the process can be asked once more, as `Process.is_ready` does. Raises EngineCrash."""
        return self._process.is_ready()

    def begin(self, position: Position, call: EngineCall) -> None:
        """Wait until the engine is ready for a question about a position, and has nothing left to say."""
        call.on_stop(self._process.interrupt)
        if self.descriptor.uci:
            self.send(self.lines_of_variant(position.chess960), call)
            self._expect("isready", "readyok", call)
        self._process.begin_question()

    def ask(self, position: Position, question: Sequence[str], depth: int, call: EngineCall) -> Transcript:
        """Ask about a position, and return the answer.

        The question follows `isready` without waiting for `readyok`: whatever is said before that was left to say.
        """
        call.on_stop(self._process.interrupt)
        self._process.begin_question()
        if self.descriptor.uci:
            self._expect("isready", "readyok", call, self.lines_of_variant(position.chess960), question)
        else:
            self.send(question, call)
        return self.listen(depth, call)

    def lines_of_variant(self, chess960: bool) -> list[str]:
        """Return what the engine has yet to be told before it is asked about a position of standard chess or Chess960,
        and take it for told.
        """
        if not self.descriptor.uci or chess960 == self._is_chess960:
            return []
        self._is_chess960 = chess960
        return [UciOption(CHESS960, str(chess960).lower()).line]

    @property
    def process(self) -> Process:
        """The process that is spoken to, for those who tell it many questions ahead."""
        return self._process

    def send(self, lines: Sequence[str], call: EngineCall) -> None:
        """Write lines."""
        self._process.send(lines, call)

    def fen(self, call: EngineCall) -> str | None:
        """Return the FEN that the engine prints when told `d`, or None."""
        self.send(["d", "isready"], call)
        found = None
        while (line := self._process.read(call)) is not None and line.strip() != "readyok":
            if line.lower().startswith("fen:"):
                found = line[4:].strip()
        return found

    def listen(self, depth: int, call: EngineCall) -> Transcript:
        """Read until the total, or until the line that the descriptor says is the last."""
        transcript = Transcript.of(self.descriptor, depth)
        self._process.await_start(call)
        while (line := self._process.read(call)) is not None:
            if self._hear(line, transcript, call):
                return self._with_total(transcript, line)
            if transcript.refusal and not call.stopped:
                return self._after_refusal(transcript, call)
        return transcript

    def _after_refusal(self, transcript: Transcript, call: EngineCall) -> Transcript:
        """Return the answer that follows a line which may reject the position. Raises EngineRejection without one."""
        detector = IdleDetector(self._name, self._process, REFUSED_SECONDS) if self.descriptor.uci else None
        try:
            while detector is not None or not self._process.is_silent(REFUSED_SECONDS, call):
                line = (detector or self._process).read(call)
                if line is None:
                    return transcript
                if self._hear(line, transcript, call):
                    if detector is not None:
                        detector.settle(call)
                    return self._with_total(transcript, line)
        except (EngineCrash, EngineTimeout):
            if transcript.pairs:
                raise
        if isinstance(transcript, Survey) and transcript.settle():
            return transcript
        raise rejection(self._name, transcript.refusal)

    def survey(self, depth: int, call: EngineCall, known: Sequence[int] = ()) -> Transcript:
        """Read an answer to find out how it is written. `known` are the correct totals up to this depth, if they are.

        A UCI engine that is silent is asked whether it is busy; raises Idle where it is not.
        """
        heard = Transcript.of(self.descriptor, depth)
        if known:
            finds = self.descriptor.separator is None
            heard = Survey.of(self.descriptor, depth, known=known, finds_separator=finds)
        self.unread, self.lines = heard.unread, heard.lines if isinstance(heard, Survey) else heard.unread
        detector = IdleDetector(self._name, self._process) if self.descriptor.uci else None
        line: str | None = ""
        self._process.await_start(call)
        while not call.stopped:
            if not self._is_settled(heard, call):
                line = (detector or self._process).read(call)
                if line is None or not self._hear(line, heard, call):
                    if heard.refusal and not call.stopped:
                        return self._after_refusal(heard, call)
                    continue
            if detector is not None:
                self.was_prompted = detector.has_asked
                detector.settle(call)
            return self._with_total(heard, line or "")
        return heard

    def _is_settled(self, heard: Transcript, call: EngineCall) -> bool:
        """Return True if nothing better than the likeliest total comes any more; the answer then has it."""
        if not isinstance(heard, Survey) or heard.likeliest is None:
            return False
        with suppress(EngineCrash):
            if not self._process.is_silent(SETTLING_SECONDS, call):
                return False
        return heard.settle()

    def _hear(self, line: str, transcript: Transcript, call: EngineCall) -> bool:
        """Take in a line of an answer; return True if it is the last one. Raises EngineError."""
        counted = len(transcript.pairs)
        is_total = transcript.hear(line)
        if len(transcript.pairs) > counted:
            call.add(transcript.pairs[-1][1])
            call.found(*transcript.pairs[-1])
            if transcript.is_endless:
                raise endless(self._name)
        elif not (is_total or transcript.pairs or transcript.refusal) and is_rejection(line):
            transcript.refusal = line
        elif line.startswith("bestmove"):
            raise UnparseableOutput(f"{self._name} searches instead of counting: {printable(line)}")
        end = self.descriptor.end
        if end is None:
            return is_total
        is_end = end.is_in(line)
        if is_end and isinstance(transcript, Survey):
            transcript.settle()
        return is_end

    def moves(self, lists: ListQuestion, call: EngineCall) -> list[str]:
        """Return the moves of the list that was asked for: the words that are moves, up to its last line."""
        if lists.end is None:
            self.send(["isready"], call)
        found: list[str] = []
        while (line := self._process.read(call)) is not None:
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
        """End the process, in order if it listens, and whatever it has started."""
        self._process.quit(self.descriptor.quit)

    def kill(self) -> None:
        """End the process at once, and whatever it has started."""
        self._process.kill()

    def quote_last_output(self) -> str:
        """Return what the process has said last, as a clause."""
        return self._process.quote_last_output()

    def _with_total(self, transcript: Transcript, line: str) -> Transcript:
        """Return an answer that has ended; without a total of its own it is the sum of its root moves."""
        if transcript.total is None:
            transcript.take_games()
            if not transcript.pairs and transcript.refusal:
                raise rejection(self._name, transcript.refusal)
            if not transcript.pairs:
                raise UnparseableOutput(f"{self._name} ended its answer without a total: {printable(line)}")
            transcript.total = transcript.divide().total
        if not isinstance(transcript, Survey):
            check_possible(self._name, transcript)
        return transcript

    def _shake_hands(self, call: EngineCall, on_silence: Callable[[], None] | None) -> None:
        for command, answer in (("uci", "uciok"), ("isready", "readyok")):
            step = call.step(unlimited=PATIENCE)
            try:
                before = self._fit_setup(call) if command == "isready" else ()
                on_no_uciok = on_silence if command == "uci" else None
                self._expect(command, answer, step, before, hear=self._hear_option, on_silence=on_no_uciok)
            except EngineTimeout as error:
                raise NoHandshake(str(error), reads=not isinstance(error, NeverReads)) from None
            except EngineFlood as error:
                raise FloodsAtOnce(str(error)) from None

    def _hear_option(self, line: str) -> None:
        option = OfferedOption.read(line)
        if option is None:
            return
        self.offered.append(option)
        if self.descriptor.chess960 is None and option.name.casefold() == CHESS960.casefold():
            self.declares_chess960 = True

    def _fit_setup(self, call: EngineCall) -> list[str]:
        """Return the lines that come before all others. Raises UsageError if the engine does not offer an option."""
        if call.stopped:  # it may not have said all
            return []
        try:
            return fit_lines(self._name, self.descriptor.spec, self.descriptor.setup, self.offered)
        except UsageError:
            self.kill()
            raise

    def _expect(
        self,
        command: str,
        answer: str,
        call: EngineCall,
        before: Sequence[str] = (),
        question: Sequence[str] = (),
        hear: Callable[[str], None] = lambda _line: None,
        on_silence: Callable[[], None] | None = None,
    ) -> None:
        """Send a command, with lines before it and the next question behind it; `hear` what is said up to its answer.

        If that does not come soon, `on_silence` is called once. Raises EngineTimeout, and says what was heard.
        """
        try:
            self._process.send([*before, command, *question], call)
            self._process.await_start(call)
            greeting = GreetingReader(self._process, on_silence)
            while (line := greeting.read(call)) is not None and line.strip() != answer:
                hear(line)
        except EngineTimeout as late:
            said = self.quote_last_output()
            complaint = f"does not answer {command!r} by {answer!r}"
            reads = not isinstance(late, NeverReads)
            seconds = late.seconds if isinstance(late, NeverReads) else call.seconds or 0
            error = overdue(self._name, complaint, seconds)
            text = f"{error}; {said}" if said else str(error)
            raise (EngineTimeout(text) if reads else NeverReads(text, seconds)) from None
