"""The SQLite file of a history: its tables, keeping a run in one transaction, and reading runs.

What the file says is checked: others may have written it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ...errors import UsageError, shorten
from ...suites.case import UNPRINTABLE
from ..engines.base import Engine
from ..engines.files import digest_of
from ..model.database import Database
from ..model.engine_names import LONGEST, NamedSpec
from ..model.machine import machine, now
from ..model.results.events import CaseResult, RunFinished
from ..model.results.verdict import Verdict
from ..model.uci_options import split_options
from .model import KeptCase, KeptRun, RunOrigin

TABLES = (
    """CREATE TABLE run (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began TEXT NOT NULL, version TEXT NOT NULL, engine TEXT NOT NULL, digest TEXT, machine TEXT NOT NULL,
        git_commit TEXT, settings TEXT NOT NULL, exit_code INTEGER NOT NULL, seconds REAL NOT NULL,
        planned INTEGER NOT NULL, begun INTEGER NOT NULL, agree INTEGER NOT NULL, fail INTEGER NOT NULL,
        nodes INTEGER NOT NULL, engine_seconds REAL NOT NULL)""",
    """CREATE TABLE place (
        id INTEGER PRIMARY KEY,
        suite TEXT NOT NULL, name TEXT NOT NULL, fen TEXT NOT NULL, chess960 INTEGER NOT NULL,
        UNIQUE (suite, name, fen, chess960))""",
    """CREATE TABLE result (
        run INTEGER NOT NULL REFERENCES run, number INTEGER NOT NULL, place INTEGER NOT NULL REFERENCES place,
        verdict TEXT NOT NULL, depth INTEGER NOT NULL, nodes INTEGER NOT NULL, seconds REAL NOT NULL, what TEXT,
        PRIMARY KEY (run, number)) WITHOUT ROWID""",
)
"""A run; a position of a suite, kept once for all runs; how a position ended in a run, in the order of the suites."""

HISTORY = Database(
    name="history",
    application=0x50434831,
    version=1,
    tables=TABLES,
    absent="there is no such file: perft-check run --history FILE makes one",
    empty="it is empty: no run has been kept",
)
"""The SQLite file of a history."""

RUN_FIELDS = (
    "began, version, engine, digest, machine, git_commit, settings, exit_code, seconds, planned, agree, fail, nodes, "
    "engine_seconds"
)
INSERT_RUN = f"INSERT INTO run ({RUN_FIELDS}, begun) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PLACE = "INSERT OR IGNORE INTO place (suite, name, fen, chess960) VALUES (?, ?, ?, ?)"
SELECT_PLACE = "SELECT id FROM place WHERE suite = ? AND name = ? AND fen = ? AND chess960 = ?"
INSERT_RESULT = f"""INSERT INTO result (run, number, place, verdict, depth, nodes, seconds, what)
    VALUES (?, ?, ({SELECT_PLACE}), ?, ?, ?, ?, ?)"""

SELECT_RUNS = f"SELECT id, {RUN_FIELDS} FROM run ORDER BY id"
SELECT_CASES = """SELECT suite, name, fen, chess960, verdict, depth, nodes, seconds, what
    FROM result JOIN place ON place.id = place WHERE run = ? ORDER BY number"""


LONGEST_WHAT = 200
"""Characters of what is wrong with a position."""
LARGEST = 2**63 - 1
"""The largest number that SQLite keeps; an engine may print a larger one."""

_NAME = "name"
"""The key among the settings of a run that has the name of its engine: an older perft-check shows it as a setting."""

Row = tuple[Any, ...]


def keep(path: Path, origin: RunOrigin, finished: RunFinished) -> int:
    """Add a run to a history, whole or not at all, and return its number. Raises DatabaseError."""
    run = _run_row(origin, finished)
    with HISTORY.adding(path) as connection:
        number = connection.execute(INSERT_RUN, run).lastrowid or 0
        connection.executemany(INSERT_PLACE, map(_place_row, finished.results))
        connection.executemany(INSERT_RESULT, _rows(number, finished.results))
    return number


def _rows(number: int, results: Iterable[CaseResult]) -> Iterator[Row]:
    for order, result in enumerate(results):
        yield (number, order, *_place_row(result), *_result_row(result))


def _run_row(origin: RunOrigin, finished: RunFinished) -> Row:
    return (
        origin.began,
        finished.started.version,
        _storable(origin.engine),
        origin.digest,
        _storable(origin.machine),
        origin.commit,
        json.dumps({**origin.settings, **_name_setting(origin.engine)}),
        int(finished.exit_code),
        finished.seconds,
        finished.started.positions,
        finished.count(Verdict.AGREE),
        len(finished.failures),
        min(finished.nodes, LARGEST),
        finished.engine_seconds,
        len(finished.results),
    )


def _name_setting(spec: str) -> dict[str, str]:
    """Return what keeps the name of an engine that was given one, or has it from its descriptor."""
    if isinstance(spec, NamedSpec) and (spec.is_given or split_options(spec)[0].endswith(".json")):
        return {_NAME: _storable(spec.name)}
    return {}


def _place_row(result: CaseResult) -> Row:
    return _storable(result.suite), _storable(result.name), result.fen, int(result.chess960)


def _result_row(result: CaseResult) -> Row:
    what = result.finding.headline if result.finding is not None else result.message
    told = shorten(_storable(what), LONGEST_WHAT) or None
    return result.verdict.value, result.depth, min(result.nodes, LARGEST), result.seconds, told


def _storable(text: str) -> str:
    """Return text without halves of characters, such as those of file names that are no UTF-8."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


T = TypeVar("T")


def runs_of(path: Path) -> tuple[KeptRun, ...]:
    """Return the runs of a history, the newest last. Raises DatabaseError."""
    with HISTORY.reading(path) as connection:
        return _read_rows(path, connection.execute(SELECT_RUNS), _read_run)


def cases_of(path: Path, run: KeptRun) -> tuple[KeptCase, ...]:
    """Return the positions of a run, in the order of its suites. Raises DatabaseError."""
    with HISTORY.reading(path) as connection:
        return _read_rows(path, connection.execute(SELECT_CASES, (run.number,)), _read_case)


def run_of(runs: Sequence[KeptRun], number: int) -> KeptRun:
    """Return the run with a number. Raises UsageError."""
    for run in runs:
        if run.number == number:
            return run
    known = f"there are {runs[0].number} to {runs[-1].number}" if runs else "there is none"
    raise UsageError(f"no run {number} in this history: {known}")


def _read_rows(path: Path, rows: Iterable[Any], read: Callable[..., T]) -> tuple[T, ...]:
    try:
        return tuple(read(*row) for row in rows)
    except (ValueError, TypeError, OverflowError) as error:
        raise HISTORY.refusal(path, f"it is damaged: {_line(error)}") from None


def _read_run(number: int, *fields: Any) -> KeptRun:
    began, version, engine, digest, machine, commit, settings, code, seconds, planned, agree, fail, nodes, busy = fields
    given = _read_settings(settings)
    spec, name = _line(engine), given.pop(_NAME, None)
    named = spec if name is None else NamedSpec(spec, shorten(_line(name), LONGEST), is_given=True)
    origin = RunOrigin(_line(began), named, _optional(digest), _line(machine), _optional(commit), given)
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


def _read_case(*fields: Any) -> KeptCase:
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


def _read_settings(text: str) -> dict[str, Any]:
    settings = json.loads(text)
    if not isinstance(settings, dict):
        raise ValueError(f"{text!r} are no settings")
    return settings


def _optional(text: Any) -> str | None:
    return None if text is None else _line(text)


def _line(text: object) -> str:
    """Return a text as one that is printable on one line."""
    return UNPRINTABLE.sub(" ", str(text))


GIT_SECONDS = 5.0


def origin_of(spec: str, engine: Engine, settings: Mapping[str, Any]) -> RunOrigin:
    """Return the origin of a run that begins now. The engine need not be started."""
    return RunOrigin(now(), spec, digest_of(engine), machine(), commit(), settings)


def commit() -> str | None:
    """Return the git commit of the working folder, or None where there is none, or no git."""
    command = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    said = done.stdout.strip()
    return said if done.returncode == 0 and said.isalnum() else None
