"""Programs that are started anew for every question, and take the position as arguments.

cmd:PROGRAM {fen} {depth} {moves}       prints a count, or a divide, in any dialect that we know
script:PROGRAM                          the perftree convention: PROGRAM depth "fen" "move move ..." prints the divide
"""

from __future__ import annotations

from dataclasses import dataclass

from ....generator.line import Line
from ....generator.position import Position
from ..base import Divide, EngineCrash, EngineGarbage, contradiction
from ..castling_notation import as_king_takes_rook
from ..stdio.dialects import TOTALS
from ..stdio.last_words import printable
from ..stdio.process import Limits, Process
from ..stdio.transcript import Transcript
from ..task import Task

PROBE_DEPTH, PROBE_COUNT = 3, 8902
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

    def of(self, line: Line, depth: int) -> list[str]:
        """Return the words for a question."""
        fen = line.base.fen(castling="shredder" if line.base.chess960 else "xfen")
        moves = " ".join(line.uci_moves())
        words = [word for word in self.words if word != "{moves?}" or moves]
        texts = {"{fen}": fen, "{depth}": str(depth), "{moves?}": moves, "{moves}": moves}
        for place, text in texts.items():
            words = [word.replace(place, text) for word in words]
        return words


class ProgramEngine:
    """One program. What it prints is read to its end, or up to its total."""

    min_depth = 1
    chess960 = True
    is_own = False
    is_slow = True

    def __init__(self, name: str, arguments: Arguments, limits: Limits | None = None) -> None:
        self.name = name
        self.arguments = arguments
        self._limits = limits or Limits()
        self._dialect: str | None = None
        self._prints_divide = True

    @property
    def plays_moves(self) -> bool:
        """Whether the command has a place for moves."""
        return self.arguments.plays_moves

    def notice(self) -> str | None:
        """Nothing runs between questions."""
        return None

    def start(self, task: Task) -> None:
        """Find out which of the numbers that the program prints is the total, by a count that we know."""
        if self.arguments.words[-len(SCRIPT) :] == SCRIPT:
            return  # a script prints nothing but root moves and the total
        lines = self._run(Line(Position.start()), PROBE_DEPTH, task, None)
        heard = {name: _heard(Transcript(PROBE_DEPTH, name), lines) for name in TOTALS}
        totals = {name: one.total for name, one in heard.items() if one.total is not None}
        right = [name for name, total in totals.items() if total == PROBE_COUNT]
        self._dialect = next(iter([*right, *totals]), None)
        self._prints_divide = bool(heard["N"].pairs)
        if self._dialect is None and not self._prints_divide and not task.stopped:
            raise self._printed_nothing(lines)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the total that the program prints; 1 at depth 0."""
        return 1 if depth == 0 else self._ask(setup, depth, task)[0]

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the divide that the program prints, or its total where it prints no root moves."""
        total, divide = self._ask(setup, depth, task)
        return divide if divide.counts or task.stopped else Divide.of_total(total)

    def fen(self, setup: Line, task: Task) -> str | None:
        """Programs print no FEN."""
        return None

    def close(self) -> None:
        """Nothing runs between questions."""

    def _ask(self, setup: Line, depth: int, task: Task) -> tuple[int, Divide]:
        """Return total and root moves. Raises EngineError, also where the two contradict each other."""
        line = setup if self.arguments.plays_moves else setup.afresh()
        transcript = Transcript(depth, self._dialect)
        lines = self._run(line, depth, task, transcript)
        pairs = [(as_king_takes_rook(line.position, move), count) for move, count in transcript.pairs]
        divide = Divide.of(pairs)
        if task.stopped:
            return divide.total, divide
        if transcript.total is None and not pairs and line.position.legal_moves:
            raise self._printed_nothing(lines)
        total = divide.total if transcript.total is None else transcript.total
        if pairs and divide.total != total:
            raise contradiction(self.name, total, divide)
        return total, divide

    def _run(self, line: Line, depth: int, task: Task, transcript: Transcript | None) -> list[str]:
        """Return what the program prints, up to the total that `transcript` hears, if given. Raises EngineError."""
        process = Process(self.name, self.arguments.of(line, depth), self._limits)
        task.on_stop(process.interrupt)
        lines: list[str] = []
        try:
            while (text := process.read(task)) is not None:
                lines.append(text)
                if transcript is not None and transcript.hear(text):
                    break
        except EngineCrash:
            if not lines or (process.status != 0 and not (transcript is not None and transcript.pairs)):
                raise
        finally:
            process.kill()
        return lines

    def _printed_nothing(self, lines: list[str]) -> EngineGarbage:
        said = f"; it said {printable(lines[-1])!r}" if lines else ""
        return EngineGarbage(f"{self.name} prints no count{said}")


def _heard(transcript: Transcript, lines: list[str]) -> Transcript:
    """Return a transcript of lines up to the total."""
    for line in lines:
        if transcript.hear(line):
            break
    return transcript
