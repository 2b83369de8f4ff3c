"""Measure how fast FENs are written in batches, compared with `Position.fen` in the same run.

    python benchmarks/notation.py [--fens 20000] [--rounds 5]

Prints FENs per second of CPU time on one core, and the ratio to `Position.fen`, as medians of alternating rounds.
"positions" starts from a list of `Position` objects, "arrays" from arrays of kernel states. The positions come from
short random walks that begin at the bundled positions.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median

from perft_check.generator import Position
from perft_check.generator.fens import states_of, write_states
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

PLIES = 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--fens", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    positions = list(islice(walk_positions(random.Random(1)), arguments.fens))
    fens = [position.fen() for position in positions]
    states = states_of(positions)
    assert write_states(states).decode().splitlines() == fens
    writing: dict[str, Callable[[], object]] = {
        "one by one": lambda: [position.fen() for position in positions],
        "positions": lambda: write_states(states_of(positions)),
        "arrays": lambda: write_states(states),
    }
    show("written", writing, arguments.rounds, len(fens))


def walk_positions(rng: random.Random) -> Iterator[Position]:
    starts = [case.position for suite in BUNDLED for case in load_suite(bundled_path(suite))]
    while True:
        position = rng.choice(starts)
        for _ in range(PLIES):
            if not position.legal_moves:
                break
            position = position.play_unchecked(rng.choice(position.legal_moves))
            # Without castling rights, the FEN of a Chess960 position is read as standard chess.
            yield Position.from_fen(position.fen(), None)


def show(name: str, ways: dict[str, Callable[[], object]], rounds: int, number: int) -> None:
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, work in ways.items():
            began = time.process_time()
            work()
            seconds[way].append(time.process_time() - began)
    slowest = median(seconds["one by one"])
    for way, times in seconds.items():
        print(f"{name:8} {way:11} {number / median(times):12,.0f} per second {slowest / median(times):8.1f} times")


if __name__ == "__main__":
    main()
