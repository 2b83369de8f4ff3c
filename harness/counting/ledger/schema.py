"""The tables of a ledger, and the statements that write and read them."""

from __future__ import annotations

from ....generator.counting.records import RECORD_BYTES
from ...model.database import Database

TABLES = (
    """CREATE TABLE count (
        fen TEXT NOT NULL, chess960 INTEGER NOT NULL, depth INTEGER NOT NULL, split INTEGER NOT NULL,
        engine TEXT NOT NULL, positions INTEGER NOT NULL, games TEXT NOT NULL, pieces INTEGER NOT NULL,
        began TEXT NOT NULL)""",
    "CREATE TABLE piece (number INTEGER PRIMARY KEY, records BLOB NOT NULL)",
    """CREATE TABLE origin (
        id INTEGER PRIMARY KEY, worker TEXT NOT NULL, engine TEXT NOT NULL, version TEXT NOT NULL, digest TEXT NOT NULL,
        is_wrong INTEGER NOT NULL DEFAULT 0, UNIQUE (worker, engine, version, digest))""",
    """CREATE TABLE result (
        piece INTEGER PRIMARY KEY REFERENCES piece, nodes NOT NULL, microseconds INTEGER NOT NULL,
        origin INTEGER NOT NULL REFERENCES origin)""",
    """CREATE TABLE verified (
        piece INTEGER NOT NULL REFERENCES piece, engine TEXT NOT NULL, nodes NOT NULL, agrees INTEGER NOT NULL,
        PRIMARY KEY (piece, engine)) WITHOUT ROWID""",
    """CREATE TABLE discarded (
        piece INTEGER NOT NULL REFERENCES piece, nodes NOT NULL, origin INTEGER NOT NULL REFERENCES origin)""",
)
"""What is counted, one row; its pieces; who has counted; the result of each piece, one at most; those that another
generator has counted; results of a worker that was found to be wrong.

Nodes are an integer, or from 2**63 on its decimal digits.
"""

LEDGER = Database(
    name="ledger",
    application=0x50434C31,
    version=1,
    tables=TABLES,
    absent="there is no such file: perft-check count --ledger FILE makes one",
    empty="it is empty: nothing was counted with it",
)
"""The SQLite file of a ledger."""

_NODES = """(typeof(nodes) = 'integer' AND nodes >= 0
        OR typeof(nodes) = 'text' AND nodes GLOB '[1-9]*' AND nodes NOT GLOB '*[^0-9]*')"""
SELECT_DAMAGE = f"""SELECT (SELECT count(*) FROM count) <> 1
    OR (SELECT (count(*), coalesce(min(number), 1), coalesce(max(number), 0))
        IS NOT ((SELECT pieces FROM count), 1, count(*)) FROM piece)
    OR EXISTS (SELECT 1 FROM piece WHERE typeof(records) <> 'blob' OR length(records) % {RECORD_BYTES} <> 0)
    OR EXISTS (SELECT 1 FROM result WHERE NOT {_NODES} OR typeof(microseconds) <> 'integer'
        OR piece NOT IN (SELECT number FROM piece) OR origin NOT IN (SELECT id FROM origin))
    OR EXISTS (SELECT 1 FROM verified WHERE NOT {_NODES} OR piece NOT IN (SELECT number FROM piece))"""
"""Tells whether the tables do not fit together, or have what was never written into them."""
INSERT_COUNT = "INSERT INTO count VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_PIECE = "INSERT INTO piece VALUES (?, ?)"
SELECT_COUNT = "SELECT fen, chess960, depth, split, engine, positions, games, pieces FROM count"
SELECT_UNCOUNTED = "SELECT number FROM piece WHERE number NOT IN (SELECT piece FROM result) ORDER BY number"
SELECT_RECORDS = "SELECT number, records FROM piece WHERE number = ?"
INSERT_ORIGIN = "INSERT OR IGNORE INTO origin (worker, engine, version, digest) VALUES (?, ?, ?, ?)"
SELECT_ORIGIN = "SELECT id, is_wrong FROM origin WHERE worker = ? AND engine = ? AND version = ? AND digest = ?"
INSERT_RESULT = "INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?)"
SELECT_DONE = "SELECT count(*), total(microseconds) FROM result"
SELECT_HALVES = """SELECT coalesce(sum(nodes >> 32), 0), coalesce(sum(nodes & 0xFFFFFFFF), 0)
    FROM result WHERE typeof(nodes) = 'integer'"""
SELECT_LARGE = "SELECT nodes FROM result WHERE typeof(nodes) = 'text'"
SELECT_NODES = "SELECT nodes FROM result WHERE piece = ?"
INSERT_VERIFIED = "INSERT OR REPLACE INTO verified VALUES (?, ?, ?, ?)"
SELECT_VERIFIED = "SELECT piece FROM verified WHERE engine = ? AND agrees"
SELECT_ORIGIN_OF = """SELECT origin.id, worker, engine, version, digest FROM result JOIN origin ON origin.id = origin
    WHERE piece = ?"""
SELECT_DISPUTED = "SELECT piece, engine FROM verified WHERE NOT agrees ORDER BY piece, engine"
SELECT_DIGESTS = "SELECT DISTINCT digest FROM origin WHERE id IN (SELECT origin FROM result)"
MARK_WRONG = "UPDATE origin SET is_wrong = 1 WHERE id = ?"
MOVE_RESULTS = "INSERT INTO discarded SELECT piece, nodes, origin FROM result WHERE origin = ?"
DELETE_VERIFIED = "DELETE FROM verified WHERE piece IN (SELECT piece FROM result WHERE origin = ?)"
DELETE_RESULTS = "DELETE FROM result WHERE origin = ?"
SELECT_EXPORT = """SELECT piece.number, records, nodes, microseconds, worker, engine, version, digest
    FROM piece JOIN result ON piece.number = piece JOIN origin ON origin.id = origin ORDER BY piece.number"""
SELECT_ALL_VERIFIED = "SELECT piece, engine, nodes, agrees FROM verified ORDER BY piece, engine"
SELECT_WRONG = "SELECT worker FROM origin WHERE is_wrong ORDER BY id"
