"""Figures about the coverage of an engine's code."""

from __future__ import annotations

from ...harness.coverage.code import CodeCoverage
from ..text import count, duration, percent

UNKNOWN = "unknown, because the compiler lists only branches that ran; clang lists all"
"""The text of a report if branches that never ran have no source location."""


def figures_of_coverage(code: CodeCoverage, *, with_times: bool = True) -> list[tuple[str, str]]:
    """Return figures about coverage and its growth as labeled values, or an empty list without coverage data."""
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
    if code.summary.curve:
        figures.append(("reached", _growth(code, with_times)))
    return figures


def branches(number: int) -> str:
    """Return "1 branch", "204 branches"."""
    return count(number, "branch", "branches")


def _growth(code: CodeCoverage, with_times: bool) -> str:
    """Return the times at which half, nine tenths and all of the reached branches were reached."""
    curve, names = code.summary.curve, {}
    for share, name in ((0.5, "half of them"), (0.9, "nine tenths"), (1.0, "the last")):
        names[next(one for one in curve if one.branches >= share * curve[-1].branches)] = name
    times = {point: f" ({duration(point.seconds)})" if with_times else "" for point in names}
    return ", ".join(f"{name} after {count(one.positions, 'position')}{times[one]}" for one, name in names.items())
