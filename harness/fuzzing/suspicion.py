"""Rank the lines of an engine by how closely their execution goes together with incorrect answers.

This is spectrum-based fault localization. Each question has a spectrum, the set of branches that its answer executed. A
branch is suspicious if most incorrect answers and few correct ones executed it. The measure is the Ochiai coefficient
(R. Abreu, P. Zoeteweij, A. J. C. van Gemund, "On the Accuracy of Spectrum-based Fault Localization", TAICPART-MUTATION
2007).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..coverage.model import Counters, SourceLocation
from ..coverage.source_files import SourceFile, read_sources
from ..model.results.finding import SuspiciousLines

Numbers = NDArray[np.float64]
"""A number for each branch."""
Measure = Callable[[Numbers, Numbers, int], Numbers]
"""A function of the numbers of incorrect and of correct answers that executed each branch, and of the number of
incorrect answers."""


def ochiai(failing: Numbers, passing: Numbers, failures: int) -> Numbers:
    """Return the Ochiai coefficient of each branch, from 0 to 1."""
    return np.divide(failing, np.sqrt(failures * (failing + passing)), where=failing > 0, out=np.zeros_like(failing))


@dataclass(frozen=True)
class Execution:
    """What one answer executed."""

    counters: Counters
    has_failed: bool
    """Whether the answer was incorrect."""


def score_branches(executions: Sequence[Execution], measure: Measure = ochiai) -> Numbers:
    """Return the score of each branch."""
    size = max((len(one.counters) for one in executions), default=0)
    reached = np.zeros((len(executions), size), dtype=bool)
    for row, one in zip(reached, executions, strict=True):
        row[: len(one.counters)] = one.counters > 0
    has_failed = np.array([one.has_failed for one in executions], dtype=bool)
    failing, passing = (reached[rows].sum(axis=0, dtype=np.float64) for rows in (has_failed, ~has_failed))
    return measure(failing, passing, int(has_failed.sum()))


def rank_lines(
    scores: Iterable[float], locations: Sequence[SourceLocation | None], folders: Sequence[Path]
) -> Iterator[SuspiciousLines]:
    """Yield the lines with a score above 0, the most suspicious first. Source is read from the `folders`.

    The score of a line is that of the most suspicious branch that begins on it. The lines that follow it belong to it,
    up to the next line on which a branch begins, or to the end of the indented block.
    """
    best: dict[tuple[str, int], tuple[float, str]] = {}
    """The score and the function of each line with a branch."""
    for location, score in zip(locations, scores, strict=False):
        if location is not None and location.is_source:
            line = location.path, location.line
            best[line] = max(best.get(line, (0.0, "")), (score, location.function))
    sources = {one.path: one for one in read_sources(dict.fromkeys((path, True) for path, _ in best), folders)}
    begins = {path: sorted(line for file, line in best if file == path) for path in sources}
    for (path, first), (score, function) in sorted(best.items(), key=lambda item: (-item[1][0], item[0])):
        source = sources[path]
        if score > 0:
            yield SuspiciousLines(
                path=source.real_path or source.path,
                name=source.name,
                first=first,
                last=_last_line(source, first, begins[path]),
                function=function,
                text=source.line(first).strip(),
                score=float(score),
            )


def _last_line(source: SourceFile, first: int, begins: Sequence[int]) -> int:
    """Return the last of the lines that run with the first one, given the lines on which branches begin."""
    end = next(iter(begins[bisect_right(begins, first) :]), len(source.lines) + 1)
    last, indent = first, _indent(source.line(first))
    while last + 1 < end and source.line(last + 1).strip() and _indent(source.line(last + 1)) >= indent:
        last += 1
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
