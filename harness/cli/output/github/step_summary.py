"""The summary of a step of GitHub Actions: Markdown that is appended to a file."""

from __future__ import annotations

import os
import re
from typing import Any

from .....errors import UsageError
from .....reports.formats.markdown import MARKDOWN

MOST_BYTES = 2**20
"""GitHub refuses the summary of a step that is larger."""
_NOTE = "\n\nThe rest is left out: GitHub takes 1 MiB a step.\n"


def append_summary(result: Any) -> None:
    """Append a result to the summary, where GitHub Actions names a file for it. Raises UsageError."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
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


LONGEST_FENCE = 100
"""Bytes that are kept free to close a block of code."""
