"""SVG pictures: what a terminal would show, with boards drawn, and the curve of a score."""

from __future__ import annotations

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.engine_names import short_name
from ...harness.model.results.events import RunFinished
from ...harness.zoo.results import Score
from ..charts import score_document
from ..terminal import fuzz, run
from .base import Format

SVG = Format("svg", ".svg")


@SVG.writes(RunFinished)
def _run(finished: RunFinished) -> str:
    from ..pictures.terminal import picture  # which loads python-chess

    return picture(run.render(finished), f"perft-check run: {short_name(finished.started.engine)}")


@SVG.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> str:
    from ..pictures.terminal import picture

    return picture(fuzz.render(finished, quiet=True), f"perft-check fuzz: {short_name(finished.started.engine)}")


@SVG.writes(Score)
def _score(score: Score) -> str:
    return score_document(score)
