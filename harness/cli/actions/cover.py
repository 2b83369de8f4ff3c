"""`perft-check cover`: measure which code of an engine is reached by suites."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

from .... import __version__
from ....reports.live import CoverLive
from ....reports.terminal.coverage import render
from ...checking.covering import CoverFinished, CoverPlan, SuiteCoverage
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


def cover(
    engine: EngineSpec, plan: CoverPlan, limits: ProcessLimits, targets: Sequence[Target], *, verbose: bool, quiet: bool
) -> ExitCode:
    """Ask the engine for all counts, report its coverage, and return the exit status.

    Raises UsageError, EngineError.
    """
    with catch_interrupts() as interrupt:
        finished = _measure(engine, plan, limits, interrupt, quiet=quiet)
        shown = render(finished, verbose, quiet)
        return report(finished, shown, targets, finished.exit_code, console.out())


def _measure(
    engine: EngineSpec, plan: CoverPlan, limits: ProcessLimits, interrupt: Interrupt, *, quiet: bool
) -> CoverFinished:
    """Ask for the counts and show progress on stderr. Raises UsageError, EngineError."""
    runner = ForegroundCallRunner(interrupt)
    began = time.monotonic()
    with open_session(engine, runner, plan.limit, limits=limits) as session:
        coverage = SuiteCoverage(session, plan)
        with CoverLive(console.err(), quiet) as live, suppress(Interrupted), interrupt.failing(OSError):
            for progress in coverage.run():
                live.handle(progress)
        code = CodeCoverage.read(coverage.summary, source_folders(files_of(engine)))
        return CoverFinished(
            version=__version__,
            engine=engine,
            suites=tuple(suite.name for suite in plan.suites),
            code=code,
            positions=coverage.positions,
            seconds=time.monotonic() - began,
            verdicts=coverage.verdicts,
            failures=tuple(coverage.failures),
            interrupted=interrupt.requested,
            internal_error=interrupt.fault is not None,
            is_cut_short=coverage.is_cut_short,
        )
