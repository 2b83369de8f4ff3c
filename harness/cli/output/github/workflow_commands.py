"""Lines that GitHub Actions would take for commands: text of engines and suites must not give any.

A runner reads both outputs of a step. A line that begins with two colons is a command, and so is what follows `##[`.
"""

from __future__ import annotations

import os

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.control import Control
from rich.segment import Segment


def are_read() -> bool:
    """Tell whether a runner of GitHub Actions reads our output."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def harmless(text: str) -> str:
    """Return a text with a backslash where a runner would see a command."""
    return "\n".join(map(_harmless_line, text.split("\n"))) if are_read() else text


def _harmless_line(line: str) -> str:
    text = line.lstrip()
    if text.startswith("::"):
        line = f"{line[: len(line) - len(text)]}\\{text}"
    return line.replace("##[", "#\\#[")


class Harmless(RenderHook):
    """Makes all that a console prints harmless, where a runner reads it."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Look at every line before it is printed."""
        return [one if isinstance(one, Control) else _Lines(one) for one in renderables]


class _Lines:
    def __init__(self, shown: ConsoleRenderable) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self._shown, options)):
            text = "".join(segment.text for segment in line)
            safe = _harmless_line(text)
            yield from line if safe == text else [Segment(safe)]
            yield Segment.line()
