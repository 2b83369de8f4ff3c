"""The detection score as CSV: a line for each fault and strategy."""

from __future__ import annotations

import csv
import io

from ...harness.zoo.hunting.model import Row, Score
from .base import Format

CSV = Format("csv", ".csv")
FAULT = ("strategy", "class", "fault")
FIGURES = ("reached", "triggered", "detected", "positions", "nodes", "seconds", "pieces", "explained")


@CSV.writes(Score)
def _score(score: Score) -> str:
    """Return the score as CSV with a head line: shares from 0 to 1, medians as numbers, nothing where there is none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FAULT + FIGURES)
    for name, strategy in score.strategies.items():
        for fault, found in strategy.faults_by_class.items():
            writer.writerow([name, found.theme, fault, *_figures(found.row)])
    return text.getvalue()


def _figures(row: Row) -> list[str]:
    return [
        *map(_share, (row.reached, row.triggered, row.detected)),
        _whole(row.positions),
        _whole(row.nodes or None),  # a subject that is asked from inside counts no nodes
        "" if row.seconds is None else f"{row.seconds:.2f}",
        _whole(row.pieces),
        _share(row.explained),
    ]


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.3f}"


def _whole(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.0f}"
