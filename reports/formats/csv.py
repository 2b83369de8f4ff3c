"""CSV: the detection score, a line for each fault and strategy; the speeds of a bench, a line for each round."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from ...harness.model.engine_names import short_names
from ...harness.model.results.bench import BenchFinished
from ...harness.zoo.results import Score, ScoreRow
from .base import Format

CSV = Format("csv", ".csv")
FAULT = ("strategy", "class", "fault")
FIGURES = ("reached", "triggered", "detected", "positions", "nodes", "seconds", "pieces", "explained")
SPEED = ("engine", "position", "depth", "nodes", "verdict", "round", "Mnps", "name")


@CSV.writes(Score)
def _score(score: Score) -> str:
    """Return the score as CSV with a head line: shares from 0 to 1, medians as numbers, nothing where there is none."""
    lines = [
        [name, found.fault_class, fault, *_figures(found.row)]
        for name, strategy in score.strategies.items()
        for fault, found in strategy.faults_by_class.items()
    ]
    return _text(FAULT + FIGURES, lines)


@CSV.writes(BenchFinished)
def _bench(finished: BenchFinished) -> str:
    """Return a line for each round, and one without figures for an engine that gave no right count."""
    names = short_names(one.engine for one in finished.speeds)
    lines = [
        [one.engine, one.position, one.depth, one.nodes, one.verdict.value, *figures, names[one.engine]]
        for one in finished.speeds
        for figures in [(str(number), f"{speed:.3f}") for number, speed in enumerate(one.rounds, 1)] or [("", "")]
    ]
    return _text(SPEED, lines)


def _text(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return text.getvalue()


def _figures(row: ScoreRow) -> list[str]:
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
