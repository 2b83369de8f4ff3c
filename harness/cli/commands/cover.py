"""`perft-check cover`: which code of an engine suites reach."""

from __future__ import annotations

import time
from contextlib import suppress
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
from ...coverage.places import source_folders
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.files import files_of
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ..output import console
from ..output.report_files import parse_target, report, written_beside
from ..output.sessions import open_sessions
from ..settings.cover import CoverSettings
from .run import select_suites

MIN_SPEED = 50_000
"""Leaf nodes a second that an engine must make beyond the timeout."""


def main(settings: CoverSettings) -> ExitCode:
    """Ask for all counts, report, and return the exit status. Raises UsageError, SuiteError, EngineError."""
    others = [*settings.suites, *filter(None, [settings.keep_cover])]
    reports = [parse_target(text, CoverFinished) for text in settings.reports]
    targets = written_beside(reports, [settings.tested], others)
    if settings.keep_cover is not None:
        _check_cover_place(settings.keep_cover, settings.suites)
    suites = tuple(select_suites(settings).values())
    with catch_interrupts() as interrupt:
        finished = _measure(settings, suites, interrupt)
        shown = render(finished, settings.verbose, settings.quiet)
        return report(finished, shown, targets, finished.exit_code, console.out())


def _check_cover_place(path: str, suites: tuple[str, ...]) -> None:
    """Raise UsageError where no suite can be written, or one that is read would be replaced."""
    with concerning(path):
        check_cover_file(Path(path))
        if Path(path).resolve() in [Path(suite).resolve() for suite in suites]:
            raise UsageError(f"--keep-cover {path} is read by this run; give another path")


def _measure(settings: CoverSettings, suites: tuple[Suite, ...], interrupt: Interrupt) -> CoverFinished:
    """Ask for the counts with a display on stderr; return how it ended. Raises UsageError, EngineError."""
    limits = ProcessLimits.of_mebibytes(settings.memory)
    plan = CoverPlan(suites, TimeLimit(settings.timeout, MIN_SPEED), settings.seconds)
    began = time.monotonic()
    with open_sessions([settings.tested], ForegroundCallRunner(interrupt), plan.limit, limits=limits) as [session]:
        coverage = SuiteCoverage(session, plan)
        with CoverLive(console.err(), settings.quiet) as live, suppress(Interrupted), interrupt.failing(OSError):
            for progress in coverage.run():
                live.handle(progress)
        code = CodeCoverage.read(coverage.summary, source_folders(files_of(settings.tested)))
        stored = _keep(settings.keep_cover, coverage)
        return CoverFinished(
            version=__version__,
            engine=settings.tested,
            suites=tuple(suite.name for suite in suites),
            code=code,
            positions=coverage.positions,
            seconds=time.monotonic() - began,
            verdicts=coverage.verdicts,
            failures=tuple(coverage.failures),
            interrupted=interrupt.requested,
            internal_error=interrupt.fault is not None,
            is_cut_short=coverage.is_cut_short,
            stored=settings.keep_cover if stored else None,
            stored_positions=stored,
        )


def _keep(path: str | None, coverage: SuiteCoverage) -> int:
    """Write the smallest suite found, and return how many positions it has; 0 where nothing is written."""
    cases = coverage.smallest if path is not None else ()
    if path is None or not cases:
        return 0
    header = f"{count(len(cases), 'position')} that reach all that was reached; made by perft-check cover --keep-cover"
    try:
        write_suite(Path(path), Suite(Path(path).stem, cases), [header])
    except SuiteError as error:
        console.err().print(f"perft-check: {error}", soft_wrap=True)
        return 0
    return len(cases)
