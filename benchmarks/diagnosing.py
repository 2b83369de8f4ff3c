"""Measure how often `diagnose` names the cause of an incorrect divide, for each fault of the zoo.

The divides are those of the positions that were made to show the faults.

    python benchmarks/diagnosing.py [--totals] [--only NAME]

The exit status is 1 if fewer than 110 families are among the first three candidates, or fewer than 90 come first.
"""

from __future__ import annotations

import argparse
import sys
import time

from perft_check.generator.game import Game
from perft_check.harness.zoo.diagnosing import FaultyEngine, NoAnswer, Observation, diagnose, faults_to_try
from perft_check.harness.zoo.fault import Fault

LEAST_AMONG_THREE, LEAST_FIRST = 110, 90
DEPTH = 3


def observation_of(fault: Fault, *, totals: bool) -> Observation:
    """Return the counts of an engine with a fault in the position that shows the fault. Raises NoAnswer."""
    game = Game(fault.demonstration.game.base, fault.demonstration.game.moves)
    asked = Observation(game, max(DEPTH, fault.demonstration.depth), 0, {})
    counts = FaultyEngine(fault, set_up=bool(fault.demonstration.setup)).divide(asked)
    return Observation(game, asked.depth, sum(counts.values()), None if totals else counts)


def main() -> int:
    """Print a line for each fault whose family is not the first candidate, and a summary; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--totals", action="store_true", help="give totals only, not root moves")
    parser.add_argument("--only", help="the name of one fault")
    arguments = parser.parse_args()
    among_three, first, slowest, number = set[str](), set[str](), 0.0, 0
    for fault in faults_to_try():
        if arguments.only not in (None, fault.name):
            continue
        number += 1
        try:
            observation = observation_of(fault, totals=arguments.totals)
        except NoAnswer as error:
            print(f"{fault.name}: gives no count ({error})")
            continue
        began = time.perf_counter()
        families = [one.family for one in diagnose([observation]).candidates]
        seconds = time.perf_counter() - began
        slowest = max(slowest, seconds)
        if fault.family in families:
            among_three.add(fault.family)
        if families[:1] == [fault.family]:
            first.add(fault.family)
        else:
            print(f"{fault.name} ({fault.family}): {', '.join(families) or 'none'}; {seconds:.1f} s")
    print(f"{number} faults: {len(among_three)} families among three, {len(first)} first; slowest {slowest:.1f} s")
    return int(arguments.only is None and (len(among_three) < LEAST_AMONG_THREE or len(first) < LEAST_FIRST))


if __name__ == "__main__":
    sys.exit(main())
