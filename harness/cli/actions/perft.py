"""`perft-check perft`: count the leaf nodes of a position, and compare with perft-check's generator."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.text import Text

from ....generator.game import Game
from ....generator.kernels.counting.list_perft import count_kinds
from ....generator.kernels.machine.jit import specializations_of
from ....generator.kernels.tables import tables
from ....generator.position import Position
from ....reports.text import duration, speed, unwrapped
from ...engines.asking.runner import CallRunner
from ...engines.asking.session import TimeLimit
from ...engines.base import overdue
from ...engines.call import EngineCall
from ...engines.command_lines import divide_command
from ...engines.opening import open_session
from ...engines.spec import EngineSpec, short_name, short_names
from ...engines.types.own import KernelOptions
from ...model.results.positions import PerftFinished
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..output import console
from ..output.compiling import get_ready, start_engines
from ..output.console import print_json


@dataclass(frozen=True)
class PerftPlan:
    """The options of a count."""

    game: Game
    depth: int
    engine: EngineSpec
    references: Sequence[str]
    resources: KernelOptions
    """Resources of perft-check's kernels for each count."""
    timeout: float
    json: bool


def perft(plan: PerftPlan, *, stats: bool) -> ExitCode:
    """Print only the count on stdout, and everything else on stderr. Raises UsageError, EngineError."""
    with catch_interrupts() as interrupt:
        caller = console.foreground(interrupt)
        count = _count_kinds if stats else _count
        try:
            finished = count(plan, caller, interrupt)
        except Interrupted:
            console.err().print("interrupted before the count was complete")
            return ExitCode.INTERRUPTED
        if not plan.json:
            console.out().print(finished.nodes)
        try:
            finished = _compare(finished, plan, caller, interrupt)
        except Interrupted:
            console.err().print("interrupted before the count was compared")
            return ExitCode.INTERRUPTED
    if plan.json:
        print_json(finished)
    return finished.exit_code


def _count(plan: PerftPlan, caller: CallRunner, interrupt: Interrupt) -> PerftFinished:
    nodes, seconds = _ask(plan.engine, plan.game, plan, caller, interrupt)
    figures = f"{short_name(plan.engine)}, depth {plan.depth}: {duration(seconds)} {speed(nodes, seconds)}"
    console.err().print(figures.rstrip(), style="dim")
    return _finish(plan, nodes, seconds)


def _ask(
    spec: str, game: Game, plan: PerftPlan, caller: CallRunner, interrupt: Interrupt, *, is_reference: bool = False
) -> tuple[int, float]:
    """Return an engine's count and the time it took in seconds. Raises UsageError, EngineError, Interrupted."""
    limit = TimeLimit(plan.timeout)
    with open_session(spec, caller, limit, resources=plan.resources, is_reference=is_reference) as session:
        start_engines([session], interrupt, game.position, plan.depth)
        began = time.perf_counter()
        nodes = session.perft(game, plan.depth)
        return nodes, time.perf_counter() - began


def _compare(finished: PerftFinished, plan: PerftPlan, caller: CallRunner, interrupt: Interrupt) -> PerftFinished:
    """Compare the count with the references' counts, and print whether they agree. Raises EngineError, Interrupted."""
    for reference in plan.references:
        name = short_names((plan.engine, reference))[reference]
        expected, _ = _ask(reference, plan.game.without_moves(), plan, caller, interrupt, is_reference=True)
        finished = replace(finished, reference=reference, expected=expected)
        if not finished.is_wrong:
            console.err().print(f"{name} agrees", style="dim")
            continue
        console.err().print(Text(f"incorrect: {name} counts {expected:,}, not {finished.nodes:,}", style="bold red"))
        if plan.depth:
            command = divide_command(str(plan.game), plan.depth, plan.engine, reference, plan.game.base.chess960)
            console.err().print(unwrapped(("to find the wrong move: ", "dim"), command))
    return finished


def _finish(plan: PerftPlan, nodes: int, seconds: float, kinds: tuple[dict[str, int], ...] = ()) -> PerftFinished:
    position = plan.game.position
    return PerftFinished(plan.engine, position.fen(), position.chess960, plan.depth, nodes, seconds, kinds)


def _count_kinds(plan: PerftPlan, caller: CallRunner, interrupt: Interrupt) -> PerftFinished:
    """Count the moves of each kind, and print a row for each completed depth, even after an interrupt."""
    from ....reports.content.divide import stats_table  # slow to import, and only needed here

    get_ready(specializations_of([type(tables())], count_kinds), interrupt)
    rows: list[dict[str, int]] = []
    began = time.perf_counter()
    try:
        for ply in range(plan.depth + 1):
            rows.append(_kinds(plan.game.position, ply, plan, caller))  # noqa: PERF401 - keep rows at an interrupt
    finally:
        if rows and not plan.json:
            console.out().print(stats_table(rows))
    return _finish(plan, rows[-1]["nodes"], time.perf_counter() - began, tuple(rows))


def _kinds(position: Position, depth: int, plan: PerftPlan, caller: CallRunner) -> dict[str, int]:
    """Return the number of moves of each kind at one depth. Raises EngineTimeout, Interrupted."""
    limit = TimeLimit(plan.timeout).of(0)
    threads = plan.resources.threads
    row = caller.call(partial(_stats, position, depth, threads), limit, f"statistics, depth {depth}")
    if caller.latest.is_overdue:
        raise overdue(f"{short_name(plan.engine)} at depth {depth}", "has not answered", plan.timeout)
    return row


def _stats(position: Position, depth: int, threads: int, call: EngineCall) -> dict[str, int]:
    from ....generator.counting.counter import Stopped
    from ....generator.counting.perft import stats
    from ....generator.kernels.machine.memory import Control

    control = Control()
    call.attach(control)
    try:
        return stats(position, depth, control=control, threads=threads).as_dict()
    except Stopped:
        return {}
