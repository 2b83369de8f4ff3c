"""`perft-check bench`: measure how fast generators count, compared with each other and with saved results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ....errors import UsageError, concerning
from ....generator.game import Game
from ....generator.position import Position
from ....reports.live.bars import BenchLive
from ....reports.terminal.bench import render
from ....reports.text import count
from ....suites.positions import resolve_position
from ... import values
from ...checking.benching import figures
from ...checking.benching.guard import Baseline, baseline_of
from ...checking.benching.timing import Bench, BenchPlan, costs, run_bench
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.opening import TECHNIQUES, open_session
from ...engines.spec import REFERENCE, EngineSpec
from ...model.results.bench import BenchFinished, Comparison, Speed
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
    save: str | None
    compare: str | None
    fail_below: float | None
    timeout: float

    @property
    def is_guard(self) -> bool:
        """Whether results are saved or compared."""
        return self.save is not None or self.compare is not None


def bench(request: Request, targets: Sequence[Target]) -> ExitCode:
    """Print how fast engines count. After an interrupt, print only the completed positions.

    Raises UsageError, and EngineError if an engine does not start.
    """
    baseline = None
    if request.compare is not None:
        with concerning(request.compare):
            baseline = baseline_of(request.compare, request.engines[0])
    if request.save is not None:
        with concerning(request.save):
            figures.check_save_path(Path(request.save))
    positions = _positions(request.positions, baseline)
    for spec, number in Counter(request.engines).items():
        if number > 1:
            _notice(f"{spec} is given {number} times, but timed once")
    with catch_interrupts() as interrupt:
        finished = _run(request, positions, baseline, interrupt)
        status = finished.exit_code if request.save is None else _save(Path(request.save), finished, positions)
        return report(finished, render(finished), targets, status, console.out())


def _positions(names: Sequence[str], baseline: Baseline | None) -> Positions:
    """Return the positions to count, by name. Raises UsageError."""
    given = {name: _with_moves(name) for name in names}
    return (baseline.positions(given) if baseline else given) or {name: _with_moves(name) for name in POSITIONS}


def _run(request: Request, positions: Positions, baseline: Baseline | None, interrupt: Interrupt) -> BenchFinished:
    progress = None
    lines = {name: Game(position) for name, position in positions.items()}
    compare = partial(_compare, request, positions, baseline) if baseline else None
    with ExitStack() as stack:
        live = stack.enter_context(BenchLive(console.err()))
        runner = ForegroundCallRunner(interrupt, live.watch_call)
        specs = _specs(request, baseline)
        limit = TimeLimit(request.timeout)
        engines = [stack.enter_context(open_session(spec, runner, limit)) for spec in specs]
        reference = stack.enter_context(open_session(REFERENCE, runner))
        bench = Bench(engines, reference, live.tell)
        with suppress(Interrupted), interrupt.failing(OSError):
            start_engines(bench.engines, interrupt)
            for progress in run_bench(bench, lines, _plan(request, positions, baseline), compare):
                live.handle(progress)
    speeds, compared = (progress.speeds, progress.comparison) if progress and progress.rounds else ((), None)
    if interrupt.requested:
        _notice(f"interrupted after {count(progress.rounds if progress else 0, 'complete round')}")
    compares = request.techniques and speeds and not interrupt.requested
    techniques = tuple(costs(list(positions.values()))) if compares else ()
    return BenchFinished(speeds, techniques, interrupt.requested, interrupt.fault is not None, compared)


def _compare(request: Request, positions: Positions, baseline: Baseline, speeds: Sequence[Speed]) -> Comparison | None:
    return baseline.compare(request.engines[0], speeds, positions, request.fail_below)


def _plan(request: Request, positions: Positions, baseline: Baseline | None) -> BenchPlan:
    """Return the time limits and depths of the benchmark. Depths are taken from saved results, if any."""
    depths = {name: baseline.depth(position) if baseline else None for name, position in positions.items()}
    given = {name: depth or request.depth for name, depth in depths.items()}
    return BenchPlan(
        request.seconds,
        request.rounds or (None if request.is_guard else values.BENCH_ROUNDS),
        values.GUARD_SECONDS if request.is_guard else values.SHORTEST_COUNT_SECONDS,
        {name: depth for name, depth in given.items() if depth},
    )


def _notice(line: str) -> None:
    console.err().print(line, soft_wrap=True)


def _specs(request: Request, baseline: Baseline | None) -> Sequence[str]:
    """Return the engines to time, without duplicates."""
    if request.techniques:
        others = [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"]
    else:
        others = [] if request.engines else list(ENGINES)
    yardsticks = [*([baseline.timed] if baseline else []), *([figures.YARDSTICK] if request.save else [])]
    return list(dict.fromkeys([*request.engines, *others, *yardsticks]))


def _with_moves(name: str) -> Position:
    """Return a position. Raises UsageError, also if it has no legal moves."""
    with concerning(name):
        position = resolve_position(name)
        if not position.legal_moves:
            raise UsageError(f"{name} has no legal move, so there is nothing to time; name another position")
    return position


def _save(path: Path, finished: BenchFinished, positions: Positions) -> ExitCode:
    """Save the results and return the exit status. An unsuccessful benchmark does not replace the file."""
    if finished.exit_code is not ExitCode.AGREE:
        _notice(f"{path} is not written: the benchmark was interrupted, incorrect or too slow")
        return finished.exit_code
    try:
        figures.save(path, figures.figures_of(finished.speeds, positions))
    except UsageError as error:
        _notice(f"perft-check: {error}")
        return ExitCode.USAGE
    return ExitCode.AGREE
