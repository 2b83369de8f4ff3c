"""Generate the bundled suites: `cd tools && python -m bundling FOLDER`, then `perft-check suites verify` the files.

The same seed gives the same suites. With `--from-zoo`, the positions of `smoke`, the special suites and the sweeps are
chosen by the faults that they show, which takes minutes; otherwise they are only counted again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from perft_check.harness.model.shutdown import Interrupt, catch_interrupts
from perft_check.reports.text import count
from perft_check.suites.case import Suite
from perft_check.suites.epd import write_suite

from bundling import sweep
from bundling.generated import CHOSEN, count_suite, make_suites
from bundling.suites import FAMOUS, Strength, SuiteChooser, candidates, families, kill_all

SEED = 2026
VERIFIERS = "python-chess and Stockfish"


def choose_suites(seed: int, jobs: int, interrupt: Interrupt) -> dict[str, Suite]:
    """Choose the suites in `generated.CHOSEN`, except the sweeps, by the faults that they show. Raises Interrupted."""
    cases = candidates(seed)
    faults = [fault for group in families().values() for fault in group]
    matrix: dict[str, dict[str, int]] = {}
    for number, (name, depths) in enumerate(kill_all(faults, cases, frozenset(FAMOUS), jobs, interrupt), 1):
        matrix[name] = depths
        print(f"{number}/{len(faults)}: {name} shows in {count(len(depths), 'position')}")
    chooser = SuiteChooser(cases, matrix)
    choices = {"smoke": chooser.smoke(), "special": chooser.special()}
    print(f"{len(families())} families can show in counts, {count(len(cases), 'position')} to choose from")
    for name, choice in choices.items():
        print(f"{name}, with its positions of Chess960: {_describe_strength(chooser.strength(choice))}")
    own, others = chooser.cross_validate()
    print(f"smoke, chosen without a third of the families: {_describe_strength(own)}")
    print(f"  of the families held out: {_describe_detection(others)}")
    return chooser.suites(**choices)


def _describe_strength(strength: Strength) -> str:
    size = f"{count(strength.positions, 'position')}, {count(strength.nodes, 'node')}"
    return f"{size}, {_describe_detection(strength)}"


def _describe_detection(strength: Strength) -> str:
    once, twice, thrice = strength.killed
    return f"detects {once} of {strength.families} families, {twice} of them twice, {thrice} three times"


def choose_sweeps(seed: int, jobs: int, interrupt: Interrupt) -> dict[str, Suite]:
    """Choose the sweeps by the faults that they show. Raises Interrupted."""
    cases = sweep.questions(seed)
    matrix: dict[str, frozenset[str]] = {}
    for number, (name, shown) in enumerate(sweep.show_all(cases, jobs, interrupt), 1):
        matrix[name] = shown
        print(f"{number}: {name} shows in {count(len(shown), 'question')}")
    suites = sweep.choose_sweeps(cases, matrix)
    for suite in suites.values():
        nodes = sum(map(sweep.nodes_of, suite))
        print(f"{suite.name}: {count(len(suite), 'question')} of {len(cases)}, {count(nodes, 'node')}")
    never, played = sweep.find_missed(suites, matrix)
    print(f"shown by no question: {', '.join(never) or 'no fault'}")
    print(f"shown only after moves: {', '.join(played) or 'no fault'}")
    return suites


def header_of(suite: Suite, seed: int) -> list[str]:
    """Return the comment lines of a bundled suite: how it was generated and verified."""
    how = "--from-zoo" if suite.name in CHOSEN else f"--seed {seed}"
    counts = sum(len(case.counts) for case in suite)
    lines = [
        f"perft-check suite {suite.name!r}: {count(len(suite), 'position')}, {count(counts, 'count')}.",
        f"Made by `python -m bundling {how}`; every count verified by {VERIFIERS}.",
    ]
    if suite.name in CHOSEN:
        lines.append("c0 names the faults that a position is there for: `perft-check zoo show NAME` tells about each.")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the suites; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bundling", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from-zoo", action="store_true", help="choose suites by the faults that they show (minutes)")
    parser.add_argument("--sweep", action="store_true", help="choose only the sweeps")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    chosen: dict[str, Suite] = {}
    with catch_interrupts() as interrupt:
        if options.from_zoo:
            chosen |= choose_suites(options.seed, options.jobs, interrupt)
        if options.from_zoo or options.sweep:
            chosen |= choose_sweeps(options.seed, options.jobs, interrupt)
    is_all = options.from_zoo or not options.sweep
    for suite in make_suites(options.seed, chosen) if is_all else map(count_suite, chosen.values()):
        write_suite(options.folder / f"{suite.name}.epd", suite, header_of(suite, options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
