"""JSON lines, for programs that read piece by piece: a line for the start, one for each case, one for the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.events import RunFinished
from .base import Format
from .parts.fields import (
    VERSION,
    case_text,
    encoded,
    find_text,
    fuzz_end_fields,
    fuzz_start_fields,
    run_end_fields,
    run_start_fields,
)

JSONL = Format("jsonl", ".jsonl")


@JSONL.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    yield _line("run-start", encoded({"perft_check": finished.started.version, **run_start_fields(finished)}))
    yield from _lines("case", map(case_text, finished.results))
    yield from _lines("case", map(case_text, finished.not_begun))
    yield _line("run-end", encoded(run_end_fields(finished)))


@JSONL.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    """Times stand only where they have decided what was examined: else one seed gives the same bytes."""
    yield _line("fuzz-start", encoded({"perft_check": finished.started.version, **fuzz_start_fields(finished)}))
    yield from _lines("find", map(find_text, finished.finds))
    yield _line("fuzz-end", encoded(fuzz_end_fields(finished)))


def _lines(kind: str, documents: Iterable[str]) -> Iterator[str]:
    for document in documents:
        yield _line(kind, document)


def _line(kind: str, document: str) -> str:
    """Return a JSON object as a line, with what it is as its first fields."""
    return f'{{"format": {VERSION}, "kind": "{kind}", {document[1:]}\n'
