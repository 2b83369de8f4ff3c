"""How many counts a second `run` makes of a suite of many small cases, by our kernels and by Stockfish.

    python benchmarks/many_cases.py [--cases 10000] [--rounds 3]

Prints, for each engine, counts a second (the best of rounds in which all take turns) and the ratio to our list kernel
asked one by one: of processor time of this process for our kernels, of the clock for Stockfish, whose share it has
to wait for. "stockfish < file" is what it makes of the same questions when nobody looks at the answers. Reading the
suite is apart. The cases are positions of random games, each counted to depth 1 and 2.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from unittest.mock import patch

from perft_check.generator import Position, perft
from perft_check.harness.checking.running import ahead
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.registry import find_program, open_engine
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.model.shutdown import Interrupt
from perft_check.suites.case import Case, Suite
from perft_check.suites.epd import write_suite
from perft_check.suites.loader import load_suite

PLIES = 60
ALONE = "own, one by one"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.epd"
        write_suite(path, Suite("many", tuple(islice(walked(random.Random(1)), arguments.cases))))
        show(path, arguments.rounds)


def walked(rng: random.Random) -> Iterator[Case]:
    while True:
        position = Position.start()
        for _ in range(PLIES):
            if not position.legal_moves:
                break
            position = position.play_unchecked(rng.choice(position.legal_moves))
            yield Case("made", position, tuple((depth, perft(position, depth)) for depth in (1, 2)), "made")


def show(path: Path, rounds: int) -> None:
    ways: dict[str, Callable[[], float]] = {
        ALONE: partial(alone, path),
        **{spec: partial(speed, path, spec) for spec in ("own", "own:turbo", "own:two-plies")},
    }
    program = find_program("stockfish")
    if program is not None:
        ways["uci:stockfish"] = partial(speed, path, "uci:stockfish", time.perf_counter)
        ways["stockfish < file"] = partial(from_file, path, program)
    best = dict.fromkeys(ways, 0.0)
    for _ in range(rounds):
        for way, measured in ways.items():
            best[way] = max(best[way], measured())
    for way, counts in best.items():
        print(f"{way:16} {counts:10,.0f} counts a second {counts / best[ALONE]:8.2f} times")


def alone(path: Path) -> float:
    with patch.object(ahead, "FEW", 10**9):
        return speed(path, "own")


def from_file(path: Path, program: str) -> float:
    """Return the counts a second of a program that is told all questions at once."""
    counts = [(case.position.fen(), depth) for case in load_suite(path) for depth, _ in case.counts]
    questions = "".join(f"position fen {fen}\ngo perft {depth}\n" for fen, depth in counts)
    began = time.perf_counter()
    subprocess.run([program], input=f"{questions}quit\n", text=True, stdout=subprocess.DEVNULL, check=True)
    return len(counts) / (time.perf_counter() - began)


def speed(path: Path, spec: str, clock: Callable[[], float] = time.process_time) -> float:
    """Return the counts a second, of a suite that is read anew: positions remember what they were asked."""
    suite = load_suite(path)
    began = clock()
    *_, finished = run(RunPlan(partial(open_engine, spec), (suite,)), Interrupt())
    seconds = clock() - began
    assert isinstance(finished, RunFinished)
    assert finished.count(Verdict.AGREE) == len(suite)
    return sum(len(case.counts) for case in suite) / seconds


if __name__ == "__main__":
    main()
