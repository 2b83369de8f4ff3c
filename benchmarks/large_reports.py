"""Measure the time and memory that are needed to report a run of 100,000 cases with three counts each.

    python benchmarks/large_reports.py [SHARE]

SHARE is the fraction of cases that fail, by default 0.001.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from perft_check.atomic import write_atomically
from perft_check.harness.explaining.rules import Rule
from perft_check.harness.model.results.events import CaseResult, CountResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.finding import Cause, Difference, Finding, WrongMove
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.formats.table import formats_of

CASES = 100_000
FEN = "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3"
RULE = Rule.EN_PASSANT_ALONG_PIN
WRONG = WrongMove("c4b3", "cxb3", "missing", RULE.value, RULE.title, "The pawn stays on the line of its pin.", ("a2",))


def main() -> None:
    """Print one line per format."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 0.001
    run = run_of([case(number, number % round(1 / share) == 0 if share else False) for number in range(CASES)])
    print(f"{CASES:,} cases, {run.count(Verdict.MISMATCH):,} failures; before the reports {_peak():.0f} MiB")
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, one in formats_of(RunFinished).items():
            path, began = Path(folder, name), time.process_time()
            write_atomically(path, (piece.encode(errors="backslashreplace") for piece in one.chunks(run)))
            spent = time.process_time() - began
            total += spent
            print(f"{name:8}{spent:6.2f} s CPU{path.stat().st_size / 1e6:8.1f} MB, peak {_peak():.0f} MiB")
    print(f"all     {total:6.2f} s CPU")


def case(number: int, is_wrong: bool) -> CaseResult:
    """Return a case with three counts, the last of which may be incorrect."""
    fen, verdict = f"{FEN} {number % 100} {number // 100 + 1}", Verdict.AGREE
    result = CaseResult(
        name=f"case-{number:06d}",
        suite="made",
        source=f"made.epd:{number + 1}",
        fen=fen,
        chess960=False,
        verdict=verdict,
        depth=3,
        expected=8902,
        got=8902,
        references=(),
        nodes=9322,
        seconds=0.0024,
        counts=tuple(CountResult(depth, nodes, verdict, nodes, 0.001) for depth, nodes in ((1, 20), (2, 400))),
    )
    got, verdict = (8901, Verdict.MISMATCH) if is_wrong else (8902, Verdict.AGREE)
    counts = (*result.counts, CountResult(3, 8902, verdict, got, 0.001))
    if not is_wrong:
        return replace(result, counts=counts)
    finding = Finding(cause=Cause.MOVES, fen=fen, chess960=False, wrong=(WRONG,))
    difference = Difference("odd", "own", fen, False, 3, got, 8902, ())
    return replace(result, counts=counts, verdict=verdict, got=got, finding=finding, difference=difference)


def run_of(results: list[CaseResult]) -> RunFinished:
    """Return a run with these results."""
    suite = SuiteTotal("made", CASES, 3 * CASES, 9322 * CASES)
    return RunFinished(RunStarted("0", "odd", (), (suite,)), tuple(results), 300.0)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
