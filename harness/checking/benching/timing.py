"""Timing engines side by side, in rounds, and what our techniques take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.position import Position
from ...asking.client import EngineClient, ForegroundCallRunner, TimeLimit
from ...engines.base import Engine, EngineError
from ...model.command_lines import divide_command
from ...model.results.bench import Speed, TechniqueCost
from ...model.results.verdict import Verdict
from ...model.shutdown import Interrupt

LEAST_NODES = 3_000_000
"""Each position is counted to the least depth with so many leaves."""
MOST_PLIES = 12

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Listener:
    """Who is told what happens, a line at a time."""

    progress: Tell = lambda _line: None
    trouble: Tell = lambda _line: None


class Bench:
    """Times engines side by side.

    Each round asks every engine in turn about a position, so that a machine whose speed drifts slows
    them all; every second round asks them in reverse, so that none always follows the same other one.
    Every count is compared with that of our counting kernel. An engine that fails at a position is not
    asked about it again.
    """

    def __init__(
        self,
        engines: Sequence[Engine],
        rounds: int,
        timeout: float,
        interrupt: Interrupt,
        listener: Listener = Listener(),
        least_seconds: float = 0.0,
    ) -> None:
        """An engine counts a position at least once a round, and again until `least_seconds` are over."""
        runner, self._rounds, self._listener = ForegroundCallRunner(interrupt), rounds, listener
        self._least_seconds = least_seconds
        self.engines = [EngineClient(engine, runner, TimeLimit(timeout)) for engine in engines]
        """To be started before anything is measured."""

    def measure_speeds(self, name: str, line: Line) -> list[Speed]:
        """Return the speed of every engine at a position. Raises Interrupted."""
        depth, nodes = _enough(line)
        self._listener.progress(f"{name} {depth} ...")
        speeds = [Speed(engine.name, name, depth, nodes) for engine in self.engines]
        order = range(len(speeds))
        for number in range(self._rounds):
            for place in reversed(order) if number % 2 else order:
                speeds[place] = self._time_once(self.engines[place], line, speeds[place])
        return speeds

    def _time_once(self, engine: EngineClient, line: Line, speed: Speed) -> Speed:
        """Return a speed with one more round, or with the verdict on an engine that fails."""
        if speed.verdict is not Verdict.AGREE:
            return speed
        began, elapsed, times = time.perf_counter(), 0.0, 0
        try:
            while (counted := engine.perft(line, speed.depth)) == speed.nodes:
                elapsed, times = time.perf_counter() - began, times + 1
                if elapsed >= self._least_seconds:
                    return replace(speed, rounds=(*speed.rounds, times * speed.nodes / elapsed / 1e6))
        except EngineError as error:
            self._listener.trouble(f"{engine.name} at {speed.position}: {error}")
            return replace(speed, verdict=error.verdict)
        wrong = f"{engine.name} counts {counted:,} at {speed.position}, depth {speed.depth}, instead of {speed.nodes:,}"
        command = divide_command(speed.position, speed.depth, engine.name, "own:turbo")
        self._listener.trouble(f"{wrong}: {command}")
        return replace(speed, verdict=Verdict.MISMATCH)


def _enough(line: Line) -> tuple[int, int]:
    """Return the least depth with enough leaves, or else the last with any, and how many there are."""
    depth, nodes = 0, 0
    while depth < MOST_PLIES and nodes < LEAST_NODES and (more := perft(line.position, depth + 1)):
        depth, nodes = depth + 1, more
    return depth, nodes


def costs(positions: Sequence[Position]) -> Iterator[TechniqueCost]:
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
