"""`perft-check bench`: measure how fast generators count, compared with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from ....errors import UsageError, concerning
from ....generator.game import Game
from ....generator.position import Position
from ....reports.live.bars import BenchLive
from ....reports.terminal.bench import render
from ....reports.text import count
from ....suites.positions import resolve_position
from ... import values
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

Positions = Mapping[str, Position]


@dataclass(frozen=True)
class Request:
    """The options of a benchmark."""

    engines: Sequence[EngineSpec]
    positions: Sequence[str]
    techniques: bool
    seconds: float
    depth: int | None
    rounds: int | None
    compare: EngineSpec | None
    """The older engine that the first engine is compared with."""
    fail_below: float | None
    timeout: float


def bench(request: Request, targets: Sequence[Target]) -> ExitCode:
    """Print how fast engines count. After an interrupt, print only the completed positions.

    Raises UsageError, and EngineError if an engine does not start.
    """
    if request.compare is not None:
        if request.compare == request.engines[0]:
            why = f"{request.compare} would be compared with itself: name another engine with --compare"
            raise UsageError(why, request.compare)
        check_spec(request.compare)
    positions = {name: _with_moves(name) for name in request.positions or POSITIONS}
    for spec, number in Counter(request.engines).items():
        if number > 1:
            _notice(f"{spec} is given {number} times, but timed once")
    with catch_interrupts() as interrupt:
        finished = _run(request, positions, interrupt)
        return report(finished, render(finished), targets, finished.exit_code, console.out())


def _run(request: Request, positions: Positions, interrupt: Interrupt) -> BenchFinished:
    progress = None
    lines = {name: Game(position) for name, position in positions.items()}
    with ExitStack() as stack:
        live = stack.enter_context(BenchLive(console.err()))
        runner = ForegroundCallRunner(interrupt, live.watch_call)
        specs = _specs(request)
        limit = TimeLimit(request.timeout)
        engines = [stack.enter_context(open_session(spec, runner, limit)) for spec in specs]
        reference = stack.enter_context(open_session(REFERENCE, runner))
        bench = Bench(engines, reference, live.tell)
        with suppress(Interrupted), interrupt.failing(OSError):
            start_engines(bench.engines, interrupt)
            for progress in run_bench(bench, lines, _plan(request)):
                live.handle(progress)
    speeds, compared = (progress.speeds, progress.comparison) if progress and progress.rounds else ((), None)
    if interrupt.requested:
        _notice(f"interrupted after {count(progress.rounds if progress else 0, 'complete round')}")
    compares = request.techniques and speeds and not interrupt.requested
    techniques = tuple(costs()) if compares else ()
    return BenchFinished(speeds, techniques, interrupt.requested, interrupt.fault is not None, compared)


def _plan(request: Request) -> BenchPlan:
    """Return the time limits and the depth of the benchmark."""
    if request.compare is None:
        rounds = request.rounds or values.BENCH_ROUNDS
        return BenchPlan(request.seconds, rounds, values.SHORTEST_COUNT_SECONDS, request.depth)
    return BenchPlan(
        request.seconds, request.rounds, values.GUARD_SECONDS, request.depth, request.compare, request.fail_below
    )


def _notice(line: str) -> None:
    console.err().print(line, soft_wrap=True)


def _specs(request: Request) -> Sequence[str]:
    """Return the engines to time, without duplicates."""
    if request.techniques:
        others = [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"]
    else:
        others = [] if request.engines else list(ENGINES)
    compared = [] if request.compare is None else [request.compare]
    return list(dict.fromkeys([*request.engines, *others, *compared]))


def _with_moves(name: str) -> Position:
    """Return a position. Raises UsageError, also if it has no legal moves."""
    with concerning(name):
        position = resolve_position(name)
        if not position.legal_moves:
            raise UsageError(f"{name} has no legal move, so there is nothing to time; name another position")
    return position
