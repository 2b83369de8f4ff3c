"""`perft-check run`: check an engine against suites."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ....errors import UsageError
from ....reports import json, svg
from ....reports.terminal import run as terminal
from ....suites.bundled import find_suite
from ....suites.case import Case, Suite
from ....suites.loader import load_suite
from ...checking.plan import Plan
from ...engines.asker import TimeLimit
from ...engines.registry import arbiter_for, open_engine, references_of
from ...engines.stdio.process import Limits
from ...model.events import RunFinished
from ...model.interrupt import catch_interrupts
from ...model.verdict import ExitCode
from .. import console
from ..report_files import Formats, distinct, parse_target, report

DEFAULT_SUITES = ("smoke",)
FORMATS: Formats[RunFinished] = {"json": json.render, "svg": svg.render}


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
    explain: bool
    jobs: int
    timeout: float
    min_speed: float
    memory: int | None
    verbose: bool
    quiet: bool


def main(options: Options) -> ExitCode:
    """Run, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    targets = distinct([parse_target(text, FORMATS) for text in options.reports], options.suites)
    suites = select_suites(options)
    with catch_interrupts() as interrupt:
        finished = console.follow(_plan(options, suites), interrupt, options.quiet)
    shown = terminal.render(finished, options.verbose, options.quiet)
    return report(finished, shown, targets, finished.exit_code, console.out(), console.err())


def _plan(options: Options, suites: tuple[Suite, ...]) -> Plan:
    limits = Limits(memory_bytes=None if options.memory is None else options.memory << 20)
    return Plan(
        engine=partial(open_engine, options.engine, limits),
        suites=suites,
        references=tuple(partial(open_engine, spec, limits) for spec in references_of(options.engine, options.against)),
        arbiter=arbiter_for,
        seconds=options.seconds,
        fail_fast=options.fail_fast,
        explain=options.explain,
        jobs=options.jobs,
        limit=TimeLimit(options.timeout, options.min_speed),
    )


def select_suites(options: Options) -> tuple[Suite, ...]:
    """Return the suites with what the limits and the filter leave of them. Raises UsageError, SuiteError."""
    keep = _matcher(options.pattern)
    chess960 = True if options.chess960 else None
    selected: dict[str, Suite] = {}
    for path in dict.fromkeys(find_suite(spec) for spec in options.suites or DEFAULT_SUITES):
        suite = load_suite(path, chess960)
        name = str(path) if suite.name in selected else suite.name
        kept = Suite(name, tuple(case for case in suite if keep(case)))
        selected[name] = kept.limited(options.max_depth, options.max_nodes)
    return tuple(suite for suite in selected.values() if suite.cases)


def _matcher(pattern: str | None) -> Callable[[Case], bool]:
    if pattern is None:
        return lambda _case: True
    try:
        wanted = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"--filter {pattern!r}: {error}") from None
    return lambda case: bool(wanted.search(case.name) or wanted.search(case.position.fen()))
