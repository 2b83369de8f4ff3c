"""Count false alarms of the fuzzer's checks on the controls of the zoo: `python benchmarks/false_alarms.py`.

The checks examine positions from random games of standard chess and Chess960, divided among the controls. Controls are
correct generators, so every discrepancy is a false alarm.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import chess
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.hunt import examiner_of

LONGEST_GAME = 160
CHUNK = 2_000


def positions(seed: int) -> Iterator[Position]:
    """Yield positions from random games without end."""
    source = random.Random(seed)
    while True:
        chess960 = source.random() < 0.5
        board = chess.Board.from_chess960_pos(source.randrange(960)) if chess960 else chess.Board()
        position = Position.from_fen(board.fen(), chess960)
        for _ in range(LONGEST_GAME):
            if not position.legal_moves:
                break
            yield position
            position = position.play(source.choice(position.legal_moves))


def alarms(task: tuple[str, int, int]) -> tuple[str, int, list[str]]:
    """Examine positions; return the name of the control, the number of positions, and the discrepancies."""
    name, seed, number = task
    examiner = examiner_of(ZooEngine(name), CallRunner())
    found = [
        f"{name}: {one.check} at {one.game}: {one.message}"
        for position in islice(positions(seed), number)
        for one in examiner.examine(Game(position), 1)
    ]
    return name, number, found


def main() -> None:
    """Examine positions, and print one line per chunk."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    controls = [name for name, fault in ZOO.items() if fault.is_control]
    chunks = -(-options.positions // CHUNK)
    tasks = [(controls[number % len(controls)], number, CHUNK) for number in range(chunks)]
    began, total, wrong = time.monotonic(), 0, 0
    with ProcessPoolExecutor(options.jobs) as processes:
        for _, number, found in processes.map(alarms, tasks):
            total, wrong = total + number, wrong + len(found)
            print(
                f"{total:,} positions, {wrong} alarms, {time.monotonic() - began:.0f} s",
                *found[:3],
                sep="\n",
                flush=True,
            )
    print(f"{total:,} positions of {len(controls)} controls: {wrong} false alarms")


if __name__ == "__main__":
    main()
