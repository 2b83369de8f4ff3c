"""Ask engines ahead of their answers, without a fuzzing run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from helpers.processes import PATIENCE
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.harness.engines.block_stream import OpenedStream
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.python_callable import PythonCallableEngine
from perft_check.harness.engines.types.stdin_engine import StdinEngine


@contextmanager
def open_stream(spec: str, *, chess960: bool = False) -> Iterator[OpenedStream]:
    """Open an engine to ask it ahead of its answers. Raises CannotPipeline."""
    engine = open_engine(spec)
    assert isinstance(engine, (StdinEngine, PythonCallableEngine))
    try:
        engine.start(EngineCall(PATIENCE))
        one = engine.open_pipeline(EngineCall(PATIENCE), chess960=chess960)
    finally:
        engine.close()
    try:
        yield one
    finally:
        one.stream.close()


def doubtful_positions(one: OpenedStream, *blocks: PositionBatch) -> list[list[int]]:
    """Ask blocks, which must be answered completely; return the indices of doubtful positions in each."""
    for block in blocks:
        one.stream.submit(block)
    found = [one.stream.collect() for _ in blocks]
    assert [(done.answered, done.trouble) for done in found] == [(len(block), None) for block in blocks]
    assert all(done.sampled is block for done, block in zip(found, blocks, strict=True))
    return [done.doubtful.tolist() for done in found]
