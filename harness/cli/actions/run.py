"""`perft-check run`: check an engine against suites, and report the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import RenderableType

from ....reports.live.bars import Live
from ....reports.terminal import run as terminal
from ....suites.case import Suite
from ...checking.running.last_failures import LastFailures, only_failed
from ...checking.running.plan import LIMIT, RunPlan
from ...checking.running.runner import run
from ...checking.running.selection import Selection
from ...engines.asking.session import TimeLimit
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...engines.types.own import KernelOptions
from ...fuzzing.baseline import RUN, Baseline, updated_failures
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ...values import EXPLAINED
from ..baselines import update_baseline
from ..dialogue import report_self_test
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


def only_last_failed(suites: Mapping[Path, Suite], failures: LastFailures, engine: str) -> Mapping[Path, Suite]:
    """Return suites with only the cases that failed last time, or all cases if none did."""
    failed = {path: only_failed(suite, failures.names(path)) for path, suite in suites.items()}
    chosen, every = (sum(map(len, one.values())) for one in (failed, suites))
    if not chosen:
        console.say(f"--lf: {engine} has no known failures in these suites, so all positions are checked")
        return suites
    which = "the position" if chosen == 1 else f"the {chosen:,} positions"
    console.say(f"--lf: checking only {which} that failed last time, of {every:,}")
    return {path: suite for path, suite in failed.items() if suite.cases}


def run_suites(
    plan: RunPlan,
    paths: Mapping[str, Path],
    engines: Sequence[EngineSpec],
    *,
    text: TextOptions,
    targets: Sequence[Target],
    failures: LastFailures,
    is_named: bool,
    baseline: Baseline | None = None,
    updates_baseline: bool = False,
) -> ExitCode:
    """Run suites, write reports, and return the exit status. Raises EngineError.

    `paths` maps the names of the suites to their files; `is_named` is False if no engine was given.
    """
    with catch_interrupts() as interrupt:
        with suppress(Interrupted):  # the run reports the interrupt
            get_engines_ready([spec for spec in engines if spec.is_kernel], interrupt)
        finished = follow(plan, interrupt, text.quiet)
        failures.keep(finished, paths)
        if baseline is not None and updates_baseline:
            baseline = update_baseline(baseline, RUN, updated_failures(baseline, finished), finished.interrupted)
        if baseline is not None:
            finished = baseline.apply_to_run(finished)
        status = report(finished, text.render(finished), targets, finished.exit_code, console.out())
        if not is_named and status is ExitCode.AGREE:
            report_self_test()
        return status


def make_plan(
    selection: Selection,
    suites: Sequence[Suite],
    references: Sequence[EngineSpec] = (),
    *,
    seconds: float | None = None,
    require_all: bool = False,
    fail_fast: bool = False,
    fails_not_reproduced: bool = False,
    explain: int = EXPLAINED,
    jobs: int = 1,
    limit: TimeLimit = LIMIT,
    memory: int | None = None,
    hash_bytes: int | None = None,
) -> RunPlan:
    """Return the plan of a run."""
    limits = ProcessLimits.of_mebibytes(memory)
    resources = KernelOptions(hash_bytes=hash_bytes)
    return RunPlan(
        engine=partial(
            open_session,
            selection.engine,
            limits=limits,
            resources=resources,
            insists_on_chess960=selection.chess960 is True,
        ),
        suites=tuple(suites),
        references=tuple(
            partial(open_session, spec, limits=limits, resources=resources, is_reference=True) for spec in references
        ),
        arbiter=partial(open_session, selection.engine.default_reference),
        seconds=seconds,
        require_all=require_all,
        fail_fast=fail_fast,
        fails_not_reproduced=fails_not_reproduced,
        explain=explain,
        jobs=jobs,
        limit=limit,
        shorter=selection.shorter,
        left_out=selection.left_out,
    )


def follow(plan: RunPlan, interrupt: Interrupt, quiet: bool = False) -> RunFinished:
    """Run a plan, show progress on stderr, and return the result. Raises EngineError."""
    with Live(console.err(), quiet) as live:
        for event in run(plan, interrupt):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
