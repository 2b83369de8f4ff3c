"""Programs that are started anew for every question, and take the position as arguments.

cmd:PROGRAM {fen} {depth} {moves}       prints a count, or a divide, in any dialect that we know; {fields} are the six
                                        fields of the FEN, an argument each; {chess960} is true or false, and declares
                                        that it knows Chess960
cmd:PROGRAM {depth} <<< {fen}           likewise; each word after <<< is a line on its stdin, which then ends
script:PROGRAM                          the perftree convention: PROGRAM depth "fen" "move move ..." prints the divide
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import by_fen, fen_of
from ...model.capabilities import NOT_APPLICABLE, Capability, Lacks
from ..base import Divide, EngineCrash, EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..command_lines import quote
from ..command_words import STDIN, as_typed, name_program
from ..engine import WRITTEN
from ..spec import EngineSpec
from ..stdio.answer_forms import (
    find_misread_line,
    is_read_alike,
    is_usual,
    patterns_for,
    probe,
    raise_unread,
    states_total,
)
from ..stdio.asking_once import ask_once
from ..stdio.attempts import PROBE_DEPTH, QUICK_SECONDS, SHALLOW_DEPTH
from ..stdio.consistency import check_possible, check_sum, divide_of
from ..stdio.descriptor import Descriptor
from ..stdio.output import printable
from ..stdio.probing import with_final_moves, with_moves
from ..stdio.process import Process, ProcessLimits
from ..stdio.sentinels import START_COUNTS
from ..stdio.total_patterns import ProbeAnswer, has_count, telling_line
from ..stdio.transcript import Survey, Transcript, endless
from .probed import ProbedEngine

TRIAL_SECONDS = 10.0
"""For a count that shows how fast it is asked."""
SCRIPT = ("{depth}", "{fen}", "{moves?}")
"""The arguments of a script; the moves are left out if there are none."""


@dataclass(frozen=True)
class Arguments:
    """The words of a command and the lines on its stdin, with places for what changes."""

    words: tuple[str, ...]
    lines: tuple[str, ...] = ()

    @classmethod
    def of_command(cls, words: Sequence[str]) -> Arguments:
        """Return the words before `<<<`, and those after it as lines."""
        place = words.index(STDIN) if STDIN in words else len(words)
        return cls(tuple(words[:place]), tuple(words[place + 1 :]))

    @property
    def command(self) -> tuple[str, ...]:
        """The words that `of_command` takes."""
        return (*self.words, STDIN, *self.lines) if self.lines else self.words

    @property
    def plays_moves(self) -> bool:
        """Whether the program can be told to play moves from a FEN."""
        return any("{moves" in word for word in (*self.words, *self.lines))

    @property
    def chess960(self) -> bool | None:
        """Whether the program is told when a position is one of Chess960; None, and not False, where it is not."""
        return any("{chess960}" in word for word in self.words) or None

    def of(self, game: Game, depth: int) -> Arguments:
        """Return the words and the lines for a question."""
        fen, moves = fen_of(game), " ".join(game.uci_moves())
        texts = {"{fen}": fen, "{fields}": fen, "{depth}": str(depth), "{moves?}": moves, "{moves}": moves}
        texts["{chess960}"] = str(game.base.chess960).lower()
        words = [word for word in self.words if word != "{moves?}" or moves]
        places = [one for word in words for one in (fen.split() if word == "{fields}" else [word])]
        return Arguments(tuple(_fill(word, texts) for word in places), tuple(_fill(one, texts) for one in self.lines))


def _fill(text: str, texts: Mapping[str, str]) -> str:
    for place, value in texts.items():
        text = text.replace(place, value)
    return text


class _WholeAnswer(Transcript):
    """Hears all that is printed, and no total in it."""

    def hear(self, line: str) -> bool:
        """Return False: the answer goes on."""
        return False


class ProgramEngine(ProbedEngine):
    """One program. What it prints is read to its end, or up to its total."""

    no_chess960 = 'its descriptor has "chess960": false'
    setups = WRITTEN
    is_slow = True
    starts_for_each_question = True

    def __init__(
        self,
        spec: str,
        arguments: Arguments,
        limits: ProcessLimits | None = None,
        described: Descriptor | None = None,
    ) -> None:
        """Take the SPEC, how the program is called, and what a descriptor says about it, if there is one."""
        given = described or Descriptor(EngineSpec(spec).name, arguments.command, "", uci=False)
        super().__init__(spec, given, limits)
        self.understood = replace(self.understood, plays_moves=arguments.plays_moves)
        self.arguments = arguments
        self._lists: bool | None = None
        """Whether it prints root moves that are understood; None if that is not known."""
        self._prompt = ""
        """What it writes before its answer, on the same line, for the input that it asks for."""
        self._answers_on_stderr = given.patterns is not None
        """Whether what it writes there is read, where it writes nothing on stdout."""

    @property
    def launch(self) -> tuple[str, ...]:
        """The words of its command, without the lines on its stdin."""
        return self.arguments.words

    @property
    def chess960(self) -> bool | None:
        """Whether it knows Chess960, as its descriptor says, or else a place for the variant in the command."""
        return self.arguments.chess960 if self._given.chess960 is None else self._given.chess960

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield how it is asked, and how its answers are read."""
        yield "runs", "once for each question"
        if (patterns := self.adopted_patterns) is not None:
            if patterns.total is not None:
                yield from self._total_facts()
            if patterns.move is not None and patterns.lists_moves:
                yield "root moves", f"as move_re says: {patterns.move.text}"
        if self.arguments.plays_moves:
            yield from self._move_facts()
        if self.arguments.lines:
            with suppress(EngineError):  # it is raised again, with the position that is asked for
                yield "input", self._describe_input()

    def _describe_input(self) -> str:
        """Return how fast it is asked, and what is faster. Raises EngineError."""
        line, depth, began = Game(Position.start()), max(2, self.min_depth), time.monotonic()
        right, question = self.perft(line, depth, EngineCall(TRIAL_SECONDS)), self.arguments.of(line, depth)
        speed = f"{1 / (time.monotonic() - began):.2g} questions a second"
        twice, call = [one for one in question.lines if one not in ("quit", "exit")] * 2, EngineCall(QUICK_SECONDS)
        said = ask_once(self.name, question.words, twice, ProcessLimits(), call, ends_input=False)
        if sum(has_count(one, right) for one in said) > 1:
            alone = quote(name_program(as_typed(self.spec, self.launch)))
            return f"{speed}; it answers before its input has ended: -e {alone} may keep one process"
        return f"{speed}; a loop that answers each line at once takes 50 to 100 times as many"

    @property
    def lacks(self) -> Lacks:
        """What it cannot be asked: it prints counts and nothing else, and plays moves if its command has them."""
        lacks = dict.fromkeys((Capability.FEN, Capability.GENTYPES), NOT_APPLICABLE)
        if self.plays_moves:
            return lacks
        can_be_sent_some = self.arguments.plays_moves
        return {
            **lacks,
            Capability.MOVES: self._why_moves_are_not_played if can_be_sent_some else "put {moves} into the command",
        }

    def start(self, call: EngineCall) -> None:
        """Find out which of the numbers that the program prints is the total, and how it is written, by a count that
        is known.
        """
        if self._given.patterns is None and not self._survey_total(call):
            return
        self.understood = replace(self.understood, prints_divide=bool(self._lists))
        self.understood = with_final_moves(self.understood, self._probe, call)
        # Each question starts the program, which may take seconds.
        self.understood = with_moves(self.name, self.understood, self._probe, call, asks_once=True)

    def _probe(
        self, _descriptor: Descriptor, depth: int, call: EngineCall, game: Game, _most_seconds: float
    ) -> Transcript:
        """Return the answer to an easy question; all have the time limit of the call. Raises EngineError."""
        heard = self._hear(game, depth, call.step())
        self.has_taken_position = self.has_taken_position or heard.total == perft(game.position, depth)
        return heard

    def _survey_total(self, call: EngineCall) -> bool:
        """Note how the program writes what it prints; return True if it can be asked more. Raises EngineError."""
        is_script = self.arguments.words[-len(SCRIPT) :] == SCRIPT
        try:
            survey = self._survey_start(call)
        except EngineError:
            if is_script:
                return False  # it is reported when it occurs at a position of the user
            raise
        survey.settle()
        survey.take_games()
        if not (survey.read_count == survey.known[-1] and is_read_alike(survey)) and not call.stopped:
            self._adopt(survey, call)
        if (adopted := self.adopted_patterns) is not None:
            self._lists = adopted.lists_moves and (adopted.move is not None or None)
            return True
        self._lists, descriptor = bool(survey.pairs), replace(self.descriptor, separator=survey.separator)
        if not is_script:  # a script prints nothing but root moves and the total
            total_format, first_depth = survey.total_format, survey.first_depth
            descriptor = replace(descriptor, total_format=total_format, first_depth=first_depth)
            if not survey.has_total and not survey.pairs and not call.stopped:
                raise self._no_count(telling_line(survey.unread, survey.known[-1]))
        self.understood = replace(self.understood, descriptor=descriptor)
        return True

    def _adopt(self, survey: Survey, call: EngineCall) -> None:
        """Read answers by patterns that are correct in three positions, if there are any.

        Raises NotUnderstood if the correct count of the starting position is written, and another number is read.
        """

        def ask(position: Position, depth: int) -> Iterable[str]:
            lines = list[str]()
            with suppress(EngineError):  # it may wait for more input, or print to stderr
                self._run(Game(position), depth, call.step(), _WholeAnswer(depth, None), lines)
                if lines:
                    return lines
            try:
                known = [perft(position, one) for one in range(1, depth + 1)]
                return self.survey(Game(position), known, call.step()).lines
            except EngineError:
                return ()

        start = ProbeAnswer(tuple(survey.lines), survey.known[-1], survey.depth, Position.start())
        if states_total(start):
            return
        probes = probe(ask, self.min_depth)
        if call.stopped or is_usual(probes):
            return
        patterns = patterns_for(start, probes)
        if patterns is None:
            raise_unread(self.name, start, probes, survey.read_count)
        else:
            self.understood = replace(self.understood, descriptor=replace(self.descriptor, patterns=patterns))

    def _survey_start(self, call: EngineCall) -> Survey:
        """Return what it prints about the starting position, at a depth that it counts in time. Raises EngineError."""
        start = Game(Position.start())
        try:
            return self.survey(start, START_COUNTS[:PROBE_DEPTH], call.step())
        except EngineTimeout:
            try:
                return self.survey(start, START_COUNTS[:SHALLOW_DEPTH], call.step())
            except EngineTimeout as error:
                depths = f"neither at depth {PROBE_DEPTH} nor at depth {SHALLOW_DEPTH}"
                raise EngineTimeout(f"{error}, {depths}") from None
        except EngineError as error:
            try:  # it may count to depth 2 only
                return self.survey(start, START_COUNTS[:SHALLOW_DEPTH], call.step())
            except EngineError:
                raise error from None

    def survey(self, game: Game, known: Sequence[int], call: EngineCall) -> Survey:
        """Return what the program prints about a position with these counts at depth 1 and on. Raises EngineError."""
        survey, lines = Survey(len(known), self.descriptor.total_format, known=known), list[str]()
        self._answers_on_stderr = True
        self._run(game, survey.depth, call, survey, lines)
        self._answers_on_stderr = self._answers_on_stderr and not lines
        if self.arguments.lines and not self._prompt and (prompt := find_prompt(lines, known)):
            self._prompt = prompt
            return self.survey(game, known, call)
        return survey

    def perft(self, setup: Game, depth: int, call: EngineCall) -> int:
        """Return the total that the program prints; 1 at depth 0."""
        return 1 if depth == 0 else self._ask(setup, depth, call)[0]

    def divide(self, setup: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide that the program prints, or its total where it prints no root moves."""
        total, divide = self._ask(setup, depth, call)
        has_no_moves = total == 0 and self._prints_root_moves(call)
        return (
            divide if divide.counts or divide.is_total_only or has_no_moves or call.stopped else Divide.of_total(total)
        )

    def find_misread_line(self, setup: Game, depth: int, count: int, call: EngineCall) -> str:
        """Ask a new process; return the line with the correct count if something else is read, "" if there is none."""
        lines = list[str]()
        with suppress(EngineError):
            self._run(by_fen(setup), depth, call, _WholeAnswer(depth, None), lines)
        heard = Transcript.of(self.descriptor, depth)
        return find_misread_line([line.removeprefix(self._prompt) for line in lines], heard, count)

    def _prints_root_moves(self, call: EngineCall) -> bool:
        """Return True if the program prints root moves where there are some. Raises EngineError."""
        if self._lists is None:
            self._lists = bool(self._ask(Game(Position.start()), 1, call)[1].counts)
        return self._lists

    def _ask(self, setup: Game, depth: int, call: EngineCall) -> tuple[int, Divide]:
        """Return total and root moves. Raises EngineError, also if the two contradict each other."""
        game = setup if self.plays_moves else by_fen(setup)
        heard = self._hear(game, depth, call)
        divide = divide_of(game.position, heard)
        return divide.total if heard.total is None else heard.total, divide

    def _hear(self, game: Game, depth: int, call: EngineCall) -> Transcript:
        """Return the answer about a line, with a total unless the call is stopped. Raises EngineError."""
        heard = Transcript.of(self.descriptor, depth)
        last = self._run(game, depth, call, heard)
        if heard.total is None:
            heard.take_games()
        if self._lists is False and sum(count for _, count in heard.pairs) != heard.total:
            heard.pairs.clear()  # what looks like a root move, as O-O among moves as in games, is not one
        if call.stopped:
            return heard
        if heard.total is None and not heard.pairs and game.position.legal_moves:
            raise self._no_count(last)
        check_possible(self.name, heard)
        check_sum(self.name, game.position, heard, depth)
        heard.total = heard.divide().total if heard.total is None else heard.total
        return heard

    def _run(
        self, game: Game, depth: int, call: EngineCall, transcript: Transcript, lines: list[str] | None = None
    ) -> str | None:
        """Run the program up to the total that `transcript` hears, and return the last line; `lines` has all of stdout
        then. Raises EngineError.
        """
        question = self.arguments.of(game, depth)
        process = Process(self.name, list(question.words), self._limits)
        call.on_stop(process.interrupt)
        process.end_input(question.lines)
        last = None
        try:
            while (text := process.read(call)) is not None:
                last = text
                if lines is not None:
                    lines.append(text)
                if transcript.hear(text.removeprefix(self._prompt)):
                    break
                if transcript.is_endless:
                    raise endless(self.name)
        except EngineCrash:
            if last is None and self._answers_on_stderr:
                last = _hear_stderr(process.said_on_stderr, transcript)
            if last is None or (process.status != 0 and not transcript.pairs and not transcript.has_total):
                raise
        finally:
            process.kill()
        return last

    def _no_count(self, last: str | None) -> UnparseableOutput:
        said = "" if not last else f"; it said {printable(last)!r}"
        return UnparseableOutput(f"{self.name} prints no count{said}")


def _hear_stderr(said: str, transcript: Transcript) -> str | None:
    """Hear what a program has written on stderr; return the last line if it was an answer, else None."""
    last = None
    for last in said.splitlines():
        if transcript.hear(last):
            break
    return last if transcript.pairs or transcript.has_total else None


_PROMPT = re.compile(r"[:?>] *")
"""How a question for input ends. What the program answers follows on the same line: no newline was typed."""


def find_prompt(lines: Iterable[str], known: Sequence[int]) -> str:
    """Return what stands before a count that is known, in the first line that tells one: questions for input, "" where
    there are none.
    """
    for line in lines:
        for begin in (0, *(match.end() for match in _PROMPT.finditer(line))):
            survey = Survey(len(known), None, known=known)
            survey.hear(line[begin:])
            if survey.counts:
                return line[:begin] if survey.counts & {*known} else ""
    return ""
