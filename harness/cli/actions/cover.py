"""`perft-check cover`: measure which code of an engine is reached by suites."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .... import __version__
from ....errors import UsageError, concerning
from ....reports.live.bars import CoverLive
from ....reports.terminal.coverage import render
from ....reports.text import count
from ....suites.case import Suite, SuiteError
from ....suites.epd import write_suite
from ...checking.covering import CoverFinished, CoverPlan, SuiteCoverage, check_cover_file
from ...coverage.code import CodeCoverage
from ...coverage.source_files import source_folders
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.files import files_of
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, Interrupted, catch_interrupts
from ..output import console
from ..output.report_files import Target, report


@dataclass(frozen=True)
class Request:
    """The options of a coverage measurement."""

    engine: EngineSpec
    plan: CoverPlan
    limits: ProcessLimits
    keep: str | None
    """The file for a small suite that reaches the same code."""


def cover(request: Request, targets: Sequence[Target], *, verbose: bool, quiet: bool) -> ExitCode:
    """Ask the engine for all counts, report its coverage, and return the exit status.

    Raises UsageError, SuiteError, EngineError.
    """
    with catch_interrupts() as interrupt:
        finished = _measure(request, interrupt, quiet)
        shown = render(finished, verbose, quiet)
        return report(finished, shown, targets, finished.exit_code, console.out())


def check_place(path: str, suites: Sequence[str]) -> None:
    """Raise UsageError if no suite can be written to `path`, or if `path` is one of the input suites."""
    with concerning(path):
        check_cover_file(Path(path))
        if Path(path).resolve() in [Path(suite).resolve() for suite in suites]:
            raise UsageError(f"--keep-cover {path}: this run reads that suite; name another file")


def _measure(request: Request, interrupt: Interrupt, quiet: bool) -> CoverFinished:
    """Ask for the counts and show progress on stderr. Raises UsageError, EngineError."""
    plan, runner = request.plan, ForegroundCallRunner(interrupt)
    began = time.monotonic()
    with open_session(request.engine, runner, plan.limit, limits=request.limits) as session:
        coverage = SuiteCoverage(session, plan)
        with CoverLive(console.err(), quiet) as live, suppress(Interrupted), interrupt.failing(OSError):
            for progress in coverage.run():
                live.handle(progress)
        code = CodeCoverage.read(coverage.summary, source_folders(files_of(request.engine)))
        stored = _keep(request.keep, coverage)
        return CoverFinished(
            version=__version__,
            engine=request.engine,
            suites=tuple(suite.name for suite in plan.suites),
            code=code,
            positions=coverage.positions,
            seconds=time.monotonic() - began,
            verdicts=coverage.verdicts,
            failures=tuple(coverage.failures),
            interrupted=interrupt.requested,
            internal_error=interrupt.fault is not None,
            is_cut_short=coverage.is_cut_short,
            stored=request.keep if stored else None,
            stored_positions=stored,
        )


def _keep(path: str | None, coverage: SuiteCoverage) -> int:
    """Write the smallest suite found, and return its number of positions, or 0 if none is written."""
    cases = coverage.smallest if path is not None else ()
    if path is None or not cases:
        return 0
    header = f"{count(len(cases), 'position')} with the same code coverage, by perft-check cover --keep-cover"
    try:
        write_suite(Path(path), Suite(Path(path).stem, cases), [header])
    except SuiteError as error:
        console.warn(str(error))
        return 0
    return len(cases)
