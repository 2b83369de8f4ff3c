"""How fast an engine is asked ahead of its answers: positions a second, and where the CPU time goes.

    PYTHONPATH=tests python benchmarks/stream.py [--engine uci:stockfish] [--positions 100000] [--depth 1]

Blocks of 256 positions of random games are made beforehand, with right answers. They are asked through one process
of the engine, then through two. CPU times are ours (`time.process_time`) and that of the engine's processes.
"""

from __future__ import annotations

import argparse
import resource
import time
from dataclasses import dataclass

from helpers.blocks import correct_block, played
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.harness.engines.block_stream import BlockStream
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.stdin_engine import StdinEngine

BLOCK, BLOCKS = 256, 40
AHEAD = 4
"""Blocks under way in each process."""


@dataclass(frozen=True)
class RunFigures:
    """What one run has used, in seconds."""

    positions: int
    doubtful: int
    seconds: float
    ours: float
    theirs: float

    def told(self, streams: int) -> str:
        """Return the figures as a line."""
        each = 1e6 / self.positions
        return (
            f"{streams} process{'es' * (streams > 1)}: {self.positions / self.seconds:,.0f} positions a second; "
            f"CPU a position: ours {self.ours * each:.2f} us, the engine's {self.theirs * each:.2f} us "
            f"({self.theirs / (self.ours + self.theirs):.0%}); {self.doubtful} doubtful"
        )


def asked(streams: list[BlockStream], blocks: list[PositionBatch], number: int) -> tuple[int, int]:
    """Ask so many blocks through the streams in turn; return how many positions were answered and doubted."""
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


def measured(engine: StdinEngine, processes: int, blocks: list[PositionBatch], number: int) -> RunFigures:
    """Measure, less what the engine uses to start and for the trial."""
    before = engine_seconds()
    for _ in range(processes):
        engine.open_pipeline(EngineCall(10)).stream.close()
    starting = engine_seconds() - before
    before = engine_seconds()
    streams = [engine.open_pipeline(EngineCall(10)).stream for _ in range(processes)]
    began, used = time.perf_counter(), time.process_time()
    positions, doubtful = asked(streams, blocks, number)
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
    positions = played(BLOCK * BLOCKS)
    blocks = [correct_block(positions[at : at + BLOCK], chosen.depth) for at in range(0, len(positions), BLOCK)]
    for processes in (1, 2):
        print(measured(engine, processes, blocks, chosen.positions // BLOCK).told(processes))
    engine.close()


if __name__ == "__main__":
    main()
