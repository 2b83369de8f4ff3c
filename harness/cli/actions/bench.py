"""`perft-check bench`: measure and compare how fast generators count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress

from ....errors import UsageError, concerning
from ....generator.game import Game
from ....generator.position import Position
from ....reports.live import BenchLive
from ....reports.terminal.bench import render
from ....reports.text import count
from ....suites.positions import resolve_position
from ...checking.benching import Bench, BenchPlan, costs, run_bench
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.opening import TECHNIQUES, check_spec, open_session
from ...engines.spec import REFERENCE, EngineSpec
from ...model.results.bench import BenchFinished
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..output import console
from ..output.compiling import start_engines
from ..output.report_files import Target, report

ENGINES = ("own", "own:turbo")
POSITIONS = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")


def bench(
    named: Sequence[EngineSpec],
    positions: Sequence[str],
    plan: BenchPlan,
    timeout: float,
    targets: Sequence[Target],
    *,
    techniques: bool,
) -> ExitCode:
    """Print how fast engines count. After an interrupt, print only the completed positions.

    Raises UsageError, and EngineError if an engine does not start.
    """
    if plan.compared is not None:
        if plan.compared == named[0]:
            why = f"{plan.compared} would be compared with itself: name another engine with --compare"
            raise UsageError(why, plan.compared)
        check_spec(plan.compared)
    games = {name: Game(_with_moves(name)) for name in positions or POSITIONS}
    for spec, number in Counter(named).items():
        if number > 1:
            _notice(f"{spec} is given {number} times, but timed once")
    with catch_interrupts() as interrupt:
        finished = _run(_specs(named, plan, techniques), games, plan, timeout, techniques, interrupt)
        return report(finished, render(finished), targets, finished.exit_code, console.out())


def _run(
    specs: Sequence[str],
    games: Mapping[str, Game],
    plan: BenchPlan,
    timeout: float,
    techniques: bool,
    interrupt: Interrupt,
) -> BenchFinished:
    progress = None
    with ExitStack() as stack:
        live = stack.enter_context(BenchLive(console.err()))
        runner = ForegroundCallRunner(interrupt, live.watch_call)
        limit = TimeLimit(timeout)
        engines = [stack.enter_context(open_session(spec, runner, limit)) for spec in specs]
        reference = stack.enter_context(open_session(REFERENCE, runner, limit))
        bench = Bench(engines, reference, live.tell)
        with suppress(Interrupted), interrupt.failing(OSError):
            start_engines(bench.engines, interrupt)
            for progress in run_bench(bench, games, plan):
                live.handle(progress)
    speeds, compared = (progress.speeds, progress.comparison) if progress and progress.rounds else ((), None)
    if interrupt.requested:
        _notice(f"interrupted after {count(progress.rounds if progress else 0, 'complete round')}")
    compares = techniques and speeds and not interrupt.requested
    known = tuple(costs()) if compares else ()
    return BenchFinished(speeds, known, interrupt.requested, interrupt.fault is not None, compared)


def _notice(line: str) -> None:
    console.err().print(line, soft_wrap=True)


def _specs(named: Sequence[EngineSpec], plan: BenchPlan, techniques: bool) -> Sequence[str]:
    """Return the engines to time, without duplicates."""
    others: list[str] = []
    if techniques:
        others = [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"]
    elif not named:
        others = list(ENGINES)
    compared = [] if plan.compared is None else [plan.compared]
    return list(dict.fromkeys([*named, *others, *compared]))


def _with_moves(name: str) -> Position:
    """Return a position. Raises UsageError, also if it has no legal moves."""
    with concerning(name):
        position = resolve_position(name)
        if not position.legal_moves:
            raise UsageError(f"{name} has no legal move, so there is nothing to time; name another position")
    return position
