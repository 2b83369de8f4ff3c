"""The tables of a history, and the statements that write and read them."""

from __future__ import annotations

from ..model.database import Database

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
