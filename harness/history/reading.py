"""Reading a history. What the file says is checked: others may have written it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ...errors import UsageError
from ...suites.case import UNPRINTABLE
from ..model.results.verdict import Verdict
from .model import KeptCase, KeptRun, RunOrigin
from .schema import HISTORY, SELECT_CASES, SELECT_RUNS

T = TypeVar("T")


def runs_of(path: Path) -> tuple[KeptRun, ...]:
    """Return the runs of a history, the newest last. Raises DatabaseError."""
    with HISTORY.reading(path) as connection:
        return _understood(path, connection.execute(SELECT_RUNS), _run)


def cases_of(path: Path, run: KeptRun) -> tuple[KeptCase, ...]:
    """Return the positions of a run, in the order of its suites. Raises DatabaseError."""
    with HISTORY.reading(path) as connection:
        return _understood(path, connection.execute(SELECT_CASES, (run.number,)), _case)


def run_of(runs: Sequence[KeptRun], number: int) -> KeptRun:
    """Return the run with a number. Raises UsageError."""
    for run in runs:
        if run.number == number:
            return run
    known = f"there are {runs[0].number} to {runs[-1].number}" if runs else "there is none"
    raise UsageError(f"no run {number} in this history: {known}")


def _understood(path: Path, rows: Iterable[Any], read: Callable[..., T]) -> tuple[T, ...]:
    try:
        return tuple(read(*row) for row in rows)
    except (ValueError, TypeError, OverflowError) as error:
        raise HISTORY.refusal(path, f"it is damaged: {_line(error)}") from None


def _run(number: int, *fields: Any) -> KeptRun:
    began, version, engine, digest, machine, commit, settings, code, seconds, planned, agree, fail, nodes, busy = fields
    origin = RunOrigin(
        _line(began), _line(engine), _optional(digest), _line(machine), _optional(commit), _settings(settings)
    )
    return KeptRun(
        number=int(number),
        version=_line(version),
        origin=origin,
        exit_code=int(code),
        seconds=float(seconds),
        planned=int(planned),
        agree=int(agree),
        fail=int(fail),
        nodes=int(nodes),
        engine_seconds=float(busy),
    )


def _case(*fields: Any) -> KeptCase:
    suite, name, fen, chess960, verdict, depth, nodes, seconds, what = fields
    return KeptCase(
        suite=_line(suite),
        name=_line(name),
        fen=_line(fen),
        chess960=bool(chess960),
        verdict=Verdict(verdict),
        depth=int(depth),
        nodes=int(nodes),
        seconds=float(seconds),
        what=_line(what or ""),
    )


def _settings(text: str) -> dict[str, Any]:
    settings = json.loads(text)
    if not isinstance(settings, dict):
        raise ValueError(f"{text!r} are no settings")
    return settings


def _optional(text: Any) -> str | None:
    return None if text is None else _line(text)


def _line(text: object) -> str:
    """Return a text as one that is printable on one line."""
    return UNPRINTABLE.sub(" ", str(text))
