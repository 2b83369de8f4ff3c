"""Programs that are started for each question and take the position as arguments.

cmd:PROGRAM {fen} {depth} {moves}       prints a count or a divide in any known dialect; {fields} is replaced by the
                                        six fields of the FEN, one argument each; {chess960} becomes true or false, and
                                        declares that the program supports Chess960
cmd:PROGRAM {depth} <<< {fen}           the same; each word after <<< is a line of input for the program
script:PROGRAM                          the perftree convention: PROGRAM depth "fen" "move move ..." prints the divide
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import fen_of, setup_without_moves
from ...model.capabilities import NOT_APPLICABLE, Capability, MissingCapabilities
from ..base import Divide, EngineCrash, EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..command_words import STDIN
from ..engine import WRITTEN
from ..spec import EngineSpec
from ..stdio.asking_once import ask_once
from ..stdio.attempts import PROBE_DEPTH, SHALLOW_DEPTH
from ..stdio.consistency import check_possible, check_sum, divide_of
from ..stdio.descriptor import Descriptor
from ..stdio.learned_patterns import (
    ProbeAnswer,
    is_read_alike,
    learn,
    raise_unread,
    telling_line,
)
from ..stdio.output import printable
from ..stdio.probing import with_final_moves, with_format_of, with_moves
from ..stdio.process import Process, ProcessLimits
from ..stdio.sentinels import START_COUNTS
from ..stdio.transcript import Survey, Transcript, endless
from .probed import ProbedEngine

SCRIPT = ("{depth}", "{fen}", "{moves?}")
"""The arguments of a perftree script. `{moves?}` is omitted if there are no moves."""


@dataclass(frozen=True)
class CommandTemplate:
    """The words of a command and the lines of its input, with placeholders for the question."""

    words: tuple[str, ...]
    lines: tuple[str, ...] = ()

    @classmethod
    def of_command(cls, words: Sequence[str]) -> CommandTemplate:
        """Split the words of a command at `<<<`, which precedes the lines of input."""
        place = words.index(STDIN) if STDIN in words else len(words)
        return cls(tuple(words[:place]), tuple(words[place + 1 :]))

    @property
    def command(self) -> tuple[str, ...]:
        """The words of the command, as accepted by `of_command`."""
        return (*self.words, STDIN, *self.lines) if self.lines else self.words

    @property
    def plays_moves(self) -> bool:
        """Whether the command has a placeholder for moves."""
        return any("{moves" in word for word in (*self.words, *self.lines))

    @property
    def chess960(self) -> bool | None:
        """True if the command has a placeholder for the variant, or None because it declares nothing."""
        return any("{chess960}" in word for word in self.words) or None

    def fill(self, game: Game, depth: int) -> CommandTemplate:
        """Return the template filled in with a game and a depth."""
        fen, moves = fen_of(game), " ".join(game.uci_moves())
        texts = {"{fen}": fen, "{fields}": fen, "{depth}": str(depth), "{moves?}": moves, "{moves}": moves}
        texts["{chess960}"] = str(game.base.chess960).lower()
        words = [word for word in self.words if word != "{moves?}" or moves]
        places = [one for word in words for one in (fen.split() if word == "{fields}" else [word])]
        return CommandTemplate(
            tuple(_fill(word, texts) for word in places), tuple(_fill(one, texts) for one in self.lines)
        )


def _fill(text: str, texts: Mapping[str, str]) -> str:
    for place, value in texts.items():
        text = text.replace(place, value)
    return text


class ProgramEngine(ProbedEngine):
    """A program that is started for each question. Its output is read up to the total or to the end."""

    no_chess960 = 'its descriptor has "chess960": false'
    setups = WRITTEN
    is_slow = True
    starts_for_each_question = True

    def __init__(
        self,
        spec: str,
        template: CommandTemplate,
        limits: ProcessLimits | None = None,
        described: Descriptor | None = None,
    ) -> None:
        """Store the SPEC, the command, the limits for its processes, and the descriptor from a file, if any."""
        given = described or Descriptor(EngineSpec(spec).name, template.command, "", uci=False)
        super().__init__(spec, given, limits)
        self.understood = replace(self.understood, plays_moves=template.plays_moves)
        self.template = template

    @property
    def launch(self) -> tuple[str, ...]:
        """The words of its command, without the lines of input."""
        return self.template.words

    @property
    def chess960(self) -> bool | None:
        """Whether the descriptor, or else the command, declares support for Chess960."""
        return self.template.chess960 if self._given.chess960 is None else self._given.chess960

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield titles and texts that describe how the program is asked and how its answers are read."""
        yield "runs", "once for each question"
        if (patterns := self.adopted_patterns) is not None:
            if patterns.total is not None:
                yield from self._total_facts()
            if patterns.move is not None and patterns.lists_moves:
                yield "root moves", f"as move_re says: {patterns.move.text}"
        if self.template.plays_moves:
            yield from self._move_facts()

    @property
    def lacks(self) -> MissingCapabilities:
        """The missing capabilities: programs only print counts, and need a placeholder to play moves."""
        lacks = dict.fromkeys((Capability.FEN, Capability.GENTYPES), NOT_APPLICABLE)
        if self.plays_moves:
            return lacks
        can_be_sent_some = self.template.plays_moves
        return {
            **lacks,
            Capability.MOVES: self._why_moves_are_not_played if can_be_sent_some else "put {moves} into the command",
        }

    def start(self, call: EngineCall) -> None:
        """Use known counts to determine which printed number is the total, and how it is written."""
        prints_divide = self._given.patterns is None and self._survey_total(call)
        if (patterns := self.descriptor.patterns) is not None:
            prints_divide = patterns.lists_moves and (patterns.move is not None or self._prints_root_moves(call))
        self.understood = replace(self.understood, prints_divide=prints_divide)
        self.understood = with_final_moves(self.understood, self._probe, call)
        self.understood = with_moves(self.name, self.understood, self._probe, call)

    def _probe(
        self, _descriptor: Descriptor, depth: int, call: EngineCall, game: Game, _most_seconds: float
    ) -> Transcript:
        """Ask an easy question with the time limit of the call; `_most_seconds` is ignored. Raises EngineError."""
        answer = self._ask(game, depth, call.step())
        self.has_taken_position = self.has_taken_position or answer.total == perft(game.position, depth)
        return answer

    def _survey_total(self, call: EngineCall) -> bool:
        """Determine the format of answers. Return True if they contain root moves. Raises EngineError."""
        survey = self._survey_start(call)
        survey.settle()
        survey.take_san_moves()
        if not (survey.read_count == survey.known[-1] and is_read_alike(survey)) and not call.stopped:
            self._adopt(survey, call)
        if self.adopted_patterns is None:
            if not survey.has_total and not survey.pairs and not call.stopped:
                raise self._no_count(telling_line(survey.unread, survey.known[-1]))
            self.understood = replace(self.understood, descriptor=with_format_of(self.descriptor, survey))
        return bool(survey.pairs)

    def _adopt(self, survey: Survey, call: EngineCall) -> None:
        """Adopt patterns that parse the answers about three positions correctly, if there are any.

        Raises NotUnderstood if the correct count of the starting position is printed but another number is parsed.
        """

        def ask(position: Position, depth: int) -> list[str]:
            return self.output(Game(position), depth, call.step())

        start = ProbeAnswer(tuple(survey.lines), survey.known[-1], survey.depth, Position.start())
        patterns, probes = learn(start, ask, self.min_depth)
        if patterns is not None:
            self.understood = replace(self.understood, descriptor=replace(self.descriptor, patterns=patterns))
        elif probes and not call.stopped:
            raise_unread(self.name, start, probes, survey.read_count)

    def _survey_start(self, call: EngineCall) -> Survey:
        """Return the answer about the starting position, at a smaller depth if it fails. Raises EngineError."""
        failures: list[EngineError] = []
        for depth in (PROBE_DEPTH, SHALLOW_DEPTH):  # the program may be slow, or support only depths up to 2
            try:
                return self.survey(Game(Position.start()), START_COUNTS[:depth], call.step())
            except EngineError as error:
                failures.append(error)
        if all(isinstance(error, EngineTimeout) for error in failures):
            depths = f"at depth {PROBE_DEPTH} or at depth {SHALLOW_DEPTH}"
            raise EngineTimeout(f"{failures[-1]} {depths}")
        raise failures[0]

    def survey(self, game: Game, known: Sequence[int], call: EngineCall) -> Survey:
        """Return the answer about a position with `known` counts from depth 1. Raises EngineError."""
        survey, lines = Survey(len(known), self.descriptor.total_format, known=known), list[str]()
        self._run(game, survey.depth, call, survey, lines)
        return survey

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide that the program prints, or only its total if it prints no root moves."""
        answer = self._ask(game, depth, call)
        divide, total = divide_of(game.position, answer), answer.total or 0
        has_no_moves = total == 0 and self.understood.prints_divide
        is_complete = divide.counts or divide.is_total_only or has_no_moves or call.stopped
        return divide if is_complete else Divide.of_total(total)

    def output(self, game: Game, depth: int, call: EngineCall, *, with_errors: bool = False) -> list[str]:
        """Return all lines that the program prints, up to the time limit if it waits for more input."""
        question = self.template.fill(game, depth)
        return ask_once(self.name, question.words, question.lines, self._limits, call, with_errors=with_errors)

    def _prints_root_moves(self, call: EngineCall) -> bool:
        """Return True if the program prints root moves in a known format, or fails."""
        try:
            return bool(self._ask(Game(Position.start()), max(1, self.min_depth), call.step()).pairs)
        except EngineError:
            return True  # reported if it happens in the user's positions

    def _ask(self, game: Game, depth: int, call: EngineCall) -> Transcript:
        """Return the answer about a game. It has a total unless the call was stopped.

        Raises EngineError, for example if the total and the root moves contradict each other.
        """
        game = game if self.plays_moves else setup_without_moves(game)
        answer = Transcript.of(self.descriptor, depth)
        last = self._run(game, depth, call, answer)
        if answer.total is None:
            answer.take_san_moves()
        if not self.understood.prints_divide and sum(count for _, count in answer.pairs) != answer.total:
            answer.pairs.clear()  # lines that resemble root moves, such as O-O among moves in SAN, are something else
        if call.stopped:
            return answer
        if answer.total is None and not answer.pairs and game.position.legal_moves:
            raise self._no_count(last)
        check_possible(self.name, answer)
        check_sum(self.name, game.position, answer, depth)
        answer.total = answer.divide().total if answer.total is None else answer.total
        return answer

    def _run(
        self, game: Game, depth: int, call: EngineCall, transcript: Transcript, lines: list[str] | None = None
    ) -> str | None:
        """Run the program until `transcript` is complete. Return the last line, and append stdout to `lines`.

        Raises EngineError.
        """
        question = self.template.fill(game, depth)
        process = Process(self.name, list(question.words), self._limits)
        call.on_stop(process.interrupt)
        process.end_input(question.lines)
        last = None
        try:
            while (text := process.read(call)) is not None:
                last = text
                if lines is not None:
                    lines.append(text)
                if transcript.add(text):
                    break
                if transcript.is_endless:
                    raise endless(self.name)
        except EngineCrash:
            if last is None or (process.status != 0 and not transcript.pairs and not transcript.has_total):
                raise
        finally:
            process.kill()
        return last

    def _no_count(self, last: str | None) -> UnparseableOutput:
        said = "" if not last else f"; it said {printable(last)!r}"
        return UnparseableOutput(f"{self.name} prints no count{said}")
