"""A small suite that reaches all that a run has reached in the engine's code: first lines, as few as were found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ...generator.counting.perft import perft
from ...suites.case import Case, Suite
from ...suites.epd import write_suite
from ..asking.client import CallRunner, TimeLimit
from ..checking.covering import CoverPlan, SuiteCoverage
from ..coverage.model import FirstReached
from ..engines.registry import open_engine
from .plan import FuzzPlan


def keep_cover(path: Path, plan: FuzzPlan, firsts: Sequence[FirstReached]) -> tuple[int, int]:
    """Ask the engine of a plan about the first lines again, and write few of them that reach all they reach.

    Returns how many positions were written, and how many branches they reach. Raises SuiteError, UsageError,
    EngineError, Interrupted.
    """
    asked = Suite(path.stem, tuple(_cases(firsts)))
    covering = SuiteCoverage(
        CoverPlan(lambda: open_engine(plan.engine, plan.limits), (asked,), TimeLimit(plan.timeout)), CallRunner()
    )
    try:
        for _ in covering.run():
            pass
        cover = covering.smallest
    finally:
        covering.close()
    if cover:
        write_suite(path, Suite(path.stem, cover), ["What fuzz --coverage has reached in the engine's code"])
    return len(cover), covering.reached


def _cases(firsts: Sequence[FirstReached]) -> Iterator[Case]:
    """Yield each line once for each depth: as it was asked about, and without its moves from its own FEN."""
    lines = dict.fromkeys((line, one.depth) for one in firsts for line in (one.line.afresh(), one.line))
    for number, (line, depth) in enumerate(lines, 1):
        counts = ((depth, perft(line.base, depth)),)
        yield Case(f"cover-{number:03d}", line.base, counts, f"fuzz:{number}", moves=line.moves)
