"""The speed of engines over their runs, drawn by plotext: a chart for each engine."""

from __future__ import annotations

from math import nextafter

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from ...harness.history.model import SpeedLine, SpeedsOverTime
from ...harness.model.machine import readable
from ..text import count
from .history import LEFT_OUT

MOST_COLUMNS, ROWS = 100, 12
MOST_TICKS = 6


def render(speeds: SpeedsOverTime) -> RenderableType:
    """Return a chart for each engine, and how many runs are left out."""
    charts = [part for line in speeds.lines for part in (SpeedChart(line), Text())]
    if not speeds.left_out:
        return Group(*charts[:-1])
    return Group(*charts, Text(f"{count(speeds.left_out, 'run')} left out: {LEFT_OUT}", style="dim"))


class SpeedChart:
    """The runs of one engine from left to right, millions of leaf nodes a second from 0 up."""

    def __init__(self, line: SpeedLine) -> None:
        self._line = line

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        runs = self._line.runs
        first, last = readable(runs[0].origin.began), readable(runs[-1].origin.began)
        yield Text(f"{self._line.engine}: million leaf nodes a second", style="bold", overflow="fold")
        yield Text(self._drawn(min(MOST_COLUMNS, options.max_width), options.ascii_only), no_wrap=True)
        yield Text(f"runs {runs[0].number} to {runs[-1].number}, {first} to {last} UTC", style="dim")

    def _drawn(self, columns: int, ascii_only: bool) -> str:
        import plotext

        speeds, numbers = self._line.speeds, [run.number for run in self._line.runs]
        places = list(range(len(speeds)))
        ticks = sorted({places[round(step * (len(places) - 1) / (MOST_TICKS - 1))] for step in range(MOST_TICKS)})
        figure = plotext.figure
        figure.clear()
        figure.theme("colorless")
        figure.axes(not ascii_only)
        figure.plot_size(columns, ROWS)
        figure.ruler("y", 0).lim(0, max(speeds) * 1.1)
        figure.ruler("x", 0).lim(-0.5, nextafter(len(speeds) - 0.5, 0))
        figure.ruler("x", 0).ticks(ticks, [str(numbers[tick]) for tick in ticks])
        signal = figure.signal(places, list(speeds), marker="*" if ascii_only else "braille")
        figure.draw(signal.lines() if len(speeds) > 1 else signal)
        lines = plotext.uncolorize(str(figure.build())).splitlines()
        figure.clear()
        return "\n".join(line.rstrip() for line in lines)
