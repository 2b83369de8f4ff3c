"""`perft-check bench`: how fast generators count, side by side, and against an older one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from ....errors import UsageError, concerning
from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal.bench import render
from ....suites.positions import resolve_position
from ...checking.benching import figures
from ...checking.benching.guard import Baseline, baseline_of
from ...checking.benching.timing import Bench, Listener, costs
from ...engines.registry import TECHNIQUES, open_engine
from ...model.results.bench import BenchFinished, Speed
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ..output import console
from ..output.report_files import parse_target, report, written_beside
from ..settings.bench import BenchSettings

ENGINES = ("own", "own:turbo")
POSITIONS = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")

Positions = Mapping[str, Position]


def main(settings: BenchSettings) -> ExitCode:
    """Print how fast engines count. Raises UsageError, and EngineError where an engine does not start.

    After an interrupt the positions that are complete are printed.
    """
    ours = filter(None, (settings.save, settings.compare))
    targets = written_beside([parse_target(text, BenchFinished) for text in settings.reports], settings.engines, ours)
    baseline = None
    if settings.compare is not None:
        with concerning(settings.compare):
            baseline = baseline_of(settings.compare, settings.engines[0])
    if settings.save is not None:
        with concerning(settings.save):
            figures.check_place(Path(settings.save))
    positions = _positions(settings.positions, baseline)
    for spec, number in Counter(settings.engines).items():
        if number > 1:
            _trouble(f"{spec} is named {number} times, and timed once")
    with catch_interrupts() as interrupt:
        finished = _run(settings, positions, baseline, interrupt)
        status = finished.exit_code if settings.save is None else _save(Path(settings.save), finished, positions)
        return report(finished, render(finished), targets, status, console.out())


def _positions(names: Sequence[str], baseline: Baseline | None) -> Positions:
    """Return what is timed, by its names. Raises UsageError."""
    given = {name: _with_moves(name) for name in names}
    return (baseline.positions(given) if baseline else given) or {name: _with_moves(name) for name in POSITIONS}


def _run(
    settings: BenchSettings, positions: Positions, baseline: Baseline | None, interrupt: Interrupt
) -> BenchFinished:
    speeds: list[Speed] = []
    with ExitStack() as stack:
        engines = [stack.enter_context(closing(open_engine(spec))) for spec in _specs(settings, baseline)]
        listener = Listener(_progress, _trouble)
        bench = Bench(engines, settings.repetitions, settings.timeout, interrupt, listener, settings.least_seconds)
        with suppress(Interrupted), interrupt.failing(OSError):
            for engine in bench.engines:
                console.start_engine(engine)
            for name, position in positions.items():
                speeds += bench.measure_speeds(name, Line(position))
        if interrupt.requested:
            timed = len({one.position for one in speeds})
            console.err().print(f"interrupted: {timed} of {len(positions)} positions timed")
    compares = settings.techniques and speeds and not interrupt.requested
    techniques = tuple(costs(list(positions.values()))) if compares else ()
    compared = baseline.compare(settings.engines[0], speeds, positions, settings.fail_below) if baseline else None
    return BenchFinished(tuple(speeds), techniques, interrupt.requested, interrupt.fault is not None, compared)


def _progress(line: str) -> None:
    console.err().print(line, style="dim")


def _trouble(line: str) -> None:
    console.err().print(line, soft_wrap=True)


def _specs(settings: BenchSettings, baseline: Baseline | None) -> Sequence[str]:
    """Return the engines to time, each once."""
    if settings.techniques:
        others = [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"]
    else:
        others = [] if settings.engines else list(ENGINES)
    beside = [*([baseline.beside] if baseline else []), *([figures.YARDSTICK] if settings.save else [])]
    return list(dict.fromkeys([*settings.engines, *others, *beside]))


def _with_moves(name: str) -> Position:
    """Return the position. Raises UsageError, also where it has nothing to count."""
    with concerning(name):
        position = resolve_position(name)
        if not position.legal_moves:
            raise UsageError(f"{name}: no legal move, so nothing to time; give another position")
    return position


def _save(path: Path, finished: BenchFinished, positions: Positions) -> ExitCode:
    """Save the figures of a bench in which all went well; return the exit status. Others are kept as they are."""
    if finished.exit_code is not ExitCode.AGREE:
        _trouble(f"nothing is saved in {path}: the bench was not whole, not right, or too slow")
        return finished.exit_code
    try:
        figures.save(path, figures.figures_of(finished.speeds, positions))
    except UsageError as error:
        _trouble(f"perft-check: {error}")
        return ExitCode.USAGE
    return ExitCode.AGREE
