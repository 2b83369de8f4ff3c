"""Figures about the coverage of an engine's code."""

from __future__ import annotations

from ...harness.coverage.code import CodeCoverage
from ..text import count, percent

UNKNOWN = "unknown, because the compiler lists only branches that ran; clang lists all"
"""The text of a report if branches that never ran have no source location."""


def figures_of_coverage(code: CodeCoverage) -> list[tuple[str, str]]:
    """Return the coverage of the code as labeled values; empty without coverage data."""
    if not code.branches:
        return []
    reached = f"{code.reached:,} of {branches(code.branches)} ({percent(code.reached / code.branches)})"
    on_lines = f"{code.lines_reached:,} of {count(code.lines, 'line')}"
    if not code.knows_unreached:
        reached, on_lines = branches(code.reached), count(code.lines_reached, "line")
    if code.lines:
        reached += f", on {on_lines}"
    figures = [("code reached", reached)]
    if code.by_fuzzing:
        figures.append(("by sweep cases", f"{branches(code.by_suites)}; added by fuzzing: {code.by_fuzzing:,}"))
    return figures


def branches(number: int) -> str:
    """Return "1 branch", "204 branches"."""
    return count(number, "branch", "branches")
