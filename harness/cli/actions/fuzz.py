"""`perft-check fuzz`: generate positions, and report, minimize and explain failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import RenderableType
from rich.text import Text

from ....errors import UsageError, UserError
from ....reports.failure import render_discrepancy
from ....reports.live.fuzz import FuzzLive
from ....reports.terminal.fuzz import render, render_several
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.call import EngineCall
from ...engines.spec import EngineSpec, short_name
from ...fuzzing.baseline import FUZZ, Baseline, failures_of_fuzz
from ...fuzzing.campaign import RunFailed, fuzz, side_by_side
from ...fuzzing.corpus import CorpusWriter
from ...fuzzing.examining import build_examiner, games_to_replay, replay
from ...fuzzing.model import Discrepancy, FuzzFinished
from ...fuzzing.needed_kernels import kernels_for
from ...fuzzing.plan import FuzzPlan
from ...model.results.verdict import ExitCode, Verdict, exit_code, worst
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..baselines import update_baseline
from ..dialogue import report_self_test
from ..output import console
from ..output.compiling import get_engines_ready, get_ready
from ..output.report_files import Target, check_targets, file_names_of, parse_target, takes_stdout, write_reports


@dataclass(frozen=True)
class _EngineRun:
    """The run of one engine."""

    name: str
    """The name of the engine in messages and file names; empty if there is only one."""
    plan: FuzzPlan
    targets: Sequence[Target]
    corpus: CorpusWriter


@dataclass(frozen=True)
class Output:
    """Options for what a run prints and writes."""

    corpus: str | None = None
    fails_not_reproduced: bool = False
    verbose: bool = False
    quiet: bool = False
    baseline: Baseline | None = None
    updates_baseline: bool = False

    @property
    def files(self) -> list[str]:
        """The files that the run writes in addition to reports."""
        baseline = None if self.baseline is None else str(self.baseline.path)
        return [path for path in (self.corpus, baseline) if path is not None]


def fuzz_engines(
    plans: Sequence[FuzzPlan], output: Output, targets: Mapping[str, Sequence[Target]], *, is_named: bool
) -> ExitCode:
    """Fuzz engines in parallel, write reports, and return the exit status. Raises UsageError, SuiteError, EngineError.

    `targets` maps the name of each engine to its reports; `is_named` is False if no engine was given.
    """
    corpora = [CorpusWriter(output.corpus, console.warn) for _ in plans]
    runs = zip(targets.items(), plans, corpora, strict=True)
    status = _fuzz(output, [_EngineRun(name, plan, own, corpus) for (name, own), plan, corpus in runs])
    if status is ExitCode.AGREE and not is_named:
        report_self_test("fuzz")
    return status


def reports_of(
    texts: Sequence[str], engines: Sequence[EngineSpec], against: Sequence[str], output: Output, *, coverage: bool
) -> dict[str, Sequence[Target]]:
    """Return the reports of each engine by name. Raises UsageError."""
    reports = [parse_target(text, FuzzFinished) for text in texts]
    if not coverage:
        _reject_coverage_reports(texts, reports)
    files = output.files
    if len(engines) == 1:
        return {"": check_targets(reports, (*engines, *against), files)}
    targets: dict[str, Sequence[Target]] = {}
    for name in file_names_of(engines):
        targets[name] = check_targets([target.for_engine(name) for target in reports], (*engines, *against), files)
        files += [target.path for target in targets[name]]
    return targets


def _reject_coverage_reports(texts: Sequence[str], reports: Sequence[Target]) -> None:
    """Raise UsageError for a coverage report, because coverage is not measured."""
    for text, target in zip(texts, reports, strict=True):
        if target.format.name == "lcov":
            raise UsageError(f"--report {text!r} needs --coverage", text)


def _fuzz(output: Output, runs: Sequence[_EngineRun]) -> ExitCode:
    """Fuzz in parallel, write reports, and return the exit status."""
    ended: dict[str, FuzzFinished] = {}
    failed: dict[str, UserError] = {}
    with catch_interrupts() as interrupt:
        try:
            _compile([run.plan for run in runs], interrupt)
        except Interrupted:
            console.err().print("interrupted before the first position")
            return ExitCode.INTERRUPTED
        streams = {run.name: fuzz(run.plan, interrupt, run.corpus) for run in runs}
        with FuzzLive(console.err(), output.quiet, output.verbose) as live:
            for name, event in side_by_side(streams):
                if isinstance(event, RunFailed):
                    failed[name] = event.failure
                    continue
                with interrupt.failing(OSError):
                    live.handle(event, name)
                if isinstance(event, FuzzFinished):
                    ended[name] = event
        done = {run.name: _finish(output, run, ended[run.name]) for run in runs if run.name in ended}
        if not takes_stdout(runs[0].targets):
            console.out().print(_render_all(output, done, failed, is_alone=len(runs) == 1))
        statuses = [_report(run, done[run.name]) for run in runs if run.name in done]
    statuses += [ExitCode.USAGE if one.is_usage else ExitCode.ENGINE_FAILED for one in failed.values()]
    return worst(statuses)


def _compile(plans: Sequence[FuzzPlan], interrupt: Interrupt) -> None:
    """Compile the kernels of the runs before their time limits start. Raises Interrupted."""
    get_ready([form for plan in plans for form in kernels_for(plan)], interrupt)


def _finish(output: Output, run: _EngineRun, event: FuzzFinished) -> FuzzFinished:
    """Return the result of a run with additional facts for reports."""
    stored = output.corpus if run.corpus.has_kept else None
    event = replace(event, stored=stored, fails_not_reproduced=output.fails_not_reproduced)
    baseline = output.baseline
    if baseline is not None and output.updates_baseline:
        baseline = update_baseline(baseline, FUZZ, failures_of_fuzz(event), event.interrupted)
    return event if baseline is None else baseline.apply_to_fuzz(event)


def _render_all(
    output: Output, done: Mapping[str, FuzzFinished], failed: Mapping[str, UserError], *, is_alone: bool
) -> RenderableType:
    if is_alone:
        return render(done[""], output.verbose, output.quiet)
    messages = {name: str(failure) for name, failure in failed.items()}
    return render_several(done, messages, output.verbose, output.quiet)


def _report(run: _EngineRun, finished: FuzzFinished) -> ExitCode:
    """Write the reports of a run, and return its exit status."""
    status = write_reports(finished, run.targets, finished.exit_code)
    return ExitCode.USAGE if run.corpus.failure is not None and status is ExitCode.AGREE else status


def replayed_game(text: str, chess960: bool | None, plan: FuzzPlan, *, is_named: bool) -> ExitCode:
    """Check one game and print each discrepancy. `is_named` is as in `fuzz_engines`."""
    lines = games_to_replay(text, chess960)
    examiner = build_examiner(plan)
    examiner.notify = lambda notice: console.err().print(notice, style="dim")
    for notice in examiner.notices():
        examiner.notify(notice)
    with catch_interrupts() as interrupt:
        get_engines_ready((plan.engine, *plan.references), interrupt)

        def work(call: EngineCall) -> list[Discrepancy]:
            call.on_stop(examiner.caller.stop)
            return replay(lines, plan.depth, examiner)

        found = ForegroundCallRunner(interrupt).call(work)
    for number, discrepancy in enumerate(found, 1):
        console.out().print(render_discrepancy(number, discrepancy))
        console.out().print()
    checks = ", ".join(examiner.checks)
    if not found and (why := examiner.skip_reason(lines[-1])) is not None:
        console.out().print(Text(f"not checked: {why}"))
        return exit_code([Verdict.SKIPPED], interrupted=False)
    if not found:
        console.out().print(Text(f"no fault of {short_name(plan.engine)} here; checks: {checks}", style="bold green"))
    status = exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
    if status is ExitCode.AGREE and not is_named:
        report_self_test("fuzz")
    return status
