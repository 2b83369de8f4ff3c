"""JSON lines, for programs that read piece by piece: a line for the start, one for each case, one for the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.events import RunFinished
from .base import Format
from .parts.fields import (
    VERSION,
    Fields,
    case_fields,
    encoded,
    find_fields,
    fuzz_end_fields,
    fuzz_start_fields,
    run_end_fields,
    run_start_fields,
)

JSONL = Format("jsonl", ".jsonl")


@JSONL.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    yield _line("run-start", {"perft_check": finished.started.version, **run_start_fields(finished)})
    yield from _lines("case", map(case_fields, finished.results))
    yield from _lines("case", map(case_fields, finished.not_begun))
    yield _line("run-end", run_end_fields(finished))


@JSONL.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    """Without times, like the report for terminals: a run with the same seed gives the same bytes."""
    yield _line("fuzz-start", {"perft_check": finished.started.version, **fuzz_start_fields(finished)})
    yield from _lines("find", map(find_fields, finished.finds))
    yield _line("fuzz-end", fuzz_end_fields(finished))


def _lines(kind: str, all_fields: Iterable[Fields]) -> Iterator[str]:
    for fields in all_fields:
        yield _line(kind, fields)


def _line(kind: str, fields: Fields) -> str:
    return encoded({"format": VERSION, "kind": kind, **fields}) + "\n"
