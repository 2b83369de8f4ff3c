"""SVG pictures: what a terminal would show, for pages that cannot show one, and the curve of a score."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from ...harness.fuzzing.model import FuzzFinished
from ...harness.history.model import SpeedsOverTime
from ...harness.model.results.events import RunFinished
from ...harness.zoo.hunting.model import Score
from ..charts import curve
from ..charts import speeds as chart
from ..terminal import fuzz, run
from .base import Format

SVG = Format("svg", ".svg")
WIDTH = 100
"""Columns of the pictured terminal, unless a command is longer."""


@SVG.writes(RunFinished)
def _run(finished: RunFinished) -> str:
    return terminal_picture(run.render(finished))


@SVG.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> str:
    return terminal_picture(fuzz.render(finished, quiet=True))


@SVG.writes(SpeedsOverTime)
def _speeds(speeds: SpeedsOverTime) -> str:
    return chart.render(speeds)


@SVG.writes(Score)
def _score(score: Score) -> str:
    return curve.render(score)


def terminal_picture(report: RenderableType) -> str:
    """Return a report as an SVG document; the same report gives the same bytes."""
    console = Console(
        width=_width(report),
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    console.print(report)
    return console.export_svg(title="perft-check", unique_id="perft-check")


def _width(report: RenderableType) -> int:
    """Return how many columns show every line whole."""
    console = Console(width=WIDTH, file=io.StringIO(), color_system=None)
    with console.capture() as captured:
        console.print(report, crop=False)
    return max([WIDTH, *(len(line.rstrip()) for line in captured.get().splitlines())])
