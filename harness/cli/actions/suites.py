"""`perft-check suites`: list, show and create suites."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from ....errors import UsageError
from ....reports.terminal.run import sizes_table
from ....reports.text import count
from ....suites.bundled import ALL_BUNDLED, bundled_path, find_suite
from ....suites.case import Suite
from ....suites.epd import format_case, write_suite
from ....suites.loader import load_suite
from ... import values
from ...model.results.events import SuiteSize, SuiteTotal
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupted, catch_interrupts
from ..output import console


def list_suites() -> ExitCode:
    """Print a table of the bundled suites."""
    console.out().print(sizes_table(_size(load_suite(bundled_path(name))) for name in ALL_BUNDLED))
    return ExitCode.AGREE


def _size(suite: Suite) -> SuiteSize:
    deepest = max(case.max_depth for case in suite)
    return SuiteSize(SuiteTotal.of(suite), deepest, sum(case.position.chess960 for case in suite))


def show(suite: str) -> ExitCode:
    """Print a suite as EPD, regardless of its file format. Raises SuiteError."""
    for case in load_suite(find_suite(suite)):
        console.out().print(format_case(case), soft_wrap=True)
    return ExitCode.AGREE


def make(file: str, source: str, depth: int | None, max_nodes: int | None) -> ExitCode:
    """Write a suite with the positions in a file. Raises UsageError, SuiteError."""
    from ....suites.making import suite_of_positions

    target = Path(file)
    if target.is_dir():
        raise UsageError(f"{file!r} is a folder: name a file to write, such as mine.epd")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{file!r}: its folder does not exist: create it first")
    with catch_interrupts() as interrupt:

        def work() -> Suite:
            return suite_of_positions(source, target.stem, depth or values.SUITE_DEPTH, max_nodes)

        try:
            suite = console.wait_for(work, interrupt)
        except Interrupted:
            console.err().print(Text(f"interrupted: {target} is not written", style="bold red"))
            return ExitCode.INTERRUPTED
        total = SuiteTotal.of(suite)
        what = f"{count(total.positions, 'position')}, {count(total.counts, 'count')}"
        write_suite(target, suite, [f"{what}; counted by own:two-plies, and again by own."])
        more = f" ({suite.notice})" if suite.notice else ""
        console.out().print(f"wrote {what} to {target}{more}", soft_wrap=True)
        return ExitCode.AGREE
