"""`perft-check perft`: the node count of one position."""

from __future__ import annotations

import time
from contextlib import closing
from functools import partial

from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal.perft import stats_table
from ....reports.text import duration, speed
from ....suites.positions import resolve_position
from ...engines.asker import Asker, Caller
from ...engines.kinds.own import compile_notice
from ...engines.registry import open_engine
from ...engines.task import Task
from ...model.shutdown import Interrupted, catch_interrupts
from ...model.verdict import ExitCode
from .. import console
from ..settings.position import PerftSettings


def main(settings: PerftSettings) -> ExitCode:
    """Print the count, alone on its line; speed goes to stderr. Raises UsageError, EngineError."""
    resolved = resolve_position(settings.position, settings.chess960)
    with catch_interrupts() as interrupt:
        caller = console.foreground(interrupt)
        try:
            if settings.stats:
                _print_stats(resolved, settings.depth, caller)
            else:
                _print_count(settings.engine, resolved, settings.depth, caller)
        except Interrupted:
            console.err().print("interrupted: no count")
            return ExitCode.INTERRUPTED
    return ExitCode.AGREE


def _print_count(spec: str, position: Position, depth: int, caller: Caller) -> None:
    with closing(open_engine(spec)) as engine:
        asker = Asker(engine, caller)
        console.start_engine(asker)
        began = time.perf_counter()
        count = asker.perft(Line(position), depth)
        seconds = time.perf_counter() - began
    figures = f"{engine.name}, depth {depth}: {duration(seconds)} {speed(count, seconds)}"
    console.err().print(figures.rstrip(), style="dim")
    console.out().print(count)


def _print_stats(position: Position, depth: int, caller: Caller) -> None:
    """Print a row for each depth, and the count; after an interrupt the rows that are complete."""
    if (line := compile_notice("count_kinds")) is not None:
        console.err().print(line, style="dim")
    rows: list[dict[str, int]] = []
    try:
        for ply in range(depth + 1):
            row = caller.call(partial(_stats, position, ply), what=f"statistics, depth {ply}")
            rows.append(row)
    finally:
        if rows:
            console.out().print(stats_table(rows))
    console.out().print(rows[-1]["nodes"])


def _stats(position: Position, depth: int, task: Task) -> dict[str, int]:
    from ....generator.counting import Stopped, stats
    from ....generator.kernels.machine.control import Control

    control = Control()
    task.attach(control)
    try:
        return stats(position, depth, control=control).as_dict()
    except Stopped:
        return {}
