"""`perft-check suites`: list, show, verify and make suites, and a page of all rare events."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from ....errors import UsageError
from ....reports.terminal import run as terminal
from ....reports.terminal.run import sizes_table
from ....reports.text import count
from ....suites.bundled import BUNDLED, EVERY, SYSTEMATIC, bundled_path, find_suite
from ....suites.case import Suite
from ....suites.epd import format_case, write_suite
from ....suites.loader import load_suite
from ...engines.registry import find_program, open_engine
from ...model import values
from ...model.results.events import RunFinished, SuiteSize, SuiteTotal
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ...work.pool import Spread, spread_here
from ..output import console
from ..settings.suites import BundledSettings, MakeSettings, SuiteSettings, VerifySettings

if TYPE_CHECKING:
    from ...zoo.choosing.suites import Strength

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
    suites = [load_suite(find_suite(spec)) for spec in settings.suites or (*BUNDLED, *SYSTEMATIC)]
    for suite in suites:
        if suite.notice:
            _say(suite.notice, "dim")
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
    """Make a suite of given positions, or the bundled ones; have every count confirmed, and only then write.

    Raises UsageError, SuiteError, EngineError.
    """
    if settings.source is not None:
        return _make_of(settings.source, settings)
    target, seed = Path(settings.place), settings.seed
    if not target.is_dir():
        raise UsageError(f"there is no folder {settings.place!r}: create it first, then the suites are written into it")
    with catch_interrupts() as interrupt:
        console.err().print("choosing and counting positions", style="dim")
        try:
            suites = console.wait_for(lambda: _make_suites(settings, interrupt), interrupt)
        except Interrupted:
            return _nothing_written("interrupted", ExitCode.INTERRUPTED)
        finished = _verify(suites, (), interrupt)
        console.out().print(terminal.render(finished))
        if finished.exit_code is not ExitCode.AGREE:
            why = "interrupted" if finished.interrupted else "not every count is confirmed"
            return _nothing_written(why, finished.exit_code)
        for suite in suites:
            write_suite(target / f"{suite.name}.epd", suite, header_of(suite, seed))
        console.out().print(f"written to {target}: {', '.join(f'{suite.name}.epd' for suite in suites)}")
        return ExitCode.AGREE


def _make_suites(settings: MakeSettings, interrupt: Interrupt) -> tuple[Suite, ...]:
    """Return the suites, chosen and counted. Raises Interrupted."""
    from ....suites.making import count_suite, make_suites

    chosen: dict[str, Suite] = {}
    if settings.from_zoo or settings.sweep:
        spread = spread_here(settings.jobs or 1)
        chosen = choose_suites(settings.seed, spread, interrupt) if settings.from_zoo else {}
        chosen |= choose_sweeps(settings.seed, spread, interrupt)
    if settings.from_zoo or not settings.sweep:
        return tuple(make_suites(settings.seed, chosen))
    return tuple(map(count_suite, chosen.values()))


def choose_suites(seed: int, spread: Spread, interrupt: Interrupt) -> dict[str, Suite]:
    """Return the suites named in `making.CHOSEN` but the sweeps, by the faults that they show. Raises Interrupted."""
    from ...zoo.choosing.suites import FAMOUS, SuiteChooser, candidates, families, kill_all

    cases = candidates(seed)
    faults = [fault for group in families().values() for fault in group]
    matrix: dict[str, dict[str, int]] = {}
    for number, (name, depths) in enumerate(kill_all(faults, cases, frozenset(FAMOUS), spread, interrupt), 1):
        matrix[name] = depths
        _say(f"{number}/{len(faults)}: {name} shows at {count(len(depths), 'position')}", "dim")
    chooser = SuiteChooser(cases, matrix)
    choices = {"smoke": chooser.smoke(), "special": chooser.special()}
    _say(f"{len(families())} families can show in counts, {count(len(cases), 'position')} to choose from")
    for name, choice in choices.items():
        _say(f"{name}, with its positions of Chess960: {_describe_strength(chooser.strength(choice))}")
    own, others = chooser.cross_validate()
    _say(f"smoke, chosen without a third of the families: {_describe_strength(own)}")
    _say(f"  of the families held out: {_describe_detection(others)}")
    return chooser.suites(**choices)


def _describe_strength(strength: Strength) -> str:
    size = f"{count(strength.positions, 'position')}, {count(strength.nodes, 'node')}"
    return f"{size}, {_describe_detection(strength)}"


def _describe_detection(strength: Strength) -> str:
    once, twice, thrice = strength.killed
    return f"catches {once} of {strength.families} families, {twice} of them twice, {thrice} three times"


def choose_sweeps(seed: int, spread: Spread, interrupt: Interrupt) -> dict[str, Suite]:
    """Return the sweeps, chosen by the faults that they show. Raises Interrupted."""
    from ...zoo.choosing import sweep

    cases = sweep.questions(seed)
    matrix: dict[str, frozenset[str]] = {}
    for number, (name, shown) in enumerate(sweep.show_all(cases, spread, interrupt), 1):
        matrix[name] = shown
        _say(f"{number}: {name} shows at {count(len(shown), 'question')}", "dim")
    suites = sweep.choose_sweeps(cases, matrix)
    for suite in suites.values():
        nodes = sum(map(sweep.nodes_of, suite))
        _say(f"{suite.name}: {count(len(suite), 'question')} of {len(cases)}, {count(nodes, 'node')}")
    never, played = sweep.find_missed(suites, matrix)
    _say(f"shown by no question: {', '.join(never) or 'no fault'}")
    _say(f"shown only after moves: {', '.join(played) or 'no fault'}")
    return suites


def _say(text: str, style: str = "") -> None:
    console.err().print(text, style=style, highlight=False, soft_wrap=True)


def _make_of(source: str, settings: MakeSettings) -> ExitCode:
    """Write a suite of the positions of a file. Raises UsageError, SuiteError."""
    from ....suites.making import suite_of_positions

    target, depth = Path(settings.place), settings.depth or values.SUITE_DEPTH
    if target.is_dir():
        raise UsageError(f"{settings.place!r} is a folder: with --from name the file to write, such as mine.epd")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"{settings.place!r}: there is no such folder: create it first")
    with catch_interrupts() as interrupt:

        def work() -> Suite:
            return suite_of_positions(source, target.stem, depth, settings.max_nodes)

        try:
            suite = console.wait_for(work, interrupt)
        except Interrupted:
            return _nothing_written("interrupted", ExitCode.INTERRUPTED)
        total = _total(suite)
        what = f"{count(total.positions, 'position')}, {count(total.counts, 'count')}"
        write_suite(target, suite, [f"{what}; counted by own:two-plies, and again by own."])
        more = f" ({suite.notice})" if suite.notice else ""
        console.out().print(f"written to {target}: {what}{more}", soft_wrap=True)
        return ExitCode.AGREE


def _nothing_written(why: str, status: ExitCode) -> ExitCode:
    console.err().print(Text(f"nothing is written: {why}", style="bold red"))
    return status


def header_of(suite: Suite, seed: int) -> list[str]:
    """Return the comment lines at the head of a bundled suite: how it is made, and who has verified it."""
    from ....suites.making import CHOSEN

    total = _total(suite)
    verifiers = ["Stockfish" if spec == "uci:stockfish" else spec for spec in DEFAULT_VERIFIERS]
    how = "`perft-check suites make --from-zoo`" if suite.name in CHOSEN else f"`perft-check suites make --seed {seed}`"
    lines = [
        f"perft-check suite {suite.name!r}: {count(total.positions, 'position')}, {count(total.counts, 'count')}.",
        f"Made by {how}; every count verified by {' and '.join(verifiers)}.",
    ]
    if suite.name in CHOSEN:
        lines.append("c0 names the faults that a position is there for: `perft-check zoo show NAME` tells about each.")
    return lines
