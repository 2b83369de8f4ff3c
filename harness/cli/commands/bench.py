"""`perft-check bench`: how fast generators count, side by side."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack, closing

from ....errors import UsageError
from ....generator.counting import perft
from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal.bench import bench_table, technique_notes, technique_table
from ....suites.positions import resolve_position
from ...engines.asker import Asker, ForegroundCaller, TimeLimit
from ...engines.base import Engine, EngineError
from ...engines.registry import TECHNIQUES, open_engine
from ...model.command_lines import divide_command
from ...model.interrupt import Interrupt, Interrupted, catch_interrupts
from ...model.speed import Speed
from ...model.verdict import ExitCode, Verdict, exit_code
from .. import console
from ..settings.bench import BenchSettings

POSITIONS = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")
LEAST_NODES = 3_000_000
"""Each position is counted to the least depth with so many leaves."""
MOST_PLIES = 12


def main(settings: BenchSettings) -> ExitCode:
    """Print how fast engines count. Raises UsageError, and EngineError where an engine does not start.

    Each round asks every engine in turn about a position, so that a machine whose speed drifts slows
    them all. Every count is compared with that of our counting kernel; who fails at a position is not
    asked about it again. After an interrupt the positions that are complete are printed.
    """
    specs = list(dict.fromkeys(settings.engines))
    if settings.techniques:
        specs += [spec for spec in (*(f"own:{name}" for name in TECHNIQUES), "own:turbo") if spec not in specs]
    tasks = [(name, _with_moves(name)) for name in settings.positions or POSITIONS]
    speeds: list[Speed] = []
    with ExitStack() as stack:
        interrupt = stack.enter_context(catch_interrupts())
        opened = [stack.enter_context(closing(open_engine(spec))) for spec in specs or ["own", "own:turbo"]]
        bench = _Bench(opened, settings.rounds, settings.timeout, interrupt)
        try:
            bench.start()
            for name, position in tasks:
                speeds += bench.measured(name, Line(position))
        except Interrupted:
            console.err().print(f"interrupted: {len({one.position for one in speeds})} of {len(tasks)} positions timed")
    if speeds:
        console.print_table(bench_table(speeds))
    if speeds and settings.techniques and not interrupt.requested:
        console.print_table(technique_table(speeds, [position for _, position in tasks]))
        for note in technique_notes(speeds):
            console.out().print(note, soft_wrap=True)
    return exit_code([one.verdict for one in speeds], interrupt.requested)


def _with_moves(name: str) -> Position:
    """Return the position. Raises UsageError, also where it has nothing to count."""
    position = resolve_position(name)
    if not position.legal_moves:
        raise UsageError(f"{name}: no legal move, so nothing to time; give another position")
    return position


class _Bench:
    """The engines, and how they are asked."""

    def __init__(self, engines: Sequence[Engine], rounds: int, timeout: float, interrupt: Interrupt) -> None:
        caller, self._rounds = ForegroundCaller(interrupt), rounds
        self._engines = [Asker(engine, caller, TimeLimit(timeout)) for engine in engines]

    def start(self) -> None:
        """Get the engines ready. Raises EngineError, Interrupted."""
        for engine in self._engines:
            console.start_engine(engine)

    def measured(self, name: str, line: Line) -> list[Speed]:
        """Return the speed of every engine at a position. Raises Interrupted."""
        depth, nodes = _enough(line)
        console.err().print(f"{name} {depth} ...", style="dim")
        speeds = [Speed(engine.name, name, depth, nodes) for engine in self._engines]
        for _ in range(self._rounds):
            for engine, speed in zip(self._engines, speeds, strict=True):
                if speed.verdict is Verdict.AGREE:
                    self._ask(engine, line, speed)
        return speeds

    def _ask(self, engine: Asker, line: Line, speed: Speed) -> None:
        began = time.perf_counter()
        try:
            counted = engine.perft(line, speed.depth)
        except EngineError as error:
            speed.verdict = error.verdict
            console.err().print(f"{engine.name} at {speed.position}: {error}", soft_wrap=True)
            return
        if counted == speed.nodes:
            speed.rounds.append(speed.nodes / (time.perf_counter() - began) / 1e6)
            return
        speed.verdict = Verdict.MISMATCH
        command = divide_command(speed.position, speed.depth, engine.name, "own:turbo")
        wrong = f"{engine.name} counts {counted:,} at {speed.position}, depth {speed.depth}, instead of {speed.nodes:,}"
        console.err().print(f"{wrong}: {command}", soft_wrap=True)


def _enough(line: Line) -> tuple[int, int]:
    """Return the least depth with enough leaves, or else the last with any, and how many there are."""
    depth, nodes = 0, 0
    while depth < MOST_PLIES and nodes < LEAST_NODES and (more := perft(line.position, depth + 1)):
        depth, nodes = depth + 1, more
    return depth, nodes
