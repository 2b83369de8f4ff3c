"""Engines that are asked over their stdin: UCI and whatever a descriptor tells."""

from __future__ import annotations

from dataclasses import replace

from ....generator.counting import perft
from ....generator.line import Line
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ..base import Divide, EngineCrash, EngineError, EngineGarbage, EngineRejection, EngineTimeout
from ..castling_notation import as_king_takes_rook
from ..stdio.descriptor import UCI_CASE, Descriptor
from ..stdio.dialects import REJECTION, Transcript
from ..stdio.process import Limits, Process, printable
from ..task import Task

HANDSHAKE_SECONDS = 10.0
PROBE_SECONDS = 3.0
COMMANDS = ("go perft {depth}", "perft {depth}", "divide {depth}")
"""How UCI engines are asked to count; the first that works is kept."""
PROBE_DEPTH, PROBE_COUNT = 3, 8902
LEAST_COUNT = 1000
"""What is less is no wrong count of the starting position at that depth, but some other number."""
SEARCH_LINES = ("info depth D ... nodes N", "info nodes N")
"""Totals to some; to others, who take `go perft` for `go`, the nodes of a search."""
SENTINEL = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
"""Set before every position: an engine that silently refuses the next one gives itself away by this one's count."""
SENTINEL_DEPTH = 7


class StdinEngine:
    """A process, started at the first question and again after a crash, spoken to as `descriptor` says."""

    is_own = False
    is_slow = False

    def __init__(self, name: str, descriptor: Descriptor, limits: Limits | None = None, threads: int = 1) -> None:
        self.name = name
        self.descriptor = descriptor
        self.min_depth = descriptor.min_depth
        self.prints_divide = True
        """Whether root moves are printed at all."""
        self.prints_root_moves = True
        """Whether they are printed at depth 1, too."""
        self._limits = limits or Limits()
        self._threads = threads
        self._process: Process | None = None
        self._chess960 = False
        self._last_line = ""

    def notice(self) -> str | None:
        """There is nothing to wait for."""
        return None

    def start(self, task: Task) -> None:
        """Start the process, wait for its answer to `uci`, and find out how it counts."""
        self._ready(Position.start(), task)
        if self.descriptor.uci and "{command}" in self.descriptor.case:
            self._find_command(task)
        if not task.stopped:
            self._look_at_depth_1(task)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the total that the engine prints; 1 at depth 0, which many engines take for an endless search."""
        return 1 if depth == 0 else self._ask(setup, depth, task)[0]

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the engine's own divide; where it prints none, the count of each child.

        Raises EngineGarbage where root moves are printed that do not add up to the total.
        """
        if not self.prints_divide:
            return self._divide_by_children(setup, depth, task)
        if depth == 1 and (self.min_depth > 1 or not self.prints_root_moves):
            _, divide = self._ask(setup, 2, task)
            return Divide.of([(move, 1) for move, times in _times(divide) for _ in range(times)])
        total, divide = self._ask(setup, depth, task)
        if not task.stopped and divide.total != total:
            raise EngineGarbage(
                f"{self.name} contradicts itself: its total is {total:,}, its divide adds up to {divide.total:,}"
            )
        return divide

    def fen(self, setup: Line, task: Task) -> str | None:
        """Return the FEN that the engine prints for the position (`d`), if it knows that command."""
        setting_up = len(self.descriptor.position_lines)
        if not self.descriptor.uci or not setting_up:
            return None
        process = self._ready(setup.base, task)
        for line in self.descriptor.lines(self._fen(setup.base), setup.uci_moves(), 1, self._threads)[:setting_up]:
            process.send(line, task)
        process.send("d", task)
        process.send("isready", task)
        found = None
        while (line_read := process.read(task)) is not None and line_read.strip() != "readyok":
            if line_read.lower().startswith("fen:"):
                found = line_read[4:].strip()
        return found

    def close(self) -> None:
        """End the process and whatever it has started."""
        process, self._process = self._process, None
        if process is not None:
            process.quit(self.descriptor.quit)

    def _ask(self, setup: Line, depth: int, task: Task) -> tuple[int, Divide]:
        """Return total and root moves. After a failure the process is ended: nobody knows what it would say next."""
        try:
            total, divide = self._converse(setup, depth, task)
        except EngineError:
            self._discard()
            raise
        if not task.stopped and self._is_of_sentinel(depth, total, divide) and total != perft(setup.position, depth):
            raise EngineRejection(f"{self.name} counts another position: it has refused this one without a word")
        return total, divide

    def _is_of_sentinel(self, depth: int, total: int, divide: Divide) -> bool:
        """Tell whether an answer is right for the sentinel, which an engine keeps that refuses the next position."""
        if not self.descriptor.position_lines or not 0 < depth <= SENTINEL_DEPTH:
            return False
        listed = {move.uci() for move in SENTINEL.legal_moves}
        return total == perft(SENTINEL, depth) and (not divide.counts or listed == divide.counts.keys())

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _converse(self, setup: Line, depth: int, task: Task) -> tuple[int, Divide]:
        if setup.moves and not self.descriptor.plays_moves:
            setup = setup.afresh()
        process = self._ready(setup.base, task)
        sentinel = self.descriptor.position_lines
        for line in sentinel:
            process.send(line.replace("{fen}", SENTINEL.fen()).replace("{moves}", ""), task)
        for line in self.descriptor.lines(self._fen(setup.base), setup.uci_moves(), depth, self._threads):
            process.send(line, task)
        transcript = self._listen(process, depth, task)
        pairs = [(self._normal(setup.position, move), count) for move, count in transcript.pairs]
        return transcript.total or 0, Divide.of(pairs)

    def _listen(self, process: Process, depth: int, task: Task) -> Transcript:
        """Read until the total, or until the line that the descriptor says is the last."""
        transcript = Transcript(depth, self.descriptor.total)
        while True:
            line = process.read(task)
            if line is None:
                return transcript
            self._last_line = line
            counted = len(transcript.pairs)
            is_total = transcript.hear(line)
            if len(transcript.pairs) > counted:
                task.add(transcript.pairs[-1][1])
                task.found(*transcript.pairs[-1])
            elif not is_total and REJECTION.fullmatch(line):
                raise EngineRejection(f"{self.name} refuses the position: {printable(line)}")
            elif line.startswith("bestmove"):
                raise EngineGarbage(f"{self.name} searches instead of counting: {printable(line)}")
            end = self.descriptor.end
            if is_total if end is None else end.search(line):
                break
        if transcript.total is None:
            if not transcript.pairs:
                raise EngineGarbage(f"{self.name} ended its answer without a total: {printable(line)}")
            transcript.total = transcript.divide().total
        return transcript

    def _divide_by_children(self, setup: Line, depth: int, task: Task) -> Divide:
        """Ask for each legal move's child. At depth 1 only the number of moves is known, not which."""
        total = self.perft(setup, depth, task)
        counts = {
            move.uci(chess960=True): 1 if depth == 1 else self.perft(setup.after(move), depth - 1, task)
            for move in setup.position.legal_moves
            if not task.stopped
        }
        return Divide(counts, {}, total)

    def _normal(self, position: Position, move: str) -> str:
        """Return a root move as we write it: castling as king takes rook."""
        if move.startswith("O-O"):
            return _castling(position, king_side=move == "O-O") or move
        return as_king_takes_rook(position, move)

    def _fen(self, position: Position) -> str:
        return position.fen(castling="shredder" if position.chess960 else "xfen")

    def _ready(self, position: Position, task: Task) -> Process:
        """Return the process, running, silent, and in the right mode for the position."""
        if self._process is None or not self._process.is_alive:
            self._process = self._launch(task)
        process = self._process
        task.on_stop(process.interrupt)
        if self.descriptor.uci:
            if position.chess960 != self._chess960:
                process.send(f"setoption name UCI_Chess960 value {str(position.chess960).lower()}", task)
                self._chess960 = position.chess960
            process.send("isready", task)
            while (line := process.read(task)) is not None and line.strip() != "readyok":
                pass
        process.begin_question()
        return process

    def _launch(self, task: Task) -> Process:
        if self._process is not None:
            self._process.kill()
        process = Process(self.name, list(self.descriptor.launch), self._limits)
        self._process, self._chess960 = process, False
        if self.descriptor.uci:
            self._shake_hands(process, task)
        for line in self.descriptor.setup:
            process.send(line, task)
        return process

    def _shake_hands(self, process: Process, task: Task) -> None:
        greeting = Task(HANDSHAKE_SECONDS)
        task.on_stop(greeting.stop)
        try:
            process.send("uci", greeting)
            while (line := process.read(greeting)) is not None and line.strip() != "uciok":
                pass
        except EngineTimeout:
            raise EngineTimeout(
                f"{self.name} does not answer 'uci' by 'uciok' within {HANDSHAKE_SECONDS:g} seconds"
            ) from None

    def _find_command(self, task: Task) -> None:
        """Keep the first command that counts the starting position right, else the first that counts at all."""
        counting: list[Descriptor] = []
        failures: list[EngineError] = []
        for command in COMMANDS:
            if task.stopped:
                return
            self.descriptor = replace(self.descriptor, case=UCI_CASE.replace("{command}", command), total=None)
            try:
                transcript = self._probe(PROBE_DEPTH, task)
            except EngineError as error:
                self._discard()
                failures.append(error)
                continue
            found = replace(self.descriptor, total=transcript.spoken)
            self.prints_divide = bool(transcript.pairs)
            if transcript.total == PROBE_COUNT:
                self.descriptor = found
                return
            if (transcript.total or 0) >= LEAST_COUNT and transcript.spoken not in SEARCH_LINES:
                counting.append(found)
        if not counting:
            # The first command is the usual one: a crash at it says more than that others are unknown.
            if failures and not isinstance(failures[0], EngineTimeout):
                raise failures[0]
            tried = ", ".join(command.replace("{depth}", str(PROBE_DEPTH)) for command in COMMANDS)
            said = f"; it said {printable(self._last_line)!r}" if self._last_line else ""
            raise EngineGarbage(f"{self.name} does not count, or in no way that we know, when told {tried}{said}")
        self.descriptor = counting[0]

    def _look_at_depth_1(self, task: Task) -> None:
        """Find out whether depth 1 can be asked for, and prints root moves; some engines crash there."""
        if self.min_depth > 1 or not self.prints_divide:
            return
        try:
            transcript = self._probe(1, task)
        except EngineError as error:
            self._discard()
            # Some engines crash at depth 1, always; one that crashed once is not one of them.
            if isinstance(error, EngineCrash) and not self._counts(1, task) and self._counts(2, task):
                self.min_depth = 2
            return  # any other failure will come again, and is told with the position that is asked for
        self.prints_root_moves = bool(transcript.pairs)
        if not self.prints_root_moves:
            self.prints_divide = bool(self._probe(2, task).pairs)

    def _counts(self, depth: int, task: Task) -> bool:
        try:
            return self._probe(depth, task).total is not None
        except EngineError:
            self._discard()
            return False

    def _probe(self, depth: int, task: Task) -> Transcript:
        """Ask for the starting position, with little patience."""
        patience = Task(PROBE_SECONDS)
        task.on_stop(patience.stop)
        process = self._ready(Position.start(), patience)
        for line in self.descriptor.lines(Position.start().fen(), [], depth, self._threads):
            process.send(line, patience)
        return self._listen(process, depth, patience)


def _times(divide: Divide) -> list[tuple[str, int]]:
    return [(move, 1 + divide.repeated.get(move, 0)) for move in divide.counts]


def _castling(position: Position, king_side: bool) -> str | None:
    """Return castling to one side as king takes rook, if the position has it."""
    for move in position.legal_moves:
        if move.kind is MoveKind.CASTLING and (move.target > move.origin) is king_side:
            return Move.uci(move, chess960=True)
    return None
