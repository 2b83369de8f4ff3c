"""What the harness adds to a fast engine: milliseconds a case beyond talking to it bare.

    python benchmarks/overhead.py [--rounds 20]

Stockfish counts the smoke suite at depth 1, once through our engine layer and once through a bare
pipe, in turn.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

from perft_check.generator.line import Line
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import find_program, open_engine
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    program = find_program("stockfish")
    if program is None:
        raise SystemExit("this needs Stockfish")
    positions = [case.position for case in load_suite(bundled_path("smoke")) if not case.position.chess960]
    engine = open_engine("uci:stockfish")
    engine.start(EngineCall())
    bare = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert bare.stdin is not None
    assert bare.stdout is not None
    bare.stdout.readline()
    ours, theirs = [], []
    for _ in range(rounds):
        began = time.perf_counter()
        for position in positions:
            engine.perft(Line(position), 1, EngineCall(10))
        ours.append((time.perf_counter() - began) / len(positions) * 1000)
        began = time.perf_counter()
        for position in positions:
            bare.stdin.write(f"position fen {position.fen()}\ngo perft 1\n")
            while not bare.stdout.readline().startswith("Nodes"):
                pass
        theirs.append((time.perf_counter() - began) / len(positions) * 1000)
    engine.close()
    bare.kill()
    over = statistics.median(one - other for one, other in zip(ours, theirs, strict=True))
    medians = f"through us {statistics.median(ours):.3f} ms, bare {statistics.median(theirs):.3f} ms"
    print(f"{medians} a case: {over:.3f} ms more")


if __name__ == "__main__":
    main()
