"""GitHub Actions annotations for the first failures, at their lines in the suite."""

from __future__ import annotations

from ...errors import shorten
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.events import RunFinished
from ...harness.model.results.positions import DivideFinished
from ...harness.report_context import ReportContext
from ..failure import Failure, failures_of
from ..text import one_line, visible
from .base import Format

MAX_ANNOTATIONS = 10
"""GitHub shows at most this many errors and this many warnings per step."""
LONGEST_TITLE = 255
LONGEST_MESSAGE = 4_000


def annotate(result: RunFinished | FuzzFinished | DivideFinished, made: ReportContext | None) -> str:
    """Return a workflow command for each of the first failures, and one that lists untested capabilities."""
    failures = failures_of(result)
    commands = [_annotation(one, made) for one in failures.first(MAX_ANNOTATIONS)]
    if any(one.capability.is_essential for one in failures.untried):  # the job summary also lists the others
        commands.append(f"::notice title=not tried::{_data(sentence_of(failures.untried))}")
    return "".join(f"{one}\n" for one in commands)


def _annotation(failure: Failure, made: ReportContext | None) -> str:
    """Return the workflow command that annotates a line of a suite, or the job if the file is outside the project."""
    properties = {"title": one_line(f"{failure.title}: {failure.where}", LONGEST_TITLE)}
    if made is not None and (file := made.project.inside(failure.file)) is not None:
        properties = {"file": visible(file), "line": str(failure.line or 1)} | properties
    values = {name: _data(value).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()}
    written = ",".join(f"{name}={value}" for name, value in values.items())
    message = shorten("\n".join(one_line(line, LONGEST_MESSAGE) for line in failure.lines), LONGEST_MESSAGE)
    return f"::{'error' if failure.is_failure else 'warning'} {written}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


GITHUB = Format(
    "github",
    "",
    dict.fromkeys((RunFinished, FuzzFinished, DivideFinished), annotate),
    takes_circumstances=True,
)
