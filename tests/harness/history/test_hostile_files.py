"""Histories and ledgers that others have made to hang whoever reads them, or to write what nobody asked for."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from helpers.program import Run
from perft_check.harness.counting.ledger import LEDGER
from perft_check.harness.history.store import HISTORY
from perft_check.harness.model.database import Database, DatabaseError
from perft_check.harness.model.shutdown import catch_interrupts

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {columns} FROM n"
COLUMNS = {"run": 16, "place": 5, "result": 8, "count": 9, "piece": 2, "verified": 4}
COMMANDS = {
    "history": [
        "history list hostile",
        "history show hostile 1",
        "history compare hostile",
        "run -s smoke --history hostile",
    ],
    "ledger": ["count startpos 3 --ledger hostile", "count startpos 3 --ledger hostile --export all.jsonl"],
}
REPLACED = {"history": ("run", "place", "result"), "ledger": ("count", "piece", "verified")}


def made(kind: Database, path: Path, *statements: str) -> None:
    """Make a file of our kind, and carry out what an attacker would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        kind.make_tables(connection)
        for statement in statements:
            connection.execute(statement)


def endless(table: str) -> tuple[str, ...]:
    columns = ", ".join(f"i AS c{number}" for number in range(COLUMNS[table]))
    return f"DROP TABLE {table}", f"CREATE VIEW {table} AS {ENDLESS.format(columns=columns)}"


HOSTILE = {
    **{f"{name} is endless": (kind, endless(name)) for kind, names in REPLACED.items() for name in names},
    "history has a trigger": ("history", ("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END",)),
    "ledger has a trigger": ("ledger", ("CREATE TRIGGER t AFTER INSERT ON origin BEGIN DELETE FROM result; END",)),
    "history has another table": ("history", ("CREATE TABLE more (x)",)),
    "ledger lacks a table": ("ledger", ("DROP TABLE verified",)),
    "ledger has another column": ("ledger", ("ALTER TABLE piece ADD COLUMN x",)),
    "history has an index": ("history", ("CREATE INDEX i ON run (began)",)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_refused_in_one_line(name: str, run: Run, tmp_path: Path) -> None:
    kind, statements = HOSTILE[name]
    made({"history": HISTORY, "ledger": LEDGER}[kind], tmp_path / "hostile", *statements)
    before = (tmp_path / "hostile").read_bytes()
    for command in COMMANDS[kind]:
        done = run(*command.split())
        assert done.returncode == 2, done.stdout
        assert done.stderr.endswith(
            f"perft-check: {kind} 'hostile': its tables are not those of a {kind}: name another file\n"
        )
    assert (tmp_path / "hostile").read_bytes() == before


def test_a_query_ends_on_a_signal(tmp_path: Path) -> None:
    path = tmp_path / "history"
    made(HISTORY, path)
    with catch_interrupts() as interrupt:
        interrupt.requested_at = time.monotonic() - 60
        with pytest.raises(DatabaseError, match="it takes too long to read"), HISTORY.reading(path) as connection:
            connection.execute(ENDLESS.format(columns="count(*)")).fetchone()


@pytest.mark.parametrize("text", [b"CREATE TABLE run", b"CREATE TABLE place", b"tablerunrun"])
def test_damaged_text_is_told_as_such(text: bytes, run: Run, tmp_path: Path) -> None:
    """Also where SQLite puts it into its own message."""
    made(HISTORY, tmp_path / "hostile")
    data = (tmp_path / "hostile").read_bytes()
    assert text in data
    (tmp_path / "hostile").write_bytes(data.replace(text, text[:-3] + b"\x97\xe9\xfc"))
    for command in COMMANDS["history"]:
        done = run(*command.split())
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), command
        assert "history hostile: it is damaged" in done.stderr.replace("'", "")
