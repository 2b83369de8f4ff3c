"""What a terminal would show, as an SVG picture for pages that cannot show a terminal."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from ..harness.model.events import RunFinished
from .terminal.run import render as render_terminal

WIDTH = 100
"""Columns of the pictured terminal, unless a command is longer."""


def render(finished: RunFinished) -> str:
    """Return the report of a run as an SVG document."""
    return picture(render_terminal(finished))


def picture(report: RenderableType) -> str:
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
