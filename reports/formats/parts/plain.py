"""What the terminal shows, as plain text for files: without color, no line broken, nothing hidden."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from ...terminal.parts.layout import Trimmed
from .visible import visible

_ENDLESS = 1_000_000


def plain(shown: RenderableType) -> str:
    """Return a part of a report as lines of text, without a newline at the end."""
    console = Console(
        width=_ENDLESS,
        file=io.StringIO(),
        color_system=None,
        force_terminal=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    with console.capture() as captured:
        console.print(Trimmed(shown), crop=False)
    return "\n".join(map(visible, captured.get().rstrip("\n").split("\n")))
