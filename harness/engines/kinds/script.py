"""Scripts after the perftree convention: `CMD depth "fen" "move move ..."` prints the divide of one position."""

from __future__ import annotations

from ....generator.line import Line
from ..base import Divide, EngineCrash, EngineGarbage
from ..castling_notation import as_king_takes_rook
from ..stdio.dialects import Transcript
from ..stdio.process import Limits, Process
from ..task import Task


class ScriptEngine:
    """A program that is started anew for every question."""

    min_depth = 1
    chess960 = True
    is_own = False
    is_slow = False

    def __init__(self, name: str, command: list[str], limits: Limits | None = None) -> None:
        self.name = name
        self._command = command
        self._limits = limits or Limits()

    def notice(self) -> str | None:
        """There is nothing to wait for."""
        return None

    def start(self, task: Task) -> None:
        """Nothing runs between questions."""

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the total that the script prints; 1 at depth 0."""
        return 1 if depth == 0 else self._run(setup, depth, task)[0]

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the divide that the script prints."""
        total, divide = self._run(setup, depth, task)
        if not task.stopped and divide.total != total:
            raise EngineGarbage(
                f"{self.name} contradicts itself: its total is {total:,}, its divide adds up to {divide.total:,}"
            )
        return divide

    def fen(self, setup: Line, task: Task) -> str | None:
        """Scripts print no FEN."""
        return None

    def close(self) -> None:
        """Nothing runs between questions."""

    def _run(self, setup: Line, depth: int, task: Task) -> tuple[int, Divide]:
        arguments = [str(depth), setup.base.fen()]
        if setup.moves:
            arguments.append(" ".join(setup.uci_moves()))
        process = Process(self.name, [*self._command, *arguments], self._limits)
        task.on_stop(process.interrupt)
        transcript = Transcript(depth, None)
        try:
            while (line := process.read(task)) is not None:
                if transcript.hear(line):
                    break
        except EngineCrash:
            if not transcript.pairs:
                raise
        finally:
            process.kill()
        pairs = [(as_king_takes_rook(setup.position, move), count) for move, count in transcript.pairs]
        divide = Divide.of(pairs)
        return divide.total if transcript.total is None else transcript.total, divide
