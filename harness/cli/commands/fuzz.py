"""`perft-check fuzz`: drawn positions, faults found, reduced, explained and kept."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from ....errors import UsageError, did_you_mean
from ....reports import fuzz_json
from ....reports.live.fuzz import FuzzLive
from ....reports.svg import picture
from ....reports.terminal.fuzz import render, render_discrepancy
from ....reports.text import short_name
from ....strategies.mixed import NAMES
from ....suites.case import SuiteError
from ....suites.positions import resolve_gentype
from ...engines.asker import ForegroundCaller
from ...engines.kinds.own import KERNELS
from ...engines.registry import references_of
from ...engines.stdio.process import Limits
from ...engines.task import Task
from ...fuzzing.building import build_examiner
from ...fuzzing.campaign import Store, fuzz
from ...fuzzing.corpus import add_to_corpus, check_corpus
from ...fuzzing.mix import turns
from ...fuzzing.model import Discrepancy, FuzzEvent, FuzzFinished
from ...fuzzing.plan import Plan
from ...fuzzing.replaying import read_line, replay
from ...fuzzing.soaking import soak_kernels
from ...model.interrupt import Interrupt, catch_interrupts
from ...model.verdict import ExitCode, Verdict, exit_code
from .. import console
from ..report_files import Formats, distinct, parse_target, report

DEFAULT_EXAMPLES = 10_000
DEFAULT_SOAK = 50_000_000
MOST_JOBS = 4
"""By default no more processes are started than this, or than there are cores."""
FORMATS: Formats[FuzzFinished] = {
    "json": fuzz_json.render,
    "svg": lambda finished: picture(render(finished, quiet=True)),
}
OWN_REFERENCE, OTHERS_REFERENCE = "python-chess", "own:turbo"
"""Against whom our own generator, and any other, is held unless the user says so."""


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    engine: str
    against: tuple[str, ...]
    examples: int | None
    seconds: float | None
    seed: int | None
    strategies: tuple[str, ...]
    gentypes: tuple[str, ...]
    chess960: bool | None
    impossible: bool
    depth: int
    corpus: str | None
    reports: tuple[str, ...]
    replay: str | None
    soak: bool
    self_consistency: bool
    fail_fast: bool
    jobs: int | None
    timeout: float
    memory: int | None
    verbose: bool
    quiet: bool


def main(options: Options) -> ExitCode:
    """Fuzz, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    plan = make_plan(options)
    targets = distinct([parse_target(text, FORMATS) for text in options.reports], filter(None, [options.corpus]))
    if options.replay is not None:
        return _replay(options, plan)
    keeper = _Keeper(options.corpus)
    with catch_interrupts() as interrupt, FuzzLive(console.err(), options.quiet) as live:
        for event in _events(options, plan, interrupt, keeper.keep):
            live.handle(event)
    assert isinstance(event, FuzzFinished), "the last event of a run"
    finished = replace(event, stored=options.corpus if keeper.kept else None)
    shown = render(finished, options.verbose, options.quiet)
    status = report(finished, shown, targets, finished.exit_code, console.out(), console.err())
    if keeper.failure is not None:
        console.err().print(f"perft-check: {keeper.failure}")
        return ExitCode.USAGE if status is ExitCode.AGREE else status
    return status


def _events(options: Options, plan: Plan, interrupt: Interrupt, store: Store) -> Iterator[FuzzEvent]:
    if not options.soak:
        return fuzz(plan, interrupt, store)
    positions = options.examples or (None if options.seconds is not None else DEFAULT_SOAK)
    return soak_kernels(plan, positions, interrupt, store)


class _Keeper:
    """Adds finds to the corpus, if there is one; a failure to do so must not hide what the run finds."""

    def __init__(self, corpus: str | None) -> None:
        """Raises SuiteError where nothing can be added to the file."""
        self._corpus = None if corpus is None else Path(corpus)
        if self._corpus is not None:
            check_corpus(self._corpus)
        self.kept = 0
        self.failure: SuiteError | None = None

    def keep(self, discrepancy: Discrepancy, depth: int) -> None:
        """Add a discrepancy that shows at a depth."""
        if self._corpus is None or self.failure is not None:
            return
        try:
            self.kept += add_to_corpus(self._corpus, discrepancy, depth)
        except SuiteError as error:
            self.failure = error


def make_plan(options: Options) -> Plan:
    """Return the plan that options ask for. Raises UsageError."""
    is_own = options.engine in KERNELS
    if options.examples is not None and options.seconds is not None:
        raise UsageError("--examples and --time: give one of them")
    if options.gentypes and not is_own:
        raise UsageError("--gentype looks into our own generator: leave out -e, or --gentype")
    if options.soak:
        _check_soak(options)
    elif options.replay is not None:
        _check_replay(options)
    if options.self_consistency and options.against:
        raise UsageError("--self-consistency needs no reference: leave out -a")
    references = references_of(options.engine, options.against or (OWN_REFERENCE if is_own else OTHERS_REFERENCE,))
    examples = options.examples
    if examples is None and options.seconds is None:
        examples = DEFAULT_EXAMPLES
    return Plan(
        engine=options.engine,
        references=() if options.self_consistency else references,
        seed=secrets.randbelow(2**32) if options.seed is None else options.seed,
        examples=examples,
        seconds=options.seconds,
        strategies=_strategies(options.strategies, _variants(options.chess960, is_own)),
        gentypes=tuple(dict.fromkeys(resolve_gentype(name, "--gentype") for name in options.gentypes)),
        variants=_variants(options.chess960, is_own),
        depth=options.depth,
        impossible=options.impossible,
        self_consistency=options.self_consistency,
        remember=options.seed is None,
        fail_fast=options.fail_fast,
        jobs=options.jobs or _cores(),
        timeout=options.timeout,
        limits=Limits(memory_bytes=None if options.memory is None else options.memory << 20),
    )


def _check_soak(options: Options) -> None:
    """Refuse what a soak does not heed. Raises UsageError."""
    given = {
        "--engine": options.engine not in KERNELS,
        "--against": options.against,
        "--strategy": options.strategies,
        "--gentype": options.gentypes,
        "--chess960": options.chess960 is not None,
        "--impossible": options.impossible,
        "--self-consistency": options.self_consistency,
        "--fail-fast": options.fail_fast,
        "--replay": options.replay is not None,
    }
    _refuse("--soak compares our own kernels with each other", given)


def _check_replay(options: Options) -> None:
    """Refuse what one place has no use for. Raises UsageError."""
    given = {
        "--examples": options.examples is not None,
        "--time": options.seconds is not None,
        "--strategy": options.strategies,
        "--impossible": options.impossible,
        "--corpus": options.corpus is not None,
        "--report": options.reports,
        "--fail-fast": options.fail_fast,
    }
    _refuse("--replay examines one place and draws none", given)


def _refuse(why: str, given: Mapping[str, object]) -> None:
    """Name the first option that is given. Raises UsageError."""
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{why}: leave out {option}")


def _strategies(names: tuple[str, ...], variants: tuple[bool, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in NAMES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, NAMES)}")
        if not turns((name,), variants):
            raise UsageError(f"--strategy {name} draws Chess960 only: add --chess960")
    return tuple(dict.fromkeys(names))


def _variants(chess960: bool | None, is_own: bool) -> tuple[bool, ...]:
    """Return whether to draw Chess960: for our own generator by default both, for others only if asked to."""
    if chess960 is None:
        return (False, True) if is_own else (False,)
    return (chess960,)


def _cores() -> int:
    return min(MOST_JOBS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def _replay(options: Options, plan: Plan) -> ExitCode:
    """Examine one place, and tell what is wrong there."""
    assert options.replay is not None, "checked by the caller"
    line = read_line(options.replay, bool(options.chess960))
    examiner = build_examiner(plan)
    for notice in examiner.notices():
        console.err().print(notice, style="dim")
    with catch_interrupts() as interrupt:

        def work(task: Task) -> list[Discrepancy]:
            task.on_stop(examiner.caller.stop)
            return replay(line, plan.depth, examiner)

        found = ForegroundCaller(interrupt).call(work)
    for number, discrepancy in enumerate(found, 1):
        console.out().print(render_discrepancy(number, discrepancy), crop=False)
        console.out().print()
    checks = ", ".join(examiner.checks)
    if not found:
        console.out().print(Text(f"no fault of {short_name(plan.engine)} here; checks: {checks}", style="bold green"))
    return exit_code([discrepancy.verdict for discrepancy in found] or [Verdict.AGREE], interrupted=False)
