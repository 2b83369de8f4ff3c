"""`perft-check run`: check an engine against suites, and report the results."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace

from rich.console import RenderableType

from ....generator.position import Position
from ....reports.live import Live
from ....reports.terminal import run as terminal
from ...checking.running.plan import RunPlan
from ...checking.running.runner import run
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.spec import EngineSpec
from ...fuzzing.baseline import RUN, Baseline, updated_failures
from ...fuzzing.suspicious_lines import MOST_SUSPECTED, LineSuspector
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..baselines import update_baseline
from ..output import console
from ..output.compiling import get_engines_ready
from ..output.report_files import Target, report


@dataclass(frozen=True)
class TextOptions:
    """Options of the text report."""

    concise: bool = False
    durations: int = 0
    verbose: bool = False
    quiet: bool = False

    def render(self, finished: RunFinished) -> RenderableType:
        """Return the text report of a run."""
        if self.concise:
            return terminal.render_concise(finished, self.durations)
        return terminal.render(finished, self.verbose, self.quiet, self.durations)


def run_suites(
    plan: RunPlan,
    engines: Sequence[EngineSpec],
    *,
    text: TextOptions,
    targets: Sequence[Target],
    is_named: bool,
    baseline: Baseline | None = None,
    updates_baseline: bool = False,
    coverage: bool = False,
) -> ExitCode:
    """Run suites, write reports, and return the exit status. Raises EngineError, UsageError.

    `is_named` is False if no engine was given. With `coverage`, the reports contain suspicious lines of the engine's
    source.
    """
    with catch_interrupts() as interrupt, ExitStack() as stack:
        suspector = None
        with suppress(Interrupted):  # the run reports the interrupt
            get_engines_ready([spec for spec in engines if spec.is_kernel], interrupt)
            if coverage:
                session = plan.engine(ForegroundCallRunner(interrupt), plan.limit)
                suspector = stack.enter_context(LineSuspector(session))
                suspector.start()
        finished = follow(plan, interrupt, text.quiet)
        if suspector is not None and not finished.interrupted:
            finished = _with_suspicious_lines(finished, suspector)
        if baseline is not None and updates_baseline:
            baseline = update_baseline(baseline, RUN, updated_failures(baseline, finished), finished.interrupted)
        if baseline is not None:
            finished = baseline.apply_to_run(finished)
        status = report(finished, text.render(finished), targets, finished.exit_code, console.out())
        if not is_named and status is ExitCode.AGREE:
            console.report_self_test()
        return status


def _with_suspicious_lines(finished: RunFinished, suspector: LineSuspector) -> RunFinished:
    """Return a run in which the first explained failures have suspicious lines."""
    results = list(finished.results)
    explained = [number for number, one in enumerate(results) if one.verdict.is_failure and one.finding is not None]
    with suppress(Interrupted):
        for number in explained[:MOST_SUSPECTED]:
            result = results[number]
            assert result.finding is not None, "an explained failure"
            base = Position.from_fen(result.fen, result.chess960)
            results[number] = replace(result, finding=suspector.suspect(result.finding, base))
    return replace(finished, results=results)


def follow(plan: RunPlan, interrupt: Interrupt, quiet: bool = False) -> RunFinished:
    """Run a plan, show progress on stderr, and return the result. Raises EngineError."""
    with Live(console.err(), quiet) as live:
        for event in run(plan, interrupt):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
