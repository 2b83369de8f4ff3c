"""Measure how fast an engine answers pipelined questions, and where the CPU time is spent.

    PYTHONPATH=tests python benchmarks/stream.py [--engine uci:stockfish] [--positions 100000] [--depth 1]

Blocks of 256 positions from random games, with the correct answers, are prepared in advance. They are sent to one
process of the engine, then to two. The CPU times are those of this process and of the engine's processes.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass

from helpers.blocks import correct_block, random_positions
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.harness.engines.block_stream import BlockStream
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.stdin_engine import StdinEngine

BLOCK, BLOCKS = 256, 40
AHEAD = 4
"""Number of blocks that are sent to each process ahead of its answers."""


@dataclass(frozen=True)
class RunFigures:
    """The figures of one run; times are in seconds."""

    positions: int
    doubtful: int
    seconds: float
    ours: float
    theirs: float

    def line(self, streams: int) -> str:
        """Return the figures as a line."""
        each = 1e6 / self.positions
        return (
            f"{streams} process{'es' * (streams > 1)}: {self.positions / self.seconds:,.0f} positions per second; "
            f"CPU per position: perft-check {self.ours * each:.2f} us, the engine {self.theirs * each:.2f} us "
            f"({self.theirs / (self.ours + self.theirs):.0%}); {self.doubtful} to be checked"
        )


def ask_all(streams: list[BlockStream], blocks: list[PositionBatch], number: int) -> tuple[int, int]:
    """Send a number of blocks to the streams in turn; return the numbers of answered positions and of mismatches."""
    positions = doubtful = 0
    for place in range(number + AHEAD * len(streams)):
        stream = streams[place % len(streams)]
        if place >= AHEAD * len(streams):
            done = stream.collect()
            positions, doubtful = positions + done.answered, doubtful + len(done.doubtful)
        if place < number:
            stream.submit(blocks[place % len(blocks)])
    return positions, doubtful


def engine_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(engine: StdinEngine, processes: int, blocks: list[PositionBatch], number: int) -> RunFigures:
    """Measure a run, excluding the time for starting and probing the engine."""
    before = engine_seconds()
    for _ in range(processes):
        engine.open_pipeline(EngineCall(10)).stream.close()
    starting = engine_seconds() - before
    before = engine_seconds()
    streams = [engine.open_pipeline(EngineCall(10)).stream for _ in range(processes)]
    began, used = time.perf_counter(), time.process_time()
    positions, doubtful = ask_all(streams, blocks, number)
    seconds, ours = time.perf_counter() - began, time.process_time() - used
    for stream in streams:
        stream.close()
    return RunFigures(positions, doubtful, seconds, ours, engine_seconds() - before - starting)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--engine", default="uci:stockfish")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--depth", type=int, default=1)
    chosen = parser.parse_args()
    engine = open_engine(chosen.engine)
    if not isinstance(engine, StdinEngine):
        raise SystemExit("this needs an engine on stdin")
    engine.start(EngineCall(10))
    positions = random_positions(BLOCK * BLOCKS)
    blocks = [correct_block(positions[at : at + BLOCK], chosen.depth) for at in range(0, len(positions), BLOCK)]
    for processes in (1, 2):
        print(measure(engine, processes, blocks, chosen.positions // BLOCK).line(processes))
    engine.close()


if __name__ == "__main__":
    main()
