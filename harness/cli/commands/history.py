"""`perft-check history`: list, show, compare and plot the runs that are kept."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from ....errors import UsageError
from ....reports.terminal import history as terminal
from ...history.comparing import compare, latest_two, of_engines, speeds_over_time
from ...history.model import KeptRun, Noise, RunsCompared, RunShown, RunsListed, SpeedsOverTime
from ...history.store import cases_of, run_of, runs_of
from ...model.results.verdict import ExitCode
from ..output import console
from ..output.report_files import distinct, parse_target, report, takes_stdout, write_reports
from ..settings.history import CompareSettings, ListSettings, PlotSettings, ShowSettings


def list_runs(settings: ListSettings) -> ExitCode:
    """List the runs, the newest last. Raises UsageError."""
    runs = of_engines(runs_of(Path(settings.file)), settings.engines)
    listed = RunsListed(tuple(runs[-settings.last :]), max(0, len(runs) - settings.last))
    return _report(listed, terminal.render_list(listed), settings, ExitCode.AGREE)


def show(settings: ShowSettings) -> ExitCode:
    """Show one run. Raises UsageError."""
    shown = _run(settings.file, run_of(runs_of(Path(settings.file)), settings.run))
    return _report(shown, terminal.render_run(shown), settings, ExitCode.AGREE)


def compare_runs(settings: CompareSettings) -> ExitCode:
    """Compare two runs. Raises UsageError."""
    runs = runs_of(Path(settings.file))
    given = [None if number is None else run_of(runs, number) for number in (settings.before, settings.after)]
    before, after = latest_two(runs, given[0], given[1])
    if before is None or after is None:
        raise UsageError(f"{settings.file}: {_nothing_to_compare(after)}")
    noise = Noise(settings.ratio, settings.least_time)
    compared = compare(_run(settings.file, before), _run(settings.file, after), noise)
    return _report(compared, terminal.render_comparison(compared, settings.verbose), settings, compared.exit_code)


def plot(settings: PlotSettings) -> ExitCode:
    """Plot speeds over time. Raises UsageError."""
    targets = distinct([parse_target(text, SpeedsOverTime) for text in settings.reports], [settings.file])
    if find_spec("plotext") is None and not targets:
        raise UsageError("history plot draws with plotext, which is not here: pip install plotext, or give --report")
    runs = runs_of(Path(settings.file))
    speeds = speeds_over_time(runs, settings.engines)
    if not speeds.lines:
        raise UsageError(f"{settings.file}: no run of {', '.join(settings.engines) or 'an engine'} has a speed to plot")
    if find_spec("plotext") is not None and not takes_stdout(targets):
        from ....reports.terminal.history import render_speeds

        console.out().print(render_speeds(speeds))
    return write_reports(speeds, targets, ExitCode.AGREE)


def _nothing_to_compare(after: KeptRun | None) -> str:
    if after is None:
        return "no run is kept, so there is nothing to compare"
    return f"run {after.number} is the first one of {after.origin.identity}: name the run to compare it with"


def _run(file: str, run: KeptRun) -> RunShown:
    return RunShown(run, cases_of(Path(file), run))


def _report(
    result: RunsListed | RunShown | RunsCompared, shown: RenderableType, settings: Any, status: ExitCode
) -> ExitCode:
    """Show a result and write its reports."""
    targets = distinct([parse_target(text, type(result)) for text in settings.reports], [settings.file])
    return report(result, shown, targets, status, console.out())
