"""Hand-made coverage of a small file: seven branches on six lines, three of which were reached."""

from __future__ import annotations

from dataclasses import replace

from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.covering import CoverFinished
from perft_check.harness.coverage.code import CodeCoverage
from perft_check.harness.coverage.model import CoverageSummary, FirstReached, SourceLocation
from perft_check.harness.coverage.source_files import SourceFile
from perft_check.harness.model.results.verdict import Verdict

TEXT = """\
#include "board.h"

int count(const Board *b) {
\tif (b->checkers) return evade(b);
    if (b->ep >= 0)
        return en_passant(b);
    // nobody castles here
    return castle(b) + others(b);
}

/* never called */
int undo(Board *b) { return b->half--; }
"""
SOURCE = SourceFile("/src/mine.c", "mine.c", tuple(TEXT.splitlines()), real_path="/src/mine.c")
LINE = Game(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
PLACES = (
    SourceLocation("/src/mine.c", 3, "count"),
    SourceLocation("/src/mine.c", 4, "count"),
    SourceLocation("/src/mine.c", 4, "count"),
    SourceLocation("/src/mine.c", 5, "count"),
    SourceLocation("/src/mine.c", 6, "count"),
    SourceLocation("/src/mine.c", 8, "count"),
    SourceLocation("/src/mine.c", 12, "undo"),
)
FIRSTS = (FirstReached(0, LINE, 1, by_suite=True), FirstReached(1, LINE, 2, by_suite=True), FirstReached(3, LINE, 1))
CODE = CodeCoverage.of(CoverageSummary(PLACES, FIRSTS), [SOURCE])
SUITES_ALONE = CodeCoverage.of(CoverageSummary(PLACES, FIRSTS[:2]), [SOURCE])
COVER = CoverFinished(
    version="0.1.0",
    engine="lib:./libmine.so",
    suites=("smoke", "mine"),
    code=SUITES_ALONE,
    positions=41,
    seconds=4.5,
    verdicts=((Verdict.AGREE, 120),),
)
WRONG_COVER = replace(
    COVER,
    verdicts=((Verdict.AGREE, 119), (Verdict.MISMATCH, 1)),
    failures=("kiwipete, depth 2: 2,038 nodes instead of 2,039",),
)
