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
from ...fuzzing.plan import FuzzPlan, turns
from ...model.conventions import read_given
from ...model.machine import usable_threads
from ...model.results.verdict import ExitCode, Verdict, exit_code, worst
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ...model.values import FUZZ_DEPTH
from ..dialogue import tell_what_was_tested
from ..output import console
from ..output.compiling import get_engines_ready, get_ready
from ..output.keeper import Keeper, keep_cover
from ..output.report_files import Target, names_of, parse_target, takes_stdout, write_reports, written_beside

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


@dataclass(frozen=True)
class Output:
    """What is shown and written of a run."""

    corpus: str | None = None
    keep_cover: str | None = None
    fails_not_reproduced: bool = False
    verbose: bool = False
    quiet: bool = False

    @property
    def files(self) -> list[str]:
        """The files that the run adds to, or writes beside its reports."""
        return [path for path in (self.keep_cover, self.corpus) if path is not None]


def fuzz_engines(
    plans: Sequence[FuzzPlan], output: Output, targets: Mapping[str, Sequence[Target]], *, is_named: bool
) -> ExitCode:
    """Fuzz, report, and return the exit status. Raises UsageError, SuiteError, EngineError.

    `targets` are the reports of each engine by its name; `is_named` says whether the user has named the engines.
    """
    if output.keep_cover is not None:
        with concerning(output.keep_cover):
            check_cover_file(Path(output.keep_cover))
    runs = zip(targets.items(), plans, strict=True)
    status = _fuzz(output, [_EngineRun(name, plan, own, Keeper(output.corpus)) for (name, own), plan in runs])
    if status is ExitCode.AGREE and not is_named:
        tell_what_was_tested("fuzz")
    return status


def reports_of(
    texts: Sequence[str], engines: Sequence[EngineSpec], against: Sequence[str], output: Output, *, coverage: bool
) -> dict[str, Sequence[Target]]:
    """Return the reports of each run, by its name. Raises UsageError."""
    reports = [parse_target(text, FuzzFinished) for text in texts]
    if not coverage:
        _reject_coverage_reports(texts, reports)
    files = output.files
    if len(engines) == 1:
        return {"": written_beside(reports, (*engines, *against), files)}
    targets: dict[str, Sequence[Target]] = {}
    for name in names_of(engines):
        targets[name] = written_beside([target.of(name) for target in reports], (*engines, *against), files)
        files += [target.path for target in targets[name]]
    return targets


def _reject_coverage_reports(texts: Sequence[str], reports: Sequence[Target]) -> None:
    """Raise UsageError for a report of nothing but coverage, which is not measured."""
    for text, target in zip(texts, reports, strict=True):
        if target.format.name == "lcov":
            raise UsageError(f"--report {text!r} is about coverage: add --coverage", text)


def _fuzz(output: Output, runs: Sequence[_EngineRun]) -> ExitCode:
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
        with FuzzLive(console.err(), output.quiet, output.verbose) as live:
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
        done = {run.name: _finish(output, run, ended[run.name]) for run in runs if run.name in ended}
        if not takes_stdout(runs[0].targets):
            console.out().print(_render_all(output, done, failed, is_alone=len(runs) == 1))
        statuses = [_report(output, run, done[run.name]) for run in runs if run.name in done]
    statuses += [ExitCode.USAGE if one.is_usage else ExitCode.ENGINE_FAILED for one in failed.values()]
    return worst(statuses)


def _compile(plans: Sequence[FuzzPlan], interrupt: Interrupt) -> None:
    """Compile what the runs need before their time begins. Raises Interrupted."""
    get_ready([form for plan in plans for form in kernels_for(plan)], interrupt)


def _finish(output: Output, run: _EngineRun, event: FuzzFinished) -> FuzzFinished:
    """Return how a run ended, with what reports say of it."""
    stored = output.corpus if run.keeper.has_kept else None
    return replace(event, stored=stored, fails_not_reproduced=output.fails_not_reproduced)


def _render_all(
    output: Output, done: Mapping[str, FuzzFinished], failed: Mapping[str, UserError], *, is_alone: bool
) -> RenderableType:
    if is_alone:
        return render(done[""], output.verbose, output.quiet)
    messages = {name: str(failure) for name, failure in failed.items()}
    return render_several(done, messages, output.verbose, output.quiet)


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


def _report(output: Output, run: _EngineRun, finished: FuzzFinished) -> ExitCode:
    """Write the reports of a run, and return its exit status."""
    status = write_reports(finished, run.targets, finished.exit_code)
    if output.keep_cover is not None:
        status = worst([status, _keep_cover(Path(output.keep_cover), run.plan, finished.code)])
    return ExitCode.USAGE if run.keeper.failure is not None and status is ExitCode.AGREE else status


def make_plans(
    engines: Sequence[str],
    against: Sequence[str] = (),
    *,
    seed: int | None = None,
    jobs: int | None = None,
    examples: int | None = None,
    seconds: float | None = None,
    strategies: Sequence[str] = (),
    chess960: bool | None = None,
    depth: int = FUZZ_DEPTH,
    impossible: bool = False,
    ignore_clocks: bool = False,
    convention: Sequence[str] = (),
    careful: bool = False,
    self_consistency: bool = False,
    fail_fast: bool = False,
    require_all: bool = False,
    coverage: bool = False,
    timeout: float = 10,
    memory: int | None = None,
) -> list[FuzzPlan]:
    """Return the plan for each engine; they share the processes, and have one seed. Raises UsageError."""

    def plan(engine: EngineSpec, jobs: int) -> FuzzPlan:
        default, variants = REFERENCE_OF_OURS if engine.is_own else REFERENCE, _variants(engine, chess960)
        references = references_of(engine, against or (default,))
        may_ask_ahead = (
            not (careful or self_consistency) and REFERENCE in references and open_engine(engine).can_be_asked_ahead
        )
        length = (examples, seconds)
        if length == (None, None):
            length = (None, DEFAULT_SECONDS) if may_ask_ahead else (DEFAULT_EXAMPLES, None)
        return FuzzPlan(
            engine=engine,
            references=() if self_consistency else references,
            seed=chosen,
            examples=length[0],
            seconds=length[1],
            strategies=_strategies(strategies, variants),
            variants=variants,
            depth=depth,
            impossible=impossible,
            ignore_clocks=ignore_clocks,
            convention=read_given(convention, "--convention"),
            self_consistency=self_consistency,
            remember=seed is None,
            fail_fast=fail_fast,
            require_all=require_all,
            may_ask_ahead=may_ask_ahead,
            measures_coverage=coverage,
            sweeps=not strategies,
            jobs=jobs,
            timeout=timeout,
            limits=ProcessLimits.of_mebibytes(memory),
        )

    chosen = secrets.randbelow(2**32) if seed is None else seed
    every = jobs or min(MOST_JOBS, usable_threads())
    shares = [len(range(number, every, len(engines))) for number in range(len(engines))]
    return [plan(EngineSpec(engine), max(1, share)) for engine, share in zip(engines, shares, strict=True)]


def _variants(engine: EngineSpec, chess960: bool | None) -> tuple[bool, ...]:
    """Return whether to draw Chess960: for our own generator by default both, for others only if asked to."""
    if chess960 is None:
        return (False, True) if engine.is_own else (False,)
    return (chess960,)


def _strategies(names: Sequence[str], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}", name)
        if not turns((name,), variants):
            raise UsageError(f"--strategy {name} draws Chess960 only: add --chess960", name)
    return tuple(dict.fromkeys(names))


def replay_line(text: str, chess960: bool | None, plan: FuzzPlan, *, is_named: bool) -> ExitCode:
    """Examine one line and print each discrepancy that shows there. `is_named` is as above."""
    lines = lines_to_replay(text, chess960)
    examiner = build_examiner(plan)
    examiner.tell = lambda notice: console.err().print(notice, style="dim")
    for notice in examiner.notices():
        examiner.tell(notice)
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
    status = exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
    if status is ExitCode.AGREE and not is_named:
        tell_what_was_tested("fuzz")
    return status
