"""`perft-check cover`: measure which code of an engine is reached by suites."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ....reports.live import CoverLive
from ....reports.terminal.coverage import render
from ....suites.case import Suite
from ...checking.covering import SuiteCoverage
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupted, catch_interrupts
from ..output import console
from ..output.report_files import Target, report


def cover(
    engine: EngineSpec,
    suites: Sequence[Suite],
    targets: Sequence[Target],
    *,
    limit: TimeLimit,
    limits: ProcessLimits,
    verbose: bool,
    quiet: bool,
) -> ExitCode:
    """Ask the engine for all counts, report its coverage, and return the exit status.

    Raises UsageError, EngineError.
    """
    with (
        catch_interrupts() as interrupt,
        open_session(engine, ForegroundCallRunner(interrupt), limit, limits=limits) as session,
    ):
        coverage = SuiteCoverage(session, suites)
        with CoverLive(console.err(), quiet) as live, suppress(Interrupted), interrupt.failing(OSError):
            for progress in coverage.run():
                live.handle(progress)
        finished = coverage.finish(interrupt)
        return report(finished, render(finished, verbose, quiet), targets, finished.exit_code, console.out())
