"""What the terminal shows as plain text: no colors, a line for each sentence and each row of a table."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from .terminal.parts.layout import Trimmed

_ENDLESS = 1_000_000
"""Columns: no line is broken."""


def plain(report: RenderableType) -> str:
    """Return a report as text, without spaces at the ends of lines and without a newline at its end."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=_ENDLESS,
        color_system=None,
        force_terminal=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.print(Trimmed(report), crop=False)
    return stream.getvalue().rstrip("\n")
