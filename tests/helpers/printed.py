"""Render terminal reports as lines."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType


def printed(report: RenderableType, width: int = 100) -> list[str]:
    """Return the lines of a report on a terminal without colors, without trailing spaces."""
    console = Console(file=io.StringIO(), width=width, color_system=None, highlight=False, markup=False)
    with console.capture() as capture:
        console.print(report, crop=False)
    return [line.rstrip() for line in capture.get().splitlines()]
