"""`perft-check run`: check an engine against suites."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from ...reports import terminal
from ...reports.live import Live
from ...suites.bundled import find_suite
from ...suites.case import Case, Suite
from ...suites.loader import load_suite
from .. import console
from ..engines.registry import open_engine
from ..errors import UsageError
from ..events import RunFinished
from ..interrupt import catch_interrupts
from ..reporting import Target, parse_target, write_report
from ..runner import Plan, run
from ..verdict import ExitCode

DEFAULT_SUITES = ("smoke",)


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    engine: str
    against: tuple[str, ...]
    suites: tuple[str, ...]
    max_depth: int | None
    max_nodes: int | None
    seconds: float | None
    fail_fast: bool
    pattern: str | None
    reports: tuple[str, ...]
    chess960: bool
    verbose: bool
    quiet: bool


def main(options: Options) -> ExitCode:
    """Run, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    targets = [parse_target(text) for text in options.reports]
    suites = select_suites(options)
    with ExitStack() as stack:
        engine, *references = [open_engine(spec) for spec in (options.engine, *options.against)]
        arbiter = open_engine("python-chess")
        for opened in (engine, *references):
            stack.callback(opened.close)
        plan = Plan(engine, suites, tuple(references), arbiter, options.seconds, options.fail_fast)
        finished = _run(plan, options.quiet)
    _report(finished, targets, options)
    return finished.exit_code


def select_suites(options: Options) -> tuple[Suite, ...]:
    """Return the suites with what the limits and the filter leave of them. Raises UsageError, SuiteError."""
    keep = _matcher(options.pattern)
    chess960 = True if options.chess960 else None
    selected = []
    for spec in options.suites or DEFAULT_SUITES:
        suite = load_suite(find_suite(spec), chess960)
        cases = (case.to_depth(options.max_depth, options.max_nodes) for case in suite if keep(case))
        selected.append(Suite(suite.name, tuple(case for case in cases if case.counts)))
    return tuple(suite for suite in selected if suite.cases)


def _matcher(pattern: str | None) -> Callable[[Case], bool]:
    if pattern is None:
        return lambda _case: True
    try:
        wanted = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"--filter {pattern!r}: {error}") from None
    return lambda case: bool(wanted.search(case.name) or wanted.search(case.position.fen()))


def _run(plan: Plan, quiet: bool) -> RunFinished:
    with catch_interrupts() as interrupt, Live(console.err(), quiet) as live:
        for event in run(plan, interrupt):
            live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event


def _report(finished: RunFinished, targets: list[Target], options: Options) -> None:
    if not any(target.path == "-" for target in targets):
        console.out().print(terminal.render(finished, options.verbose, options.quiet))
    for target in targets:
        write_report(target, finished)
