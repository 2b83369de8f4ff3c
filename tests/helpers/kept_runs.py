"""Hand-made runs for histories."""

from __future__ import annotations

from typing import Any

from perft_check.harness.history.model import RunOrigin
from perft_check.harness.model.results.events import CaseResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.verdict import Verdict

FEN = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
ORIGIN = RunOrigin("2026-11-22T11:58:03Z", "./odd", "ab" * 32, "Linux x86_64, znver3, 2 threads", None, {"jobs": 2})


def case(name: str, verdict: Verdict = Verdict.AGREE, depth: int = 3, seconds: float = 1.0, **more: Any) -> CaseResult:
    """Return how a position ended."""
    fields: dict[str, Any] = {"suite": "made", "source": "made.epd:1", "fen": FEN, "chess960": False, "nodes": 1000}
    fields |= {"expected": 66, "got": 66, "references": ()}
    return CaseResult(name=name, verdict=verdict, depth=depth, seconds=seconds, **(fields | more))


def finished(*results: CaseResult, **more: Any) -> RunFinished:
    """Return a run with these results."""
    started = RunStarted("1.2.3", "./odd", (), (SuiteTotal("made", len(results), len(results), 1000),))
    return RunFinished(started, results, 1.5, **more)


def many(number: int) -> RunFinished:
    """Return a run of so many positions."""
    return finished(*(case(f"case {one}", fen=f"4k3/8/8/8/8/8/8/4K2R w K - 0 {one + 1}") for one in range(number)))
