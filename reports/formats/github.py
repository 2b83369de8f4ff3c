"""Annotations of GitHub Actions: a line for each of the first problems, at the line of the suite that shows it."""

from __future__ import annotations

from ...errors import shorten
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.events import RunFinished
from ..visible import one_line, visible
from .base import Format
from .parts.problems import (
    Problems,
    ProjectRoot,
    ReportedProblem,
    problems_of_divide,
    problems_of_fuzz,
    problems_of_run,
)

GITHUB = Format("github", "")
MOST = 10
"""GitHub shows so many errors of a step, and so many warnings."""
LONGEST_TITLE = 255
LONGEST_MESSAGE = 4_000


@GITHUB.writes(RunFinished)
def _run(finished: RunFinished) -> str:
    return _annotations(problems_of_run(finished))


@GITHUB.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> str:
    return _annotations(problems_of_fuzz(finished))


@GITHUB.writes(DivideFinished)
def _divide(finished: DivideFinished) -> str:
    return _annotations(problems_of_divide(finished))


def _annotations(problems: Problems) -> str:
    root = ProjectRoot.here()
    annotations = [_annotation(one, root) for one in problems.first(MOST)]
    if any(one.capability.is_essential for one in problems.untried):  # the summary of the step has the others as well
        annotations.append(f"::notice title=not tried::{_data(sentence_of(problems.untried))}")
    return "".join(f"{one}\n" for one in annotations)


def _annotation(problem: ReportedProblem, root: ProjectRoot) -> str:
    """Return the workflow command that annotates a line of a suite, or the run where the file is not in the project."""
    properties = {"title": one_line(f"{problem.title}: {problem.where}", LONGEST_TITLE)}
    if (file := root.inside(problem.file)) is not None:
        properties = {"file": visible(file), "line": str(problem.line or 1)} | properties
    values = {name: _data(value).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()}
    told = ",".join(f"{name}={value}" for name, value in values.items())
    message = shorten("\n".join(one_line(line, LONGEST_MESSAGE) for line in problem.lines), LONGEST_MESSAGE)
    return f"::{'error' if problem.is_failure else 'warning'} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
