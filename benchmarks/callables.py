"""How much of the CPU time is inside a Python function that is asked ahead and computes 100 microseconds a position.

    PYTHONPATH=tests python benchmarks/callables.py [--blocks 40]

Prints the CPU time that our process and the rest of the function's own process take besides, a position.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from helpers.drawn import played, right_block
from perft_check.harness.engines.kinds.python_callable import PythonCallableEngine
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.engines.task import Task
from stream import BLOCK, asked, engine_seconds

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
    parser.add_argument("--blocks", type=int, default=40)
    number = parser.parse_args().blocks
    positions = played(BLOCK)
    blocks = [right_block(positions)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "busy.py").write_text(MODULE, encoding="utf-8")
        os.chdir(folder)
        engine = open_engine("python:busy:moves")
        assert isinstance(engine, PythonCallableEngine)
        engine.start(Task(30))
        used = []
        for rounds in (1, number + 1):  # what the first one uses is for starting and for the lists
            stream, before = engine.ahead(Task(30)).stream, engine_seconds()
            began = time.process_time()
            asked([stream], blocks, rounds)
            ours = time.process_time() - began
            stream.close()
            used.append((ours, engine_seconds() - before))
        engine.close()
        os.chdir("/")
    ours, theirs = ((more - less) * 1e6 / (number * BLOCK) for less, more in zip(*used, strict=True))
    print(
        f"CPU a position: {MICROSECONDS} us inside, {theirs - MICROSECONDS:.1f} us besides in its process, "
        f"{ours:.1f} us in ours: {MICROSECONDS / (ours + theirs):.0%} inside"
    )


if __name__ == "__main__":
    main()
