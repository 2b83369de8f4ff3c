"""The terminal report as an SVG picture, for pages that cannot show a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from ..harness.events import RunFinished
from .terminal import render as render_terminal

WIDTH = 100
"""Columns of the pictured terminal."""


def render(finished: RunFinished) -> str:
    """Return the report as an SVG document."""
    console = Console(
        width=WIDTH,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    console.print(render_terminal(finished))
    return console.export_svg(title="perft-check", unique_id="perft-check")
