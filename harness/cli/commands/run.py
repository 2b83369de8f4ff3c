"""`perft-check run`: check an engine against suites."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ....errors import UsageError, concerning
from ....reports.live.bars import Live
from ....reports.terminal import run as terminal
from ....suites.bundled import DEFAULT, QUICK, SETUPS, SYSTEMATIC, bundled_path, find_suite, place_of
from ....suites.case import Case, Suite
from ....suites.loader import load_suite
from ...checking.running.plan import RunPlan
from ...checking.running.runner import run
from ...engines.asking.session import TimeLimit
from ...engines.engine import Engine
from ...engines.kinds.own import KernelOptions
from ...engines.opening import arbiter_for, open_engine, references_of
from ...engines.stdio.process import ProcessLimits
from ...model.capabilities import Capability, Lacks
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ..dialogue import refuse_unattended, tell_what_was_tested, wants_to_look
from ..output import console
from ..output.compiling import get_engines_ready
from ..output.last_failures import LastFailures, only_failed
from ..output.report_files import Target, parse_target, report, written_beside
from ..output.working_folder import restore_folder
from ..settings.cover import CoverSettings
from ..settings.run import CONCISE, RunSettings


def main(settings: RunSettings) -> ExitCode:
    """Run, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    if settings.engine is None:
        refuse_unattended()
    prepared = _prepare(settings)  # outside of the block below: a suite may be a pipe that gives nothing
    with catch_interrupts() as interrupt:
        finished, status = _run(settings, prepared, interrupt)
    if wants_to_look(finished, is_quiet=settings.quiet):
        _explore(finished, settings)
    return status


def _explore(finished: RunFinished, settings: RunSettings) -> None:
    """Show the failures of a run in the explorer. Raises UsageError."""
    from ...trees.places import place_of
    from ..settings.position import ExploreSettings
    from .explore import explore

    places = tuple(place_of(result, settings.tested) for result in finished.failures)
    explore(places, ExploreSettings(engine=settings.tested, against=settings.against[:1], memory=settings.memory))


class _Prepared(NamedTuple):
    """What a run needs beside its settings."""

    targets: Sequence[Target]
    suites: Mapping[Path, Suite]
    failures: LastFailures


def _prepare(settings: RunSettings) -> _Prepared:
    """Look at reports, and read the suites. Raises UsageError, SuiteError."""
    reports = [parse_target(text, RunFinished) for text in settings.reports]
    targets = written_beside(reports, (settings.tested, *settings.against), settings.suites)
    suites, failures = select_suites(settings), LastFailures(settings.tested)
    if settings.last_failed:
        suites = _only_failed(suites, failures, settings.tested)
    return _Prepared(targets, suites, failures)


def _only_failed(suites: Mapping[Path, Suite], failures: LastFailures, engine: str) -> Mapping[Path, Suite]:
    """Return what failed last time, or all where nothing did, and say so."""
    failed = {path: only_failed(suite, failures.names(path)) for path, suite in suites.items()}
    chosen, every = (sum(map(len, one.values())) for one in (failed, suites))
    if not chosen:
        _say(f"--lf: no failure of {engine} is known in these suites, so all positions are checked")
        return suites
    one = "the one position that failed" if chosen == 1 else f"the {chosen:,} positions that failed"
    _say(f"--lf: only {one} last time; {every - chosen:,} left out")
    return {path: suite for path, suite in failed.items() if suite.cases}


def _say(text: str) -> None:
    console.err().print(text, style="dim", soft_wrap=True)


def _run(settings: RunSettings, prepared: _Prepared, interrupt: Interrupt) -> tuple[RunFinished, ExitCode]:
    """Run once, report, and return how it ended. Raises EngineError."""
    targets, suites, failures = prepared
    specs = settings.tested, *references_of(settings.tested, settings.against)
    with suppress(Interrupted):  # the run says how far it has come
        get_engines_ready([spec for spec in specs if spec.is_own], interrupt)
    first = frozenset[tuple[str, str]]()
    if settings.failed_first:
        first = frozenset((suite.name, name) for path, suite in suites.items() for name in failures.names(path))
    plan = make_plan(settings, tuple(suites.values()), first)
    finished = follow(plan, interrupt, settings.quiet)
    restore_folder()
    failures.keep(finished, {suite.name: path for path, suite in suites.items()})
    status = finished.exit_code
    slowest = settings.durations or 0
    if settings.format == CONCISE:
        shown = terminal.render_concise(finished, slowest)
    else:
        shown = terminal.render(finished, settings.verbose, settings.quiet, slowest)
    status = report(finished, shown, targets, status, console.out())
    if settings.engine is None and status is ExitCode.AGREE:
        tell_what_was_tested()
    return finished, status


def make_plan(
    settings: RunSettings, suites: tuple[Suite, ...], first: frozenset[tuple[str, str]] = frozenset()
) -> RunPlan:
    """Return the plan for suites; the cases `first`, by suite and name, are checked before the others."""
    limits = ProcessLimits.of_mebibytes(settings.memory)
    resources = KernelOptions(hash_bytes=settings.hash)
    references = references_of(settings.tested, settings.against)
    return RunPlan(
        engine=partial(open_engine, settings.tested, limits, resources),
        suites=suites,
        references=tuple(partial(open_engine, spec, limits, resources) for spec in references),
        arbiter=arbiter_for,
        seconds=settings.seconds,
        require_all=settings.require_all,
        fail_fast=settings.fail_fast,
        fails_not_reproduced=settings.fail_not_reproduced,
        insists_on_chess960=settings.chess960 is True,
        explain=settings.explain,
        jobs=settings.jobs or 1,
        first=first,
        limit=TimeLimit(settings.timeout, settings.min_speed),
        shorter=_shorter(settings),
        left_out=_left_out(settings),
    )


def select_suites(settings: RunSettings | CoverSettings) -> Mapping[Path, Suite]:
    """Return the suites by their files, without the counts and positions that the limits and the filter leave out.

    Raises UsageError, SuiteError.
    """
    selected: dict[Path, Suite] = {}
    for path, spec in {_find(spec): spec for spec in _specs(settings)}.items():
        wanted = _matcher(settings, open_engine(settings.tested) if path == bundled_path(SETUPS) else None)
        with concerning(spec):
            suite = load_suite(path).within_limits(is_wanted=wanted)
        if suite.notice:
            console.err().print(suite.notice, style="dim", soft_wrap=True)
        if _is_default(settings):
            most = sys.maxsize if settings.max_nodes is None else settings.max_nodes
            suite = _without_repeats(suite.up_to(min(most, DEFAULT[spec])), selected.values())
        suite = suite.within_limits(settings.max_depth, settings.max_nodes)
        is_taken = suite.name in {one.name for one in selected.values()}
        selected[path] = replace(suite, name=place_of(path) if is_taken else suite.name)
    return {path: suite for path, suite in selected.items() if suite.cases}


def _without_repeats(suite: Suite, earlier: Iterable[Suite]) -> Suite:
    """Return a suite without the counts that an earlier case has; cases with moves or a setup keep theirs."""
    asked = {(case.position, count) for one in earlier for case in one if not case.setup for count in case.counts}
    cases = []
    for case in suite:
        if not case.moves and not case.setup:
            counts = tuple(count for count in case.counts if (case.position, count) not in asked)
            asked.update((case.position, count) for count in counts)
            case = replace(case, counts=counts)
        cases.append(case)
    return replace(suite, cases=tuple(case for case in cases if case.counts))


def _is_default(settings: RunSettings | CoverSettings) -> bool:
    """Return True if the settings leave the choice of suites to perft-check."""
    return not settings.suites and not settings.quick


def _specs(settings: RunSettings | CoverSettings) -> Sequence[str]:
    """Return what names the suites of a run. Raises UsageError."""
    if not _is_default(settings):
        return settings.suites or QUICK
    left_out = SYSTEMATIC if _left_out(settings) else ()
    return [name for name in DEFAULT if name not in left_out]


def _shorter(settings: RunSettings) -> str:
    """Return, as a clause, how a run of these settings takes less time."""
    return "--quick takes less" if _is_default(settings) else "fewer suites (-s), or --max-nodes, take less"


def _left_out(settings: RunSettings | CoverSettings) -> Lacks:
    """Return what the default suites do not ask an engine that starts a process for each question."""
    if not _is_default(settings) or not open_engine(settings.tested).starts_for_each_question:
        return {}
    return {Capability.SYSTEMATIC: " ".join(f"-s {name}" for name in SYSTEMATIC)}


def _find(spec: str) -> Path:
    """Return the file of a suite. Raises SuiteError, which is about this value."""
    with concerning(spec):
        return find_suite(spec)


def _matcher(settings: RunSettings | CoverSettings, engine: Engine | None) -> Callable[[Case], bool] | None:
    """Return what tells which cases are wanted, of those that an engine can be set up for; None where all are.

    Raises UsageError.
    """
    pattern, chess960 = settings.pattern, settings.chess960
    try:
        matching = None if pattern is None else re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"--filter {pattern!r}: {error}", pattern) from None
    if pattern is None and chess960 is None and engine is None:
        return None

    def is_wanted(case: Case) -> bool:
        if chess960 is not None and case.position.chess960 is not chess960:
            return False
        if engine is not None and not case.setup <= engine.setups:
            return False
        return matching is None or bool(matching.search(case.name) or matching.search(case.position.fen()))

    return is_wanted


def follow(plan: RunPlan, interrupt: Interrupt, quiet: bool = False) -> RunFinished:
    """Run a plan with its live display on stderr; return how it ended. Raises EngineError."""
    with Live(console.err(), quiet) as live:
        for event in run(plan, interrupt):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
