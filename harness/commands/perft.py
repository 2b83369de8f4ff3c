"""`perft-check perft`: the node count of one position."""

from __future__ import annotations

import time

from rich.table import Table

from ...generator.position import Position
from ...reports.text import duration, speed
from .. import console
from ..asking import Interrupted, Worker
from ..engines.base import Engine
from ..engines.own import KERNELS
from ..engines.registry import open_engine
from ..errors import UsageError
from ..interrupt import Interrupt, catch_interrupts
from ..positions import resolve_position
from ..task import Task
from ..verdict import ExitCode

_TITLES = {"en_passant": "e.p.", "discovered_checks": "discovered", "double_checks": "double"}


def main(position: str, depth: int, spec: str, stats: bool, chess960: bool) -> ExitCode:
    """Print the count, alone on its line; speed goes to stderr. Raises UsageError, EngineError."""
    resolved = resolve_position(position, chess960)
    engine = open_engine(spec)
    if stats and spec not in KERNELS:
        raise UsageError(f"--stats needs our own generator, not {spec!r}: leave --engine out")
    worker = Worker()
    with catch_interrupts() as interrupt:
        try:
            console.start_engine(engine, worker, interrupt)
            if stats:
                _print_stats(resolved, depth, worker, interrupt)
            else:
                _print_count(engine, resolved, depth, worker, interrupt)
        except Interrupted:
            console.err().print("interrupted: no count")
            return ExitCode.INTERRUPTED
        finally:
            engine.close()
    return ExitCode.AGREE


def _print_count(engine: Engine, position: Position, depth: int, worker: Worker, interrupt: Interrupt) -> None:
    def timed(task: Task) -> tuple[int, float]:
        began = time.perf_counter()
        return engine.perft(position, depth, task), time.perf_counter() - began

    count, seconds = console.ask_with_status(timed, worker, interrupt, f"{engine.name} depth {depth}")
    console.err().print(
        f"{engine.name}, depth {depth}: {duration(seconds)} {speed(count, seconds)}".rstrip(), style="dim"
    )
    console.out().print(count)


def _print_stats(position: Position, depth: int, worker: Worker, interrupt: Interrupt) -> None:
    def count(task: Task) -> list[dict[str, int]]:
        from ...generator.counting import Stopped, stats
        from ...generator.kernels.control import Control

        control = Control()
        task.attach(control)
        try:
            return [stats(position, ply, control=control).as_dict() for ply in range(depth + 1)]
        except Stopped:
            return []

    rows = console.ask_with_status(count, worker, interrupt, f"statistics to depth {depth}")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("depth", *(_TITLES.get(name, name) for name in rows[0])):
        table.add_column(title, justify="right", no_wrap=True)
    for ply, row in enumerate(rows):
        table.add_row(str(ply), *(f"{number:,}" for number in row.values()))
    console.out().print(table)
    console.out().print(rows[-1]["nodes"])
