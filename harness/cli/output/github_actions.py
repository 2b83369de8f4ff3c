"""GitHub Actions: the summary of a step, and text of engines and suites that must not be taken for commands.

A runner reads both outputs of a step. A line that begins with two colons is a command, and so is what follows `##[`.
"""

from __future__ import annotations

import os
import re
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.control import Control
from rich.segment import Segment

from ....errors import UsageError

MOST_BYTES = 2**20
"""GitHub refuses the summary of a step that is larger."""
_NOTE = "\n\nThe rest is left out: GitHub takes 1 MiB a step.\n"
LONGEST_FENCE = 100
"""Bytes that are kept free to close a block of code."""


def is_read_by_runner() -> bool:
    """Return True if a runner of GitHub Actions reads the output."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def harmless(text: str) -> str:
    """Return a text with a backslash where a runner would see a command."""
    return "\n".join(map(_harmless_line, text.split("\n"))) if is_read_by_runner() else text


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


def append_summary(result: Any) -> None:
    """Append a result to the summary, where GitHub Actions names a file for it. Raises UsageError."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    from ....reports.formats.markdown import MARKDOWN

    try:
        with open(path, "ab") as file:
            file.write(cut(MARKDOWN.render(result), MOST_BYTES - file.tell()))
    except OSError as error:
        raise UsageError(f"cannot write the step summary {path}: {error.strerror}") from None


def cut(text: str, most: int) -> bytes:
    """Return a text as at most so many bytes, cut at the end of a line with a note, and no block of code left open."""
    data = text.encode(errors="backslashreplace")
    if len(data) <= most:
        return data
    lines = data[: max(0, most - len(_NOTE) - LONGEST_FENCE)].decode(errors="ignore").splitlines()[:-1]
    fence = ""
    for line in lines:
        if (found := re.match("`{3,}", line)) and fence in ("", found.group()):
            fence = "" if fence else found.group()
    rest = "\n".join([*lines, fence]) + _NOTE
    return rest.encode() if len(rest.encode()) <= most else b""
