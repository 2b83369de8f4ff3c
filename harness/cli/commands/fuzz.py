"""`perft-check fuzz`: drawn positions, faults found, reduced, explained and kept."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from ....errors import UsageError, UserError, concerning, did_you_mean
from ....reports.live.fuzz import FuzzLive
from ....reports.terminal.fuzz import render, render_discrepancy, render_several
from ....reports.text import count
from ....strategies.mixed import NAMES
from ...checking.covering import check_cover_file
from ...coverage.code import CodeCoverage
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.call import EngineCall
from ...engines.opening import REFERENCE, REFERENCE_OF_OURS, open_engine, references_of
from ...engines.spec import EngineSpec, short_name
from ...engines.stdio.process import ProcessLimits
from ...fuzzing.campaign import RunFailed, fuzz, side_by_side
from ...fuzzing.examining import build_examiner, lines_to_replay, replay
from ...fuzzing.model import Discrepancy, FuzzFinished
from ...fuzzing.needed_kernels import kernels_for
from ...fuzzing.plan import FuzzPlan, strategy_order
from ...model.conventions import read_given
from ...model.machine import usable_threads
from ...model.results.verdict import ExitCode, Verdict, exit_code, worst
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ..dialogue import refuse_unattended, tell_what_was_tested
from ..output import console
from ..output.compiling import get_engines_ready, get_ready
from ..output.keeper import Keeper, keep_cover
from ..output.report_files import Target, names_of, parse_target, takes_stdout, write_reports, written_beside
from ..settings.fuzz import FuzzSettings

DEFAULT_EXAMPLES = 10_000
DEFAULT_SECONDS = 60.0
"""How long engines are fuzzed that may be asked ahead: some a thousand times as fast as others."""
MOST_JOBS = 4
"""The most processes by default; fewer where there are fewer cores."""


@dataclass(frozen=True)
class _EngineRun:
    """The run of one engine."""

    name: str
    """What tells it from other runs, for lines and files; empty where it is the only one."""
    plan: FuzzPlan
    targets: Sequence[Target]
    """Its reports."""
    keeper: Keeper


def main(settings: FuzzSettings) -> ExitCode:
    """Fuzz, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    if not settings.lacks_engine:
        return _carry_out(settings)
    refuse_unattended()
    status = _carry_out(settings)
    if status is ExitCode.AGREE:
        tell_what_was_tested("fuzz")
    return status


def _carry_out(settings: FuzzSettings) -> ExitCode:
    plans = make_plans(settings)
    reports = [parse_target(text, FuzzFinished) for text in settings.reports]
    targets = _targets(settings, reports)
    if settings.keep_cover is not None:
        with concerning(settings.keep_cover):
            check_cover_file(Path(settings.keep_cover))
    if not settings.coverage:
        _reject_coverage_reports(settings.reports, reports)
    if settings.replay is not None:
        return _replay(settings, plans[0])
    runs = zip(targets.items(), plans, strict=True)
    return _fuzz(settings, [_EngineRun(name, plan, own, Keeper(settings.corpus)) for (name, own), plan in runs])


def _reject_coverage_reports(texts: Sequence[str], reports: Sequence[Target]) -> None:
    """Raise UsageError for a report of nothing but coverage, which is not measured."""
    for text, target in zip(texts, reports, strict=True):
        if target.format.name == "lcov":
            raise UsageError(f"--report {text!r} is about coverage: add --coverage", text)


def _targets(settings: FuzzSettings, reports: Sequence[Target]) -> dict[str, Sequence[Target]]:
    """Return the reports of each run, by its name. Raises UsageError."""
    engines, files = (*settings.tested, *settings.against), _files(settings)
    if len(settings.tested) == 1:
        return {"": written_beside(reports, engines, files)}
    targets: dict[str, Sequence[Target]] = {}
    for name in names_of(settings.tested):
        targets[name] = written_beside([target.of(name) for target in reports], engines, files)
        files += [target.path for target in targets[name]]
    return targets


def _files(settings: FuzzSettings) -> list[str]:
    """Return the files that the run adds to, or writes beside its reports."""
    return [path for path in (settings.keep_cover, settings.corpus) if path is not None]


def _fuzz(settings: FuzzSettings, runs: Sequence[_EngineRun]) -> ExitCode:
    """Fuzz side by side, report, and return the exit status."""
    ended: dict[str, FuzzFinished] = {}
    failed: dict[str, UserError] = {}
    with catch_interrupts() as interrupt:
        try:
            _compile([run.plan for run in runs], interrupt)
        except Interrupted:
            console.err().print("interrupted: nothing is fuzzed yet")
            return ExitCode.INTERRUPTED
        streams = {run.name: fuzz(run.plan, interrupt, run.keeper) for run in runs}
        with FuzzLive(console.err(), settings.quiet, settings.verbose) as live:
            for name, event in side_by_side(streams):
                if isinstance(event, RunFailed):
                    failed[name] = event.failure
                    continue
                with interrupt.failing(OSError):
                    live.handle(event, name)
                if isinstance(event, FuzzFinished):
                    ended[name] = event
        for run in runs:
            run.keeper.finish()
        done = {run.name: _finish(settings, run, ended[run.name]) for run in runs if run.name in ended}
        if not takes_stdout(runs[0].targets):
            console.out().print(_render_all(settings, done, failed))
        statuses = [_report(settings, run, done[run.name]) for run in runs if run.name in done]
    statuses += [ExitCode.USAGE if one.is_usage else ExitCode.ENGINE_FAILED for one in failed.values()]
    return worst(statuses)


def _compile(plans: Sequence[FuzzPlan], interrupt: Interrupt) -> None:
    """Compile what the runs need before their time begins. Raises Interrupted."""
    get_ready([form for plan in plans for form in kernels_for(plan)], interrupt)


def _finish(settings: FuzzSettings, run: _EngineRun, event: FuzzFinished) -> FuzzFinished:
    """Return how a run ended, with what its settings say about reports."""
    stored = settings.corpus if run.keeper.has_kept else None
    return replace(event, stored=stored, fails_not_reproduced=settings.fail_not_reproduced)


def _render_all(
    settings: FuzzSettings, done: Mapping[str, FuzzFinished], failed: Mapping[str, UserError]
) -> RenderableType:
    if len(settings.tested) == 1:
        return render(done[""], settings.verbose, settings.quiet)
    messages = {name: str(failure) for name, failure in failed.items()}
    return render_several(done, messages, settings.verbose, settings.quiet)


def _keep_cover(path: Path, plan: FuzzPlan, code: CodeCoverage | None) -> ExitCode:
    """Write the positions that reach what was reached in the engine's code, and tell of it."""
    told = f"{path} is not written: nothing was reached"
    try:
        positions, reached = (0, 0) if code is None else keep_cover(path, plan, code.summary.firsts)
    except UserError as failure:
        console.err().print(Text(f"{path} is not written: {failure}", style="red"))
        return ExitCode.USAGE
    if code is not None and positions:
        told = f"{count(positions, 'position')} in {path}, whose counts reach {reached:,} of the {code.reached:,}"
    console.err().print(Text(told, style="dim"))
    return ExitCode.AGREE


def _report(settings: FuzzSettings, run: _EngineRun, finished: FuzzFinished) -> ExitCode:
    """Write the reports of a run, and return its exit status."""
    status = write_reports(finished, run.targets, finished.exit_code)
    if settings.keep_cover is not None:
        status = worst([status, _keep_cover(Path(settings.keep_cover), run.plan, finished.code)])
    return ExitCode.USAGE if run.keeper.failure is not None and status is ExitCode.AGREE else status


def make_plans(settings: FuzzSettings) -> list[FuzzPlan]:
    """Return the plan for each engine; they share the processes, and have one seed. Raises UsageError."""
    seed = secrets.randbelow(2**32) if settings.seed is None else settings.seed
    jobs, engines = settings.jobs or min(MOST_JOBS, usable_threads()), settings.tested
    shares = [len(range(number, jobs, len(engines))) for number in range(len(engines))]
    return [_plan(settings, engine, seed, max(1, share)) for engine, share in zip(engines, shares, strict=True)]


def _plan(settings: FuzzSettings, engine: EngineSpec, seed: int, jobs: int) -> FuzzPlan:
    """Return the plan for an engine. Raises UsageError."""
    default, variants = REFERENCE_OF_OURS if engine.is_own else REFERENCE, settings.variants(engine)
    references = references_of(engine, settings.against or (default,))
    may_ask_ahead = (
        not (settings.careful or settings.self_consistency or settings.replay)
        and REFERENCE in references
        and open_engine(engine).can_be_asked_ahead
    )
    examples, seconds = settings.examples, settings.seconds
    if examples is None and seconds is None:
        examples, seconds = (None, DEFAULT_SECONDS) if may_ask_ahead else (DEFAULT_EXAMPLES, None)
    return FuzzPlan(
        engine=engine,
        references=() if settings.self_consistency else references,
        seed=seed,
        examples=examples,
        seconds=seconds,
        strategies=_strategies(settings.strategies, variants),
        variants=variants,
        depth=settings.depth,
        impossible=settings.impossible,
        ignore_clocks=bool(settings.ignored),
        convention=read_given(settings.convention, "--convention"),
        self_consistency=settings.self_consistency,
        remember=settings.seed is None,
        fail_fast=settings.fail_fast,
        require_all=settings.require_all,
        may_ask_ahead=may_ask_ahead,
        measures_coverage=settings.coverage,
        sweeps=not settings.strategies,
        jobs=jobs,
        timeout=settings.timeout,
        limits=ProcessLimits.of_mebibytes(settings.memory),
    )


def _strategies(names: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}", name)
        if not strategy_order((name,), variants):
            raise UsageError(f"--strategy {name} draws Chess960 only: add --chess960", name)
    return tuple(dict.fromkeys(names))


def _replay(settings: FuzzSettings, plan: FuzzPlan) -> ExitCode:
    """Examine one line and print each discrepancy that shows there."""
    assert settings.replay is not None, "checked by the caller"
    lines = lines_to_replay(settings.replay, settings.chess960)
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
    if not found and (why := examiner.why_skipped(lines[-1])) is not None:
        console.out().print(Text(f"not examined: {why}"))
        return exit_code([Verdict.SKIPPED], interrupted=False)
    if not found:
        console.out().print(Text(f"no fault of {short_name(plan.engine)} here; checks: {checks}", style="bold green"))
    return exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
