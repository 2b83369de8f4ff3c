"""`perft-check bench`: how fast generators count, side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace

from ....errors import UsageError
from ....generator.counting import perft
from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal.bench import render
from ....suites.positions import resolve_position
from ...engines.asker import Asker, ForegroundCaller, TimeLimit
from ...engines.base import Engine, EngineError
from ...engines.registry import TECHNIQUES, open_engine
from ...model.bench import BenchFinished, Speed, TechniqueCost
from ...model.command_lines import divide_command
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ...model.verdict import ExitCode, Verdict
from .. import console
from ..report_files import distinct, parse_target, report
from ..settings.bench import BenchSettings

ENGINES = ("own", "own:turbo")
POSITIONS = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")
LEAST_NODES = 3_000_000
"""Each position is counted to the least depth with so many leaves."""
MOST_PLIES = 12


def main(settings: BenchSettings) -> ExitCode:
    """Print how fast engines count. Raises UsageError, and EngineError where an engine does not start.

    After an interrupt the positions that are complete are printed.
    """
    targets = distinct([parse_target(text, BenchFinished) for text in settings.reports])
    with catch_interrupts() as interrupt:
        finished = _run(settings, interrupt)
        return report(finished, render(finished), targets, finished.exit_code, console.out())


def _run(settings: BenchSettings, interrupt: Interrupt) -> BenchFinished:
    positions = {name: _with_moves(name) for name in settings.positions or POSITIONS}
    speeds: list[Speed] = []
    with ExitStack() as stack:
        engines = [stack.enter_context(closing(open_engine(spec))) for spec in _specs(settings)]
        bench = Bench(engines, settings.rounds, settings.timeout, interrupt)
        with suppress(Interrupted), interrupt.failing(OSError):
            bench.start()
            for name, position in positions.items():
                speeds += bench.measured(name, Line(position))
        if interrupt.requested:
            timed = len({one.position for one in speeds})
            console.err().print(f"interrupted: {timed} of {len(positions)} positions timed")
    compares = settings.techniques and speeds and not interrupt.requested
    techniques = tuple(_costs(list(positions.values()))) if compares else ()
    return BenchFinished(tuple(speeds), techniques, interrupt.requested, interrupt.fault is not None)


def _specs(settings: BenchSettings) -> Sequence[str]:
    techniques = [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"] if settings.techniques else []
    return list(dict.fromkeys([*settings.engines, *techniques])) or ENGINES


def _with_moves(name: str) -> Position:
    """Return the position. Raises UsageError, also where it has nothing to count."""
    position = resolve_position(name)
    if not position.legal_moves:
        raise UsageError(f"{name}: no legal move, so nothing to time; give another position")
    return position


class Bench:
    """Times engines side by side.

    Each round asks every engine in turn about a position, so that a machine whose speed drifts slows
    them all. Every count is compared with that of our counting kernel. An engine that fails at a
    position is not asked about it again.
    """

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
            speeds = [self._timed(engine, line, speed) for engine, speed in zip(self._engines, speeds, strict=True)]
        return speeds

    def _timed(self, engine: Asker, line: Line, speed: Speed) -> Speed:
        """Return a speed with one more round, or with the verdict on an engine that fails."""
        if speed.verdict is not Verdict.AGREE:
            return speed
        began = time.perf_counter()
        try:
            counted = engine.perft(line, speed.depth)
        except EngineError as error:
            console.err().print(f"{engine.name} at {speed.position}: {error}", soft_wrap=True)
            return replace(speed, verdict=error.verdict)
        if counted == speed.nodes:
            return replace(speed, rounds=(*speed.rounds, speed.nodes / (time.perf_counter() - began) / 1e6))
        wrong = f"{engine.name} counts {counted:,} at {speed.position}, depth {speed.depth}, instead of {speed.nodes:,}"
        command = divide_command(speed.position, speed.depth, engine.name, "own:turbo")
        console.err().print(f"{wrong}: {command}", soft_wrap=True)
        return replace(speed, verdict=Verdict.MISMATCH)


def _enough(line: Line) -> tuple[int, int]:
    """Return the least depth with enough leaves, or else the last with any, and how many there are."""
    depth, nodes = 0, 0
    while depth < MOST_PLIES and nodes < LEAST_NODES and (more := perft(line.position, depth + 1)):
        depth, nodes = depth + 1, more
    return depth, nodes


def _costs(positions: Sequence[Position]) -> Iterator[TechniqueCost]:
    """Yield what each technique takes in those of the positions that it knows."""
    from ....generator.techniques.registry import ENTRIES, knows
    from ....generator.techniques.tracing import traces

    for name, entry in ENTRIES.items():
        walks = list(traces(name, [position for position in positions if knows(name, position)]))
        squares = sum(walk.number("visit") + walk.number("test") for walk in walks)
        look_ups = sum(walk.number("look-up") for walk in walks)
        moves = sum(walk.legal for walk in walks)
        is_recorded = bool(squares + look_ups)
        yield TechniqueCost(
            name=name,
            table_bytes=entry.technique.table_bytes,
            squares=squares / moves if is_recorded else None,
            look_ups=look_ups / moves if is_recorded else None,
            remark=entry.technique.cost,
            lists_moves=name != "turbo",
        )
