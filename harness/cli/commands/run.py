"""`perft-check run`: check an engine against suites."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from ....errors import UsageError
from ....reports.terminal import run as terminal
from ....suites.bundled import DEFAULT, find_suite, place_of
from ....suites.case import Case, Suite
from ....suites.loader import load_suite
from ...checking.running.plan import Plan
from ...engines.asker import TimeLimit
from ...engines.registry import arbiter_for, open_engine, references_of
from ...engines.stdio.process import Limits
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, catch_interrupts
from ..output import console
from ..output.history_file import History
from ..output.report_files import distinct, parse_target, report
from ..settings.run import RunSettings
from ..watching import watch


def main(settings: RunSettings) -> ExitCode:
    """Run, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    with catch_interrupts() as interrupt:
        if settings.watch:
            return watch(settings.engine, settings.suites, partial(_run, settings, interrupt), interrupt)
        _, status = _run(settings, interrupt)
        return status


def _run(
    settings: RunSettings, interrupt: Interrupt, first: frozenset[tuple[str, str]] = frozenset()
) -> tuple[RunFinished, ExitCode]:
    """Run once, report, and return how it ended. Raises UsageError, SuiteError, EngineError."""
    ours = [*settings.suites, *filter(None, [settings.history])]
    targets = distinct([parse_target(text, RunFinished) for text in settings.reports], ours)
    suites = select_suites(settings)
    history = None if settings.history is None else History(settings.history, settings)
    finished = console.follow(_plan(settings, suites, first), interrupt, settings.quiet)
    status = finished.exit_code if history is None else history.keep(finished)
    shown = terminal.render(finished, settings.verbose, settings.quiet)
    return finished, report(finished, shown, targets, status, console.out())


def _plan(settings: RunSettings, suites: tuple[Suite, ...], first: frozenset[tuple[str, str]]) -> Plan:
    limits = Limits.of_mebibytes(settings.memory)
    references = references_of(settings.engine, settings.against)
    return Plan(
        engine=partial(open_engine, settings.engine, limits),
        suites=suites,
        references=tuple(partial(open_engine, spec, limits) for spec in references),
        arbiter=arbiter_for,
        seconds=settings.seconds,
        require_all=settings.require_all,
        fail_fast=settings.fail_fast,
        fails_not_reproduced=settings.fail_not_reproduced,
        explain=settings.explain,
        jobs=settings.jobs or 1,
        first=first,
        limit=TimeLimit(settings.timeout, settings.min_speed),
    )


def select_suites(settings: RunSettings) -> tuple[Suite, ...]:
    """Return the suites, without the counts and positions that the limits and the filter leave out.

    Raises UsageError, SuiteError.
    """
    keep = _matcher(settings.pattern, settings.chess960)
    selected: dict[str, Suite] = {}
    for path in dict.fromkeys(find_suite(spec) for spec in settings.suites or DEFAULT):
        suite = load_suite(path)
        name = place_of(path) if suite.name in selected else suite.name
        kept = Suite(name, tuple(case for case in suite if keep(case)))
        selected[name] = kept.limited(settings.max_depth, settings.max_nodes)
    return tuple(suite for suite in selected.values() if suite.cases)


def _matcher(pattern: str | None, chess960: bool | None) -> Callable[[Case], bool]:
    """Return what tells which cases are wanted. Raises UsageError."""
    try:
        wanted = re.compile(pattern or "", re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"--filter {pattern!r}: {error}") from None

    def keeps(case: Case) -> bool:
        if chess960 is not None and case.position.chess960 is not chess960:
            return False
        return bool(wanted.search(case.name) or wanted.search(case.position.fen()))

    return keeps
