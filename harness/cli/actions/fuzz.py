"""`perft-check fuzz`: generate positions, and report, minimize and explain failures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from rich.text import Text

from ....errors import UsageError
from ....generator.counting.perft import perft
from ....reports.failure import render_discrepancy
from ....reports.live import FuzzLive
from ....reports.terminal.fuzz import render
from ...engines.asking.histories import parse_game
from ...engines.asking.runner import CallRunner, ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.base import EngineError
from ...engines.call import EngineCall
from ...engines.opening import open_session
from ...engines.spec import EngineSpec, short_name
from ...fuzzing.baseline import FUZZ, Baseline, KnownFailure, failures_of_fuzz
from ...fuzzing.campaign import fuzz
from ...fuzzing.corpus import DEEPEST, MOST_NODES, CorpusWriter
from ...fuzzing.examining import build_examiner, games_to_replay, replay
from ...fuzzing.model import Discrepancy, FuzzFinding, FuzzFinished, causes_of_findings
from ...fuzzing.plan import FuzzPlan
from ...fuzzing.processes.worker import kernels_for
from ...fuzzing.suspicious_lines import MOST_SUSPECTED, LineSuspector
from ...model.results.verdict import ExitCode, Verdict, exit_code
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..baselines import update_baseline
from ..output import console
from ..output.compiling import get_engines_ready, get_ready
from ..output.report_files import Target, report, report_targets


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


def fuzz_engine(plan: FuzzPlan, output: Output, targets: Sequence[Target], *, is_named: bool) -> ExitCode:
    """Fuzz an engine, write reports, and return the exit status. Raises UsageError, SuiteError, EngineError.

    `is_named` is False if no engine was given.
    """
    corpus = CorpusWriter(output.corpus, console.warn)
    with catch_interrupts() as interrupt:
        try:
            get_ready(kernels_for(plan), interrupt)  # before the time limit of the run starts
        except Interrupted:
            console.err().print("interrupted before the first position")
            return ExitCode.INTERRUPTED
        events = closing(fuzz(plan, interrupt, corpus))  # type: ignore[type-var]  # a generator
        with events as run, FuzzLive(console.err(), output.quiet) as live:
            for event in run:
                with interrupt.failing(OSError):
                    live.handle(event)
        assert isinstance(event, FuzzFinished), "the last event of a run"
        stored = output.corpus if corpus.has_kept else None
        finished = replace(event, stored=stored, fails_not_reproduced=output.fails_not_reproduced)
        if plan.measures_coverage and not finished.interrupted:
            finished = _with_suspicious_lines(finished, plan, interrupt)
        if output.baseline is not None:
            finished = _compare(finished, plan, output.baseline, interrupt, updates=output.updates_baseline)
        shown = render(finished, output.verbose, output.quiet)
        status = report(finished, shown, targets, finished.exit_code, console.out())
    if status is ExitCode.AGREE and corpus.failure is not None:
        return ExitCode.USAGE
    if status is ExitCode.AGREE and not is_named:
        console.report_self_test("fuzz")
    return status


def _with_suspicious_lines(finished: FuzzFinished, plan: FuzzPlan, interrupt: Interrupt) -> FuzzFinished:
    """Return a run in which the simplest findings of the first causes have suspicious lines."""
    simplest = [group.simplest for group in causes_of_findings(finished.findings)]
    wrong = [one for one in simplest if one.is_of_engine and one.verdict is Verdict.MISMATCH]
    if not wrong:
        return finished
    runner, insists = ForegroundCallRunner(interrupt), True in plan.variants
    session = open_session(
        plan.engine, runner, TimeLimit(plan.timeout), limits=plan.limits, insists_on_chess960=insists
    )
    suspected: dict[FuzzFinding, FuzzFinding] = {}
    with suppress(Interrupted, EngineError, UsageError), LineSuspector(session) as suspector:
        suspector.start()
        for one in wrong[:MOST_SUSPECTED]:
            found = one.discrepancy
            if found.finding is not None:
                finding = suspector.suspect(found.finding, found.game.base)
                suspected[one] = replace(one, discrepancy=replace(found, finding=finding))
    return replace(finished, findings=tuple(suspected.get(one, one) for one in finished.findings))


def _compare(
    finished: FuzzFinished, plan: FuzzPlan, baseline: Baseline, interrupt: Interrupt, *, updates: bool
) -> FuzzFinished:
    """Compare a run with a baseline, and update the baseline if requested. Raises UsageError."""
    known = baseline.of_command(FUZZ)
    failing = known if finished.interrupted else _failing_of(known, plan, interrupt)
    found = frozenset(failures_of_fuzz(finished))
    for one in sorted(one for one in known - found if not one.alone):
        console.say(f"not examined, because it depends on earlier questions or on chance: {one}")
    if updates:
        baseline = update_baseline(baseline, FUZZ, failing.union(found), finished.interrupted)
    return baseline.apply_to_fuzz(finished, failing)


def _failing_of(known: frozenset[KnownFailure], plan: FuzzPlan, interrupt: Interrupt) -> frozenset[KnownFailure]:
    """Return the known failures that still fail; all of them if the examination is interrupted."""
    caller = CallRunner()

    def work(call: EngineCall) -> frozenset[KnownFailure]:
        call.on_stop(caller.stop)
        return _find_failing(known, plan, caller)

    try:
        return ForegroundCallRunner(interrupt).call(work)
    except Interrupted:
        return known


def _find_failing(known: Iterable[KnownFailure], plan: FuzzPlan, caller: CallRunner) -> frozenset[KnownFailure]:
    """Return the known failures whose positions the engine of a plan still answers incorrectly, or not at all.

    Each position is examined in a new process, at the depth of the plan and, while it has few leaf nodes, deeper. Those
    that depend on earlier questions or on chance cannot be examined alone, and are assumed to fail. Raises UsageError,
    Interrupted.
    """
    return frozenset(one for one in known if not one.alone or _is_failing(one, plan, caller))


def _is_failing(known: KnownFailure, plan: FuzzPlan, caller: CallRunner) -> bool:
    game = parse_game(known.position, known.chess960)
    deeper = (depth for depth in range(plan.depth + 1, DEEPEST + 1) if perft(game.position, depth) <= MOST_NODES)
    for depth in (plan.depth, *deeper):
        try:
            if replay([game], depth, build_examiner(plan, caller)):
                return True
        except EngineError:
            return True
    return False


def reports_of(
    texts: Sequence[str], engines: Sequence[EngineSpec], output: Output, *, coverage: bool
) -> Sequence[Target]:
    """Return the targets of the reports. Raises UsageError."""
    targets = report_targets(texts, FuzzFinished, engines, output.files)
    for text, target in zip(texts, targets, strict=True):
        if target.format.name == "lcov" and not coverage:
            raise UsageError(f"--report {text!r} needs --coverage", text)
    return targets


def replayed_game(text: str, chess960: bool | None, plan: FuzzPlan, *, is_named: bool) -> ExitCode:
    """Check one game and print each discrepancy. `is_named` is as in `fuzz_engine`."""
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
    if not found and (why := examiner.skip_reason(lines[-1])) is not None:
        console.out().print(Text(f"not checked: {why}"))
        return exit_code([Verdict.SKIPPED], interrupted=False)
    if not found:
        checks = ", ".join(examiner.checks_used)
        console.out().print(
            Text(f"no fault of {short_name(plan.engine)} found here; checks: {checks}", style="bold green")
        )
    status = exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
    if status is ExitCode.AGREE and not is_named:
        console.report_self_test("fuzz")
    return status
