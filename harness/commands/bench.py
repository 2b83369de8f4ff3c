"""`perft-check bench`: how fast generators count, side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial

from ...generator.counting import perft
from ...generator.line import Line
from ...reports.bench import bench_table, technique_notes, technique_table
from .. import console
from ..asking import Worker
from ..engines.base import Engine
from ..engines.registry import TECHNIQUES, open_engine
from ..errors import UsageError
from ..interrupt import Interrupt, catch_interrupts
from ..positions import resolve_position
from ..verdict import ExitCode

POSITIONS = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")
LEAST_NODES = 3_000_000
"""Each position is counted to the least depth with so many leaves."""
LONGEST_COUNT = 60.0
"""Seconds after which an engine is given up."""


@dataclass(frozen=True)
class Speed:
    """How fast one engine counted one position."""

    engine: str
    position: str
    depth: int
    nodes: int
    rounds: tuple[float, ...]
    """Millions of leaf nodes a second, in each round."""

    @property
    def median(self) -> float:
        """Millions of leaf nodes a second."""
        return statistics.median(self.rounds)


def main(engines: Sequence[str], techniques: bool, positions: Sequence[str], rounds: int) -> ExitCode:
    """Print how fast engines count. Raises UsageError, EngineError.

    Each round asks every engine in turn about a position, so that a machine whose speed drifts slows
    them all; every count is compared with that of our counting kernel.
    """
    specs = list(dict.fromkeys(engines))
    if techniques:
        specs += [spec for spec in (*(f"own:{name}" for name in TECHNIQUES), "own:turbo") if spec not in specs]
    specs = specs or ["own", "own:turbo"]
    tasks = [(name, resolve_position(name)) for name in positions or POSITIONS]
    worker = Worker()
    with ExitStack() as stack:
        interrupt = stack.enter_context(catch_interrupts())
        opened = [stack.enter_context(closing(open_engine(spec))) for spec in specs]
        for engine in opened:
            console.start_engine(engine, worker, interrupt)
        speeds: list[Speed] = []
        for name, position in tasks:
            console.err().print(f"{name} ...", style="dim")
            speeds += _measured(name, Line(position), opened, rounds, worker, interrupt)
    console.print_table(bench_table(speeds))
    if techniques:
        console.print_table(technique_table(speeds, [position for _, position in tasks]))
        for note in technique_notes(speeds):
            console.out().print(note, soft_wrap=True)
    return ExitCode.AGREE


def _measured(
    name: str, line: Line, engines: Sequence[Engine], rounds: int, worker: Worker, interrupt: Interrupt
) -> Iterator[Speed]:
    depth, nodes = _enough(line)
    seconds: dict[str, list[float]] = {engine.name: [] for engine in engines}
    for _ in range(rounds):
        for engine in engines:
            began = time.perf_counter()
            counted = worker.ask_quietly(partial(engine.perft, line, depth), interrupt, LONGEST_COUNT)
            seconds[engine.name].append(time.perf_counter() - began)
            if counted != nodes:
                raise UsageError(
                    f"{engine.name} counts {counted:,} at {name} {depth}, not {nodes:,}: see `divide` first"
                )
    for engine in engines:
        yield Speed(engine.name, name, depth, nodes, tuple(nodes / one / 1e6 for one in seconds[engine.name]))


def _enough(line: Line) -> tuple[int, int]:
    """Return the least depth with enough leaves, and how many there are; depth 12 at most."""
    for depth in range(1, 13):
        nodes = perft(line.position, depth)
        if nodes >= LEAST_NODES or nodes == 0:
            break
    return depth, nodes
