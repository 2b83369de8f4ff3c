"""Measure the overhead of pipelining questions to a Python function that takes 100 microseconds per position.

    PYTHONPATH=tests python benchmarks/callables.py [--blocks 200]

Prints the CPU time per position in the function itself, elsewhere in its process, and in perft-check's process.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
from helpers.blocks import correct_block, random_positions
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.python_callable import PythonCallableEngine
from stream import BLOCK, ask_all

MICROSECONDS = 100
MODULE = f"""
import time
import chess

known = {{}}

def moves(fen):
    if fen not in known:
        known[fen] = [move.uci() for move in chess.Board(fen).legal_moves]
    end = time.process_time() + {MICROSECONDS} / 1e6
    while time.process_time() < end:
        pass
    return known[fen]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, default=200)
    number = parser.parse_args().blocks
    positions = random_positions(BLOCK)
    blocks = [correct_block(positions)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "busy.py").write_text(MODULE, encoding="utf-8")
        os.chdir(folder)
        engine = open_engine("python:busy:moves")
        assert isinstance(engine, PythonCallableEngine)
        engine.start(EngineCall(30))
        stream = engine.open_pipeline(EngineCall(30)).stream
        ask_all([stream], blocks, 2)  # the function caches its lists
        began, before = time.process_time(), used_by_children()
        ask_all([stream], blocks, number)
        ours, theirs = time.process_time() - began, used_by_children() - before
        inside = time_alone([position.fen() for position in positions])
        stream.close()
        engine.close()
        os.chdir("/")
    ours, theirs = (seconds * 1e6 / (number * BLOCK) for seconds in (ours, theirs))
    print(
        f"CPU per position: {inside:.1f} us in the function, {theirs - inside:.1f} us elsewhere in its process, "
        f"{ours:.1f} us in perft-check: {inside / (ours + theirs):.1%} in the function"
    )


def used_by_children() -> float:
    """Return the CPU seconds of the running child processes."""
    times = [process.cpu_times() for process in psutil.Process().children(recursive=True)]
    return float(sum(one.user + one.system for one in times))


def time_alone(fens: list[str]) -> float:
    """Return the time of a call in this process, in microseconds, when the move list is already cached."""
    sys.path.insert(0, "")
    moves = importlib.import_module("busy").moves
    for _ in range(2):
        began = time.process_time()
        for fen in fens:
            moves(fen)
    return (time.process_time() - began) * 1e6 / len(fens)


if __name__ == "__main__":
    main()
