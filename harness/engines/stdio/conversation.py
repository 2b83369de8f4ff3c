"""A conversation with an engine on stdin: start its process, shake hands, set a position up, hear its answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ....generator.position import Position
from ..base import EngineFlood, EngineRejection, EngineTimeout, UnparseableOutput, overdue
from ..task import Task
from .descriptor import Descriptor, ListQuestion
from .idle import IdleDetector
from .last_words import printable
from .lines import is_rejection
from .process import Process, ProcessLimits
from .transcript import MOST_LISTED, Transcript, endless

_OPTION = re.compile(r"option\s+name\s+UCI_Chess960\b", re.IGNORECASE)

_MOVES = re.compile(r"(?<![\w-])[a-h][1-8][a-h][1-8][nbrq]?(?![\w-])")
"""Moves in a line of a list."""
PATIENCE = 60.0
"""Seconds for a step on the way to the first question, where the user has set no limit."""


class NoHandshake(EngineTimeout):
    """An engine does not answer `uci` or `isready`, whatever else it might be asked."""


class FloodsAtOnce(EngineFlood):
    """An engine floods before it is asked anything but `uci` or `isready`."""


class Conversation:
    """One process and what it was last told. Raises EngineError where it does not answer as it should."""

    def __init__(self, name: str, descriptor: Descriptor, limits: ProcessLimits, task: Task) -> None:
        """Start the process and shake hands; each step has the time limit of the task for itself."""
        self._name, self.descriptor = name, descriptor
        self._process = Process(name, list(descriptor.launch), limits)
        task.on_stop(self._process.interrupt)
        self._is_chess960 = False
        self.declares_chess960 = False if descriptor.uci and descriptor.chess960 is None else descriptor.chess960
        """Whether its descriptor says that it knows Chess960, or else whether its options have UCI_Chess960; None where
        neither is there.
        """
        if descriptor.uci:
            self._shake_hands(task.step(unlimited=PATIENCE))
        self.send(descriptor.setup, task)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and can still be heard."""
        return self._process.is_alive

    def begin(self, position: Position, task: Task) -> None:
        """Wait until the engine is ready for a question about a position, and has nothing left to say."""
        task.on_stop(self._process.interrupt)
        if self.descriptor.uci:
            self.send(self.lines_of_variant(position.chess960), task)
            self._expect("isready", "readyok", task)
        self._process.begin_question()

    def ask(self, position: Position, question: Sequence[str], depth: int, task: Task) -> Transcript:
        """Ask about a position, and return the answer.

        The question follows `isready` without waiting for `readyok`: whatever is said before that was left to say.
        """
        task.on_stop(self._process.interrupt)
        self._process.begin_question()
        if self.descriptor.uci:
            self._expect("isready", "readyok", task, self.lines_of_variant(position.chess960), question)
        else:
            self.send(question, task)
        return self.listen(depth, task)

    def lines_of_variant(self, chess960: bool) -> list[str]:
        """Return what the engine has yet to be told before it is asked about a position of standard chess or Chess960,
        and take it for told.
        """
        if not self.descriptor.uci or chess960 == self._is_chess960:
            return []
        self._is_chess960 = chess960
        return [f"setoption name UCI_Chess960 value {str(chess960).lower()}"]

    @property
    def process(self) -> Process:
        """The process that is spoken to, for those who tell it many questions ahead."""
        return self._process

    def send(self, lines: Sequence[str], task: Task) -> None:
        """Write lines."""
        self._process.send(lines, task)

    def fen(self, task: Task) -> str | None:
        """Return the FEN that the engine prints when told `d`, or None."""
        self.send(["d", "isready"], task)
        found = None
        while (line := self._process.read(task)) is not None and line.strip() != "readyok":
            if line.lower().startswith("fen:"):
                found = line[4:].strip()
        return found

    def listen(self, depth: int, task: Task, doubt: bool = False, known: int | None = None) -> Transcript:
        """Read until the total, or until the line that the descriptor says is the last.

        With `doubt`, a UCI engine that is silent is asked whether it is busy; raises Idle where it is not. By a total
        that is `known` it is found out how thousands are separated.
        """
        descriptor = self.descriptor
        transcript = Transcript(
            depth,
            descriptor.total_format,
            patterns=descriptor.patterns,
            separator=descriptor.separator or "",
            known=known if descriptor.separator is None else None,
        )
        end = self.descriptor.end
        doubting = IdleDetector(self._name, self._process) if doubt and self.descriptor.uci else None
        while (line := (doubting or self._process).read(task)) is not None:
            counted = len(transcript.pairs)
            is_total = transcript.hear(line)
            if len(transcript.pairs) > counted:
                task.add(transcript.pairs[-1][1])
                task.found(*transcript.pairs[-1])
                if transcript.is_endless:
                    raise endless(self._name)
            elif not is_total and is_rejection(line):
                raise EngineRejection(f"{self._name} refuses the position: {printable(line)}")
            elif line.startswith("bestmove"):
                raise UnparseableOutput(f"{self._name} searches instead of counting: {printable(line)}")
            if is_total if end is None else end.is_in(line):
                if doubting is not None:
                    doubting.settle(task)
                return self._with_total(transcript, line)
        return transcript

    def moves(self, lists: ListQuestion, task: Task) -> list[str]:
        """Return the moves of the list that was asked for: the words that are moves, up to its last line."""
        if lists.end is None:
            self.send(["isready"], task)
        found: list[str] = []
        while (line := self._process.read(task)) is not None:
            if line.strip() == "readyok" if lists.end is None else lists.end.is_in(line):
                break
            moves = _MOVES.findall(line)
            if not moves and is_rejection(line):
                raise EngineRejection(f"{self._name} refuses the position: {printable(line)}")
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
            if not transcript.pairs:
                raise UnparseableOutput(f"{self._name} ended its answer without a total: {printable(line)}")
            transcript.total = transcript.divide().total
        return transcript

    def _shake_hands(self, task: Task) -> None:
        try:
            self._expect("uci", "uciok", task, hear=self._hear_option)
            self._expect("isready", "readyok", task)
        except EngineTimeout as error:
            raise NoHandshake(str(error)) from None
        except EngineFlood as error:
            raise FloodsAtOnce(str(error)) from None

    def _hear_option(self, line: str) -> None:
        if self.descriptor.chess960 is None and _OPTION.match(line.strip()):
            self.declares_chess960 = True

    def _expect(
        self,
        command: str,
        answer: str,
        task: Task,
        before: Sequence[str] = (),
        question: Sequence[str] = (),
        hear: Callable[[str], None] = lambda _line: None,
    ) -> None:
        """Send a command, with lines before it and the next question behind it; `hear` what is said up to its answer.

        Raises EngineTimeout, and says what was heard.
        """
        try:
            self._process.send([*before, command, *question], task)
            while (line := self._process.read(task)) is not None and line.strip() != answer:
                hear(line)
        except EngineTimeout:
            said = self.quote_last_output()
            complaint = f"does not answer {command!r} by {answer!r}"
            error = overdue(self._name, complaint, task.seconds or 0)
            raise EngineTimeout(f"{error}; {said}" if said else str(error)) from None
