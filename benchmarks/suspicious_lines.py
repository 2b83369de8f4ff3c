"""Measure how often the faulty line is among the most suspicious lines, for faults in C and in Python.

    PYTHONPATH=benchmarks/guided python benchmarks/suspicious_lines.py [--kind KIND] [--optimize O0] [NAME ...]

The kinds `c` and `python` are the forty conditional faults of `benchmarks/guided/` in both languages, and `patched` are
the faults of `benchmarks/faults/`. Each engine is asked about the position that shows its fault and about the neighbors
of this position, as `divide --coverage` does. A place is faulty if it contains a line that the fault adds or changes,
or a line next to one that it removes. Needs `clang`.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path

import conditional_faults
import numpy as np
from faults import patched
from measure import FLAGS, MODULE
from perft_check.generator import Position
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import TimeLimit
from perft_check.harness.engines.opening import open_session
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.fuzzing.suspicion import Numbers, ochiai
from perft_check.harness.fuzzing.suspicious_lines import MOST_SHOWN, LineSuspector
from perft_check.harness.model.results.finding import SuspiciousLines


def dstar(failing: Numbers, passing: Numbers, failures: int) -> Numbers:
    """Return DStar with exponent 2 of each branch; it is infinite for a branch of all failures only.

    It is from W. E. Wong, V. Debroy, R. Gao, Y. Li, "The DStar Method for Effective Software Fault Localization", IEEE
    Transactions on Reliability 63, 2014.
    """
    others = passing + failures - failing
    whole = np.where(failing > 0, np.inf, 0.0)
    return np.divide(failing**2, others, where=others > 0, out=whole)


MEASURES = {"ochiai": ochiai, "dstar": dstar}
SECONDS = 10.0
"""Time limit of a count."""


@dataclass(frozen=True)
class FaultyEngine:
    """The source of an engine with a fault, and a position that shows it."""

    name: str
    source: str
    correct: str
    """The source without the fault."""
    position: Position
    before: tuple[Position, ...] = ()
    """Positions that the engine is asked about first."""

    @property
    def faulty_lines(self) -> set[int]:
        """The lines that the fault adds or changes, and those next to lines that it removes."""
        lines: set[int] = set()
        matcher = difflib.SequenceMatcher(None, self.correct.splitlines(), self.source.splitlines(), autojunk=False)
        for change, _, _, first, end in matcher.get_opcodes():
            if change == "delete":
                lines |= {first, first + 1}
            elif change != "equal":
                lines |= set(range(first + 1, end + 1))
        return lines


def engines(kind: str) -> list[FaultyEngine]:
    """Return the faulty engines of a kind."""
    if kind == "patched":
        return [
            FaultyEngine(
                one.name,
                _counting(patched.patch_example(one.changes)),
                _counting(patched.patch_example(one.variant)),
                one.proof.position,
                one.proof.before,
            )
            for one in patched.faults()
            if one.proof is not None
        ]
    made = []
    for fault in conditional_faults.faults():
        without = replace(fault, code={kind: {}})
        source, correct = fault.source(kind), without.source(kind)
        if kind == "c":
            source, correct = _counting(source), _counting(correct)
        made.append(FaultyEngine(fault.name, source, correct, Position.from_fen(fault.fen)))
    return made


def _counting(source: str) -> str:
    header = '#include "perft_check.h"'
    return source.replace(header, f'{header}\n#include "perft_check_coverage.h"')


def build(engine: FaultyEngine, kind: str, optimize: str) -> EngineSpec:
    """Write the engine to the current folder, and compile it unless it is in Python. Raises CalledProcessError."""
    if kind == "python":
        Path(f"{MODULE}.py").write_text(engine.source, encoding="utf-8")
        return EngineSpec(f"python:{MODULE}:MailboxPosition")
    Path("engine.c").write_text(engine.source, encoding="utf-8")
    flags = [f"-{optimize}", "-g", *FLAGS["clang"], "-shared", "-fPIC", "-I", str(patched.HEADERS)]
    subprocess.run(["clang", *flags, "-o", "libengine.so", "engine.c"], check=True)
    return EngineSpec("lib:./libengine.so")


def ranks(engine: FaultyEngine, kind: str, optimize: str) -> dict[str, tuple[int, SuspiciousLines] | None]:
    """Return for each measure the rank of the first faulty place and the place; None if it is not suspicious."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        session = open_session(build(engine, kind, optimize), CallRunner(), TimeLimit(SECONDS))
        with LineSuspector(session) as suspector:
            suspector.start()
            for position in engine.before:
                suspector.compare([position])
            executions = suspector.compare([engine.position])
            if not executions:
                return dict.fromkeys(MEASURES)
            return {
                name: _first_faulty(suspector.rank(executions, measure), engine.faulty_lines)
                for name, measure in MEASURES.items()
            }


def _first_faulty(places: Iterable[SuspiciousLines], faulty: set[int]) -> tuple[int, SuspiciousLines] | None:
    numbered = enumerate(places, 1)
    return next((one for one in numbered if faulty.intersection(range(one[1].first, one[1].last + 1))), None)


def main() -> int:
    """Print the rank of the faulty line of each engine, and how often it is first and among the first five."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--kind", choices=("c", "python", "patched"), default="c")
    parser.add_argument("--optimize", choices=("O0", "O1", "O2"), default="O2")
    options = parser.parse_args()
    found: dict[str, list[int]] = {name: [] for name in MEASURES}
    chosen = [one for one in engines(options.kind) if one.name in (options.names or {one.name})]
    for engine in chosen:
        by_measure = ranks(engine, options.kind, options.optimize)
        cells = []
        for measure, place in by_measure.items():
            found[measure] += [] if place is None else [place[0]]
            cells.append("-" if place is None else f"{place[0]} ({place[1].last - place[1].first + 1})")
        print(f"{engine.name:<34} {'  '.join(f'{cell:<8}' for cell in cells)}", flush=True)
    for measure, numbers in found.items():
        first, shown = numbers.count(1), sum(number <= MOST_SHOWN for number in numbers)
        print(f"{measure}: first {first}, among the first {MOST_SHOWN} {shown}, of {len(chosen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
