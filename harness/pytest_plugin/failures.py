"""A failure of a position as text: the one that a run prints, and its first line for pytest's summary."""

from __future__ import annotations

from ...errors import shorten
from ...reports.plain import plain
from ...reports.terminal.run import render_failure
from ..model.results.events import CaseResult

LONGEST_HEADLINE = 200


def text_of(result: CaseResult, engine: str) -> str:
    """Return what a run prints about a position that `engine` gets wrong, without colors."""
    return plain(render_failure(result, engine))


def headline(result: CaseResult) -> str:
    """Return what is wrong in one line: the broken rule where it is known."""
    if result.finding is not None:
        return result.finding.headline
    message = " ".join(f"{result.verdict.value}: {result.message}".split())
    return shorten(message, LONGEST_HEADLINE)
