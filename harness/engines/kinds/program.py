"""Programs that are started anew for every question, and take the position as arguments.

cmd:PROGRAM {fen} {depth} {moves}       prints a count, or a divide, in any dialect that we know; {chess960} is true or
                                        false, and declares that it knows Chess960
script:PROGRAM                          the perftree convention: PROGRAM depth "fen" "move move ..." prints the divide
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.position import Position
from ....generator.setup import by_fen, fen_of
from ...model.capabilities import IGNORED, NOT_APPLICABLE, Capability, Lacks
from ..base import WRITTEN, Divide, EngineCrash, EngineError, EngineTimeout, UnparseableOutput
from ..root_moves import EXAMPLE, are_left_out, as_king_takes_rook
from ..stdio.dialects import TOTALS
from ..stdio.last_words import printable
from ..stdio.lines import root_move
from ..stdio.probing import PLAYED, PROBE_DEPTH, SHALLOW_DEPTH, START_COUNTS
from ..stdio.process import Process, ProcessLimits
from ..stdio.transcript import Transcript, check_sum, endless
from ..task import Task

FINAL_DEPTH = 2
"""At this depth moves that end the game have a count of 0."""
SCRIPT = ("{depth}", "{fen}", "{moves?}")
"""The arguments of a script; the moves are left out where there are none."""


@dataclass(frozen=True)
class Arguments:
    """The words of a command, with places for what changes."""

    words: tuple[str, ...]

    @property
    def plays_moves(self) -> bool:
        """Whether the program can be told to play moves from a FEN."""
        return any("{moves" in word for word in self.words)

    @property
    def chess960(self) -> bool | None:
        """Whether the program is told when a position is one of Chess960; None, and not False, where it is not."""
        return any("{chess960}" in word for word in self.words) or None

    def of(self, line: Line, depth: int) -> list[str]:
        """Return the words for a question."""
        moves = " ".join(line.uci_moves())
        words = [word for word in self.words if word != "{moves?}" or moves]
        texts = {"{fen}": fen_of(line), "{depth}": str(depth), "{moves?}": moves, "{moves}": moves}
        texts["{chess960}"] = str(line.base.chess960).lower()
        for place, text in texts.items():
            words = [word.replace(place, text) for word in words]
        return words


class ProgramEngine:
    """One program. What it prints is read to its end, or up to its total."""

    min_depth = 1
    no_chess960 = ""
    setups = WRITTEN
    is_own = False
    is_slow = True

    def __init__(self, name: str, arguments: Arguments, limits: ProcessLimits | None = None) -> None:
        self.name = name
        self.arguments = arguments
        self._limits = limits or ProcessLimits()
        self._total_format: str | None = None
        self._lists: bool | None = None
        """Whether it prints root moves; None where that is not known."""
        self._separator = ""
        self._plays_moves = True
        self.refusal_of_moves = ""
        """Why it does not play moves, where it gives no count after them."""
        self.leaves_out_final_moves = False
        """Whether it prints no root moves with a count of 0."""

    @property
    def plays_moves(self) -> bool:
        """Whether the command has a place for moves, and the program plays them."""
        return self.arguments.plays_moves and self._plays_moves

    @property
    def chess960(self) -> bool | None:
        """Whether the command has a place for the variant."""
        return self.arguments.chess960

    @property
    def lacks(self) -> Lacks:
        """What it cannot be asked: it prints counts and nothing else, and plays moves if its command has them."""
        lacks = dict.fromkeys((Capability.FEN, Capability.GENTYPES), NOT_APPLICABLE)
        if self.plays_moves:
            return lacks
        unplayed = f"it gives no count after moves: {self.refusal_of_moves}" if self.refusal_of_moves else IGNORED
        return {**lacks, Capability.MOVES: unplayed if self.arguments.plays_moves else "put {moves} into the command"}

    def notice(self) -> str | None:
        """Nothing runs between questions."""
        return None

    def start(self, task: Task) -> None:
        """Find out which of the numbers that the program prints is the total, and how it is written, by a count that
        we know.
        """
        survey = _Survey(PROBE_DEPTH, None, known=START_COUNTS[PROBE_DEPTH])
        is_script = self.arguments.words[-len(SCRIPT) :] == SCRIPT
        try:
            last = self._run(Line(Position.start()), PROBE_DEPTH, task, survey)
        except EngineError:
            if is_script:
                return  # it will come again, and is told with the position that is asked for
            raise
        self._separator, self._lists = survey.separator, survey.lists_root_moves
        if not is_script:  # which prints nothing but root moves and the total
            self._total_format = survey.likely_format()
            if self._total_format is None and not survey.lists_root_moves and not task.stopped:
                raise self._no_count(last)
        self.leaves_out_final_moves = survey.lists_root_moves and self._leaves_out_final_moves(task)
        if self.arguments.plays_moves:
            self._find_out_about_moves(task)

    def _find_out_about_moves(self, task: Task) -> None:
        """Note whether moves are played: a program that ignores them counts the FEN itself, another one fails."""
        line = Line.played(Position.start(), PLAYED)
        try:
            total, _ = self._ask(line, SHALLOW_DEPTH, task)
        except EngineTimeout:
            return  # too slow to tell
        except EngineError as error:
            self._plays_moves, self.refusal_of_moves = False, str(error).removeprefix(f"{self.name} ")
        else:
            right = perft(line.position, SHALLOW_DEPTH)
            self._plays_moves = task.stopped or total == right or total != START_COUNTS[SHALLOW_DEPTH]

    def _leaves_out_final_moves(self, task: Task) -> bool:
        heard = Transcript(FINAL_DEPTH, self._total_format, separator=self._separator)
        try:
            self._run(Line(EXAMPLE), FINAL_DEPTH, task, heard)
        except EngineError:
            return False  # it will come again, and is told with the position that is asked for
        return are_left_out(move for move, _ in heard.pairs)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the total that the program prints; 1 at depth 0."""
        return 1 if depth == 0 else self._ask(setup, depth, task)[0]

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the divide that the program prints, or its total where it prints no root moves."""
        total, divide = self._ask(setup, depth, task)
        has_no_moves = total == 0 and self._prints_root_moves(task)
        return divide if divide.counts or has_no_moves or task.stopped else Divide.of_total(total)

    def fen(self, setup: Line, task: Task) -> str | None:
        """Programs print no FEN."""
        return None

    def close(self) -> None:
        """Nothing runs between questions."""

    def _prints_root_moves(self, task: Task) -> bool:
        """Tell whether the program prints root moves where there are some. Raises EngineError."""
        if self._lists is None:
            self._lists = bool(self._ask(Line(Position.start()), 1, task)[1].counts)
        return self._lists

    def _ask(self, setup: Line, depth: int, task: Task) -> tuple[int, Divide]:
        """Return total and root moves. Raises EngineError, also where the two contradict each other."""
        line = setup if self.plays_moves else by_fen(setup)
        transcript = Transcript(depth, self._total_format, separator=self._separator)
        last = self._run(line, depth, task, transcript)
        pairs = [(as_king_takes_rook(line.position, move), count) for move, count in transcript.pairs]
        divide = Divide.of(pairs)
        if task.stopped:
            return divide.total, divide
        if transcript.total is None and not pairs and line.position.legal_moves:
            raise self._no_count(last)
        total = divide.total if transcript.total is None else transcript.total
        check_sum(self.name, line.position, transcript)
        return total, divide

    def _run(self, line: Line, depth: int, task: Task, transcript: Transcript) -> str | None:
        """Run the program up to the total that `transcript` hears; return the last line. Raises EngineError."""
        process = Process(self.name, self.arguments.of(line, depth), self._limits)
        task.on_stop(process.interrupt)
        last = None
        try:
            while (text := process.read(task)) is not None:
                last = text
                if transcript.hear(text):
                    break
                if transcript.is_endless:
                    raise endless(self.name)
        except EngineCrash:
            if last is None or (process.status != 0 and not transcript.pairs):
                raise
        finally:
            process.kill()
        return last

    def _no_count(self, last: str | None) -> UnparseableOutput:
        said = "" if last is None else f"; it said {printable(last)!r}"
        return UnparseableOutput(f"{self.name} prints no count{said}")


@dataclass
class _Survey(Transcript):
    """What a program prints whose way to write totals is not known. It is heard to its end."""

    first: dict[str, int] = field(default_factory=dict)
    """The first total in each format."""
    lists_root_moves: bool = False

    def hear(self, line: str) -> bool:
        """Take in one line, which never ends the answer."""
        pair = root_move(line)
        if pair is not None:
            self.pairs.append(pair)
            self.lists_root_moves = self.lists_root_moves or "N" not in self.first  # a bare number ends a list
            return False
        for name, nodes, depth in self._totals(line):
            if depth in (None, self.depth):
                self.first.setdefault(name, nodes)
        return False

    def likely_format(self) -> str | None:
        """Return the format of the right count, else any that there is, strict ones first."""
        formats = [name for name in TOTALS if name in self.first]
        return next((name for name in formats if self.first[name] == self.known), next(iter(formats), None))
