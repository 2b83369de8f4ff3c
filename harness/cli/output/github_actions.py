"""GitHub Actions: job summaries, and escaping of workflow commands in the output of engines and suites.

A runner interprets both output streams of a step: lines that begin with `::` are commands, and so is `##[`.
"""

from __future__ import annotations

import os
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.control import Control
from rich.segment import Segment

from ....errors import UsageError

MOST_BYTES = 2**20
"""GitHub's limit for the summary of a step, in bytes. A longer one is not shown at all."""
TOO_LONG = b"The report of perft-check is longer than the 1 MiB that GitHub shows.\n"


def is_read_by_runner() -> bool:
    """Return True if a GitHub Actions runner reads the output."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def escape_commands(text: str) -> str:
    """Return a text with workflow commands disabled by a backslash, if a runner reads the output."""
    return "\n".join(map(_escape_line, text.split("\n"))) if is_read_by_runner() else text


def _escape_line(line: str) -> str:
    text = line.lstrip()
    if text.startswith("::"):
        line = f"{line[: len(line) - len(text)]}\\{text}"
    return line.replace("##[", "#\\#[")


class EscapeCommands(RenderHook):
    """Escapes workflow commands in everything that a console prints."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Escape each line before it is printed."""
        return [one if isinstance(one, Control) else _Lines(one) for one in renderables]


class _Lines:
    def __init__(self, shown: ConsoleRenderable) -> None:
        self._shown = shown

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self._shown, options)):
            text = "".join(segment.text for segment in line)
            escaped = _escape_line(text)
            yield from line if escaped == text else [Segment(escaped)]
            yield Segment.line()


def append_summary(result: Any) -> None:
    """Append a result to the job summary, if GitHub Actions provides a file for it. Raises UsageError."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    from ....reports.formats.markdown import MARKDOWN

    try:
        with open(path, "ab") as file:
            text = MARKDOWN.render(result).encode(errors="backslashreplace")
            file.write(text if file.tell() + len(text) <= MOST_BYTES else TOO_LONG)
    except OSError as error:
        raise UsageError(f"cannot write the job summary {path}: {error.strerror}") from None
