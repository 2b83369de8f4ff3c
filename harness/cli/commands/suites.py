"""`perft-check suites`: list, show, verify and make suites, and a page of all rare events."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.text import Text

from ....errors import UsageError
from ....reports.terminal import run as terminal
from ....reports.terminal.run import sizes_table
from ....reports.text import count
from ....suites.bundled import BUNDLED, EVERY, bundled_path, find_suite
from ....suites.case import Suite
from ....suites.loader import load_suite
from ....suites.writer import format_case, write_suite
from ...engines.registry import find_program, open_engine
from ...model.results.events import RunFinished, SuiteSize, SuiteTotal
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, catch_interrupts
from ..cluster import spreading
from ..output import console
from ..output.report_files import STDOUT, distinct, parse_target, write_reports
from ..settings.suites import BundledSettings, GallerySettings, MakeSettings, SuiteSettings, VerifySettings

DEFAULT_PAGE = "gallery.html"
"""Where the page of the gallery goes for which no file is named."""
DEFAULT_VERIFIERS = ("python-chess", "uci:stockfish")


def list_suites(_settings: BundledSettings) -> ExitCode:
    """Print a table of the bundled suites."""
    console.out().print(sizes_table(_size(load_suite(bundled_path(name))) for name in EVERY))
    return ExitCode.AGREE


def _size(suite: Suite) -> SuiteSize:
    deepest = max(case.max_depth for case in suite)
    return SuiteSize(_total(suite), deepest, sum(case.position.chess960 for case in suite))


def _total(suite: Suite) -> SuiteTotal:
    counts, nodes = sum(len(case.counts) for case in suite), sum(case.nodes for case in suite)
    return SuiteTotal(suite.name, len(suite), counts, nodes)


def show(settings: SuiteSettings) -> ExitCode:
    """Print a suite as EPD lines, however its file writes them. Raises SuiteError."""
    for case in load_suite(find_suite(settings.suite)):
        console.out().print(format_case(case), soft_wrap=True)
    return ExitCode.AGREE


def verify(settings: VerifySettings) -> ExitCode:
    """Check every count with generators that are not ours. Raises UsageError, SuiteError, EngineError."""
    suites = [load_suite(find_suite(spec)) for spec in settings.suites or BUNDLED]
    limited = [suite.within_limits(None, settings.max_nodes) for suite in suites]
    with catch_interrupts() as interrupt:
        finished = _verify(tuple(suite for suite in limited if suite.cases), settings.against, interrupt)
        console.out().print(terminal.render(finished))
        return finished.exit_code


def _verify(suites: tuple[Suite, ...], against: tuple[str, ...], interrupt: Interrupt) -> RunFinished:
    from ...checking.running.plan import RunPlan
    from .run import follow

    specs = against or DEFAULT_VERIFIERS
    if "uci:stockfish" in specs and find_program("stockfish") is None:
        raise UsageError(
            "verifying needs Stockfish as the second generator: install it (Debian: apt-get install stockfish), "
            "or name other generators with --against"
        )
    first, *others = [partial(open_engine, spec) for spec in specs]
    return follow(RunPlan(first, suites, tuple(others)), interrupt)


def make(settings: MakeSettings) -> ExitCode:
    """Make the bundled suites, have every count confirmed, and only then write them.

    Raises UsageError, SuiteError, EngineError.
    """
    from ....suites.making import count_suite, make_suites
    from .from_zoo import choose, choose_the_sweeps

    target, seed = Path(settings.folder), settings.seed
    if not target.is_dir():
        raise UsageError(
            f"there is no folder {settings.folder!r}: create it first, then the suites are written into it"
        )
    with catch_interrupts() as interrupt:
        console.err().print("choosing and counting positions", style="dim")
        chosen: dict[str, Suite] = {}
        if settings.from_zoo or settings.sweep:
            with spreading(settings.scheduler, settings.jobs or 1, interrupt) as spread:
                chosen = choose(seed, spread, interrupt) if settings.from_zoo else {}
                chosen |= choose_the_sweeps(seed, spread, interrupt)
        suites = []
        made = (
            make_suites(seed, chosen) if settings.from_zoo or not settings.sweep else map(count_suite, chosen.values())
        )
        for suite in made:
            if interrupt.requested:
                return _nothing_written("interrupted", ExitCode.INTERRUPTED)
            suites.append(suite)
        finished = _verify(tuple(suites), (), interrupt)
        console.out().print(terminal.render(finished))
        if finished.exit_code is not ExitCode.AGREE:
            why = "interrupted" if finished.interrupted else "not every count is confirmed"
            return _nothing_written(why, finished.exit_code)
        for suite in suites:
            write_suite(target / f"{suite.name}.epd", suite, header_of(suite, seed))
        console.out().print(f"written to {target}: {', '.join(f'{suite.name}.epd' for suite in suites)}")
        return ExitCode.AGREE


def _nothing_written(why: str, status: ExitCode) -> ExitCode:
    console.err().print(Text(f"nothing is written: {why}", style="bold red"))
    return status


def header_of(suite: Suite, seed: int) -> list[str]:
    """Return the comment lines at the head of a bundled suite: how it is made, and who has verified it."""
    from ....suites.making import CHOSEN

    total = _total(suite)
    how = "`perft-check suites make --from-zoo`" if suite.name in CHOSEN else f"`perft-check suites make --seed {seed}`"
    lines = [
        f"perft-check suite {suite.name!r}: {count(total.positions, 'position')}, {count(total.counts, 'count')}.",
        f"Made by {how}; every count verified by {' and '.join(_verifier_names())}.",
    ]
    if suite.name in CHOSEN:
        lines.append("c0 names the faults that a position is there for: `perft-check zoo show NAME` tells about each.")
    return lines


def _verifier_names() -> list[str]:
    return ["Stockfish" if spec == "uci:stockfish" else spec for spec in DEFAULT_VERIFIERS]


def gallery(settings: GallerySettings) -> ExitCode:
    """Run the faults in the positions of the gallery and write its page. Raises UsageError."""
    from ...zoo.gallery.exhibits import gallery as show_gallery
    from ...zoo.gallery.model import Gallery

    targets = distinct([parse_target(text, Gallery) for text in settings.reports or (DEFAULT_PAGE,)])
    console.err().print("running faults of the zoo in the positions of the gallery", style="dim")
    shown = show_gallery()
    status = write_reports(shown, targets, ExitCode.AGREE)
    for target in targets:
        if status is ExitCode.AGREE and target.path != STDOUT:
            console.out().print(f"{count(len(shown.exhibits), 'rare event')}: written to {target.path}", soft_wrap=True)
    return status
