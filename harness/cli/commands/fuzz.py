"""`perft-check fuzz`: drawn positions, faults found, reduced, explained and kept."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from ....errors import UsageError, did_you_mean
from ....reports.live.fuzz import FuzzLive
from ....reports.terminal.fuzz import render, render_discrepancy
from ....reports.text import short_name
from ....strategies.mixed import NAMES
from ....suites.case import SuiteError
from ....suites.positions import resolve_gentype
from ...engines.ahead import asks_ahead
from ...engines.asker import ForegroundCaller
from ...engines.registry import open_engine, references_of
from ...engines.stdio.process import Limits
from ...engines.task import Task
from ...fuzzing.building import build_examiner
from ...fuzzing.campaign import Store, fuzz
from ...fuzzing.corpus import Corpus, check_corpus
from ...fuzzing.mix import turns
from ...fuzzing.model import Discrepancy, FuzzEvent, FuzzFinished
from ...fuzzing.plan import Plan
from ...fuzzing.replaying import lines_to_replay, replay
from ...fuzzing.resuming.keeping import Keeping, kept_beside, place_beside
from ...fuzzing.resuming.state import State
from ...fuzzing.soaking import soak_kernels
from ...model.conventions import read_given
from ...model.machine import usable_threads
from ...model.results.verdict import ExitCode, Verdict, exit_code
from ...model.shutdown import Interrupt, catch_interrupts
from ..output import console
from ..output.report_files import Target, parse_target, report, written_beside
from ..settings.fuzz import FuzzSettings

DEFAULT_EXAMPLES = 10_000
DEFAULT_SECONDS = 60.0
"""How long engines are fuzzed that may be asked ahead: some a thousand times as fast as others."""
DEFAULT_SOAK = 50_000_000
MOST_JOBS = 4
"""The most processes by default; fewer where there are fewer cores."""
OWN_REFERENCE, OTHERS_REFERENCE = "python-chess", "own:turbo"
"""The reference of our own generator, and of any other engine, unless the user names one."""


def main(settings: FuzzSettings) -> ExitCode:
    """Fuzz, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    plan = make_plan(settings)
    reports = [parse_target(text, FuzzFinished) for text in settings.reports]
    targets = written_beside(reports, (settings.engine, *settings.against), _files(settings))
    if settings.replay is not None:
        return _replay(settings, plan)
    if not settings.resume:
        return _fuzz(settings, plan, targets, None)
    with kept_beside(_corpus(settings), plan, settings.seed) as keeping:
        return _fuzz(settings, replace(plan, seed=keeping.before.seed, is_kept=True), targets, keeping)


def _corpus(settings: FuzzSettings) -> Path:
    """Return the corpus of a run that is kept."""
    assert settings.corpus is not None, "checked by the settings"
    check_corpus(Path(settings.corpus))
    return Path(settings.corpus)


def _files(settings: FuzzSettings) -> list[str]:
    """Return the files that the run adds to."""
    if settings.corpus is None:
        return []
    return [settings.corpus, *([str(place_beside(Path(settings.corpus)))] * settings.resume)]


def _fuzz(settings: FuzzSettings, plan: Plan, targets: Sequence[Target], keeping: Keeping | None) -> ExitCode:
    """Fuzz, report, and return the exit status; `keeping` is where the run is kept."""
    keeper = _Keeper(settings.corpus, keeping)
    with catch_interrupts() as interrupt:
        with FuzzLive(console.err(), settings.quiet) as live:
            for event in _events(settings, plan, interrupt, keeper):
                with interrupt.failing(OSError):
                    live.handle(event)
        assert isinstance(event, FuzzFinished), "the last event of a run"
        stored = settings.corpus if keeper.has_kept else None
        finished = replace(event, stored=stored, fails_not_reproduced=settings.fail_not_reproduced)
        shown = render(finished, settings.verbose, settings.quiet)
        status = report(finished, shown, targets, finished.exit_code, console.out())
    return ExitCode.USAGE if keeper.failure is not None and status is ExitCode.AGREE else status


def _events(settings: FuzzSettings, plan: Plan, interrupt: Interrupt, store: _Keeper) -> Iterator[FuzzEvent]:
    if not settings.soak:
        return fuzz(plan, interrupt, store, store.before)
    positions = settings.examples or (None if settings.seconds is not None else DEFAULT_SOAK)
    return soak_kernels(plan, positions, interrupt, store)


class _Keeper(Store):
    """Adds finds to the corpus, if there is one, and keeps the run beside it, if it is to be kept.

    A failure to do so must not hide what the run finds.
    """

    def __init__(self, path: str | None, keeping: Keeping | None) -> None:
        """Raises SuiteError where nothing can be added to the file."""
        if path is not None:
            check_corpus(Path(path))
        self._corpus = None if path is None else Corpus(Path(path))
        self._keeping = keeping
        self.has_kept = False
        self.failure: UsageError | None = None
        """Why the first find could not be added, or the run not be kept."""

    @property
    def before(self) -> State | None:
        """What the run goes on from."""
        return None if self._keeping is None else self._keeping.before

    def keep(self, found: Discrepancy, depth: int) -> None:
        """Add a find as it was found."""
        self._try(lambda corpus: corpus.keep(found, depth))

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> None:
        """Add a reduced find instead."""
        self._try(lambda corpus: corpus.keep_reduced(reduced, depth, found))

    def keep_state(self, state: State) -> None:
        """Keep the run beside the corpus."""
        if self._keeping is not None:
            try:
                self._keeping.write(state)
            except UsageError as error:
                self._fail(error, "the run goes on, and the next one begins where it was kept last")

    def _try(self, add: Callable[[Corpus], bool]) -> None:
        if self._corpus is None:
            return
        try:
            self.has_kept |= add(self._corpus)
        except SuiteError as error:
            self._fail(error, "finds are reported, and not kept")

    def _fail(self, error: UsageError, consequence: str) -> None:
        """Tell of the first failure."""
        if self.failure is None:
            console.err().print(f"perft-check: {error}: {consequence}", soft_wrap=True)
        self.failure = self.failure or error


def make_plan(settings: FuzzSettings) -> Plan:
    """Return the plan that settings ask for. Raises UsageError."""
    default = OWN_REFERENCE if settings.is_own else OTHERS_REFERENCE
    references = references_of(settings.engine, settings.against or (default,))
    may_ask_ahead = (
        not (settings.careful or settings.self_consistency or settings.replay)
        and OTHERS_REFERENCE in references
        and asks_ahead(open_engine(settings.engine))
    )
    examples, seconds = settings.examples, settings.seconds
    if examples is None and seconds is None:
        examples, seconds = (None, DEFAULT_SECONDS) if may_ask_ahead else (DEFAULT_EXAMPLES, None)
    return Plan(
        engine=settings.engine,
        references=() if settings.self_consistency else references,
        seed=secrets.randbelow(2**32) if settings.seed is None else settings.seed,
        examples=examples,
        seconds=seconds,
        strategies=_strategies(settings.strategies, settings.variants),
        gentypes=tuple(dict.fromkeys(resolve_gentype(name, "--gentype") for name in settings.gentypes)),
        variants=settings.variants,
        depth=settings.depth,
        impossible=settings.impossible,
        ignore_clocks=bool(settings.ignored),
        convention=read_given(settings.convention, "--convention"),
        self_consistency=settings.self_consistency,
        remember=settings.seed is None,
        fail_fast=settings.fail_fast,
        may_ask_ahead=may_ask_ahead,
        jobs=settings.jobs or min(MOST_JOBS, usable_threads()),
        timeout=settings.timeout,
        limits=Limits.of_mebibytes(settings.memory),
    )


def _strategies(names: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}")
        if not turns((name,), variants):
            raise UsageError(f"--strategy {name} draws Chess960 only: add --chess960")
    return tuple(dict.fromkeys(names))


def _replay(settings: FuzzSettings, plan: Plan) -> ExitCode:
    """Examine one line and print each discrepancy that shows there."""
    assert settings.replay is not None, "checked by the caller"
    lines = lines_to_replay(settings.replay, settings.chess960)
    examiner = build_examiner(plan)
    for notice in examiner.notices():
        console.err().print(notice, style="dim")
    with catch_interrupts() as interrupt:

        def work(task: Task) -> list[Discrepancy]:
            task.on_stop(examiner.caller.stop)
            return replay(lines, plan.depth, examiner)

        found = ForegroundCaller(interrupt).call(work)
    for number, discrepancy in enumerate(found, 1):
        console.out().print(render_discrepancy(number, discrepancy))
        console.out().print()
    checks = ", ".join(examiner.checks)
    if not found:
        console.out().print(Text(f"no fault of {short_name(plan.engine)} here; checks: {checks}", style="bold green"))
    return exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
