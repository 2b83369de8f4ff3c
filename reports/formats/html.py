"""HTML: one page for people, with boards, that needs nothing else; Jinja2 and python-chess are loaded as it is made."""

from __future__ import annotations

from collections.abc import Iterator

from ...harness.fuzzing.model import FuzzFinished
from ...harness.history.model import RunsCompared, SpeedsOverTime
from ...harness.model.results.bench import BenchFinished
from ...harness.model.results.divide import ConsistencyFinished, DivideFinished
from ...harness.model.results.events import RunFinished
from ...harness.model.results.perft import PerftFinished
from ...harness.zoo.gallery.model import Gallery
from ...harness.zoo.hunting.model import Score
from .base import Format

HTML = Format("html", ".html")


@HTML.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    from ..html import run

    return run.pages(finished)


@HTML.writes(DivideFinished)
def _divide(finished: DivideFinished) -> Iterator[str]:
    from ..html import divide

    return divide.pages(finished)


@HTML.writes(ConsistencyFinished)
def _consistency(finished: ConsistencyFinished) -> Iterator[str]:
    from ..html import divide

    return divide.consistency_pages(finished)


@HTML.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    from ..html import fuzz

    return fuzz.pages(finished)


@HTML.writes(BenchFinished)
def _bench(finished: BenchFinished) -> Iterator[str]:
    from ..html import bench

    return bench.pages(finished)


@HTML.writes(PerftFinished)
def _perft(finished: PerftFinished) -> Iterator[str]:
    from ..html import perft

    return perft.pages(finished)


@HTML.writes(Score)
def _score(score: Score) -> Iterator[str]:
    from ..html import score as html

    return html.pages(score)


@HTML.writes(SpeedsOverTime)
def _speeds(speeds: SpeedsOverTime) -> Iterator[str]:
    from ..html import history

    return history.speed_pages(speeds)


@HTML.writes(RunsCompared)
def _compare(compared: RunsCompared) -> Iterator[str]:
    from ..html import history

    return history.comparison_pages(compared)


@HTML.writes(Gallery)
def _gallery(gallery: Gallery) -> Iterator[str]:
    from ..html import gallery as html

    return html.pages(gallery)
