"""Keeping a run: all its rows in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...errors import shorten
from ..model.results.events import CaseResult, RunFinished
from ..model.results.verdict import Verdict
from .model import RunOrigin
from .schema import HISTORY, INSERT_PLACE, INSERT_RESULT, INSERT_RUN

LONGEST_WHAT = 200
"""Characters of what is wrong with a position."""
LARGEST = 2**63 - 1
"""The largest number that SQLite keeps; an engine may print a larger one."""

Row = tuple[Any, ...]


def keep(path: Path, origin: RunOrigin, finished: RunFinished) -> int:
    """Add a run to a history, whole or not at all, and return its number. Raises DatabaseError."""
    run = _run(origin, finished)
    with HISTORY.adding(path) as connection:
        number = connection.execute(INSERT_RUN, run).lastrowid or 0
        connection.executemany(INSERT_PLACE, map(_place, finished.results))
        connection.executemany(INSERT_RESULT, _rows(number, finished.results))
    return number


def _rows(number: int, results: Iterable[CaseResult]) -> Iterator[Row]:
    for order, result in enumerate(results):
        yield (number, order, *_place(result), *_result(result))


def _run(origin: RunOrigin, finished: RunFinished) -> Row:
    return (
        origin.began,
        finished.started.version,
        _storable(origin.engine),
        origin.digest,
        _storable(origin.machine),
        origin.commit,
        json.dumps(dict(origin.settings)),
        int(finished.exit_code),
        finished.seconds,
        finished.started.positions,
        finished.count(Verdict.AGREE),
        len(finished.failures),
        min(finished.nodes, LARGEST),
        finished.engine_seconds,
        len(finished.results),
    )


def _place(result: CaseResult) -> Row:
    return _storable(result.suite), _storable(result.name), result.fen, int(result.chess960)


def _result(result: CaseResult) -> Row:
    what = result.finding.headline if result.finding is not None else result.message
    told = shorten(_storable(what), LONGEST_WHAT) or None
    return result.verdict.value, result.depth, min(result.nodes, LARGEST), result.seconds, told


def _storable(text: str) -> str:
    """Return text without halves of characters, such as those of file names that are no UTF-8."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()
