"""Runs are kept whole, side by side with others, and come back as they were."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from helpers.kept_runs import FEN, ORIGIN, case, finished, many
from helpers.processes import until
from perft_check.harness.history.model import KeptCase
from perft_check.harness.history.store import HISTORY, LARGEST, cases_of, keep, runs_of
from perft_check.harness.model.database import DatabaseError
from perft_check.harness.model.results.verdict import ExitCode, Verdict

TESTS = Path(__file__).parents[2]
WRITER = """
import sys; sys.path.insert(0, {tests!r})
from pathlib import Path
from helpers.kept_runs import ORIGIN, many
from perft_check.harness.history.store import keep
run = many({cases})
for _ in range({runs}):
    keep(Path({file!r}), ORIGIN, run)
"""


def writer(file: Path, cases: int, runs: int, **options: Any) -> subprocess.Popen[str]:
    """Start a process that adds so many runs to a history."""
    script = WRITER.format(tests=str(TESTS), cases=cases, runs=runs, file=str(file))
    return subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, **options)


def checked(file: Path) -> list[tuple[int, int]]:
    """Return the positions and the rows of each run, after SQLite's own check of the whole file."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = "SELECT begun, (SELECT count(*) FROM result WHERE run = run.id) FROM run ORDER BY id"
        return connection.execute(rows).fetchall()


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "runs #1?.db"
    run = finished(
        case("a", suite="no utf-8 \udcff", nodes=2**80, seconds=0.25),
        case("b", Verdict.MISMATCH, 2, message="two\nlines \x1b[31m" + 300 * "x"),
        case("b", chess960=True),
    )
    assert [keep(file, ORIGIN, run), keep(file, ORIGIN, finished(interrupted=True))] == [1, 2]
    first, second = runs_of(file)
    assert (first.number, first.version, first.origin) == (1, "1.2.3", ORIGIN)
    assert (first.planned, first.agree, first.fail, first.exit_code) == (3, 2, 1, ExitCode.MISMATCH)
    assert (first.seconds, first.engine_seconds, first.nodes) == (1.5, 2.25, LARGEST)
    assert (second.exit_code, second.is_whole, second.speed) == (ExitCode.INTERRUPTED, False, None)
    one, two, three = cases_of(file, first)
    assert one == KeptCase("no utf-8 \\udcff", "a", FEN, False, Verdict.AGREE, 3, LARGEST, 0.25)
    assert (two.verdict, two.depth, len(two.what)) == (Verdict.MISMATCH, 2, 200)
    assert two.what.startswith("two lines  [31mxxx")
    assert (three.name, three.chess960) == ("b", True)
    assert cases_of(file, second) == ()
    assert os.listdir(tmp_path) == [file.name]


def test_positions_are_kept_once(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    for _ in range(3):
        keep(file, ORIGIN, many(50))
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM place").fetchone() == (50,)
        assert connection.execute("SELECT count(*) FROM result").fetchone() == (150,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_ten_processes_write_one_new_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    writers = [writer(file, cases=200, runs=3) for _ in range(10)]
    assert [one.communicate()[1] for one in writers] == [""] * 10
    assert checked(file) == [(200, 200)] * 30
    assert [run.number for run in runs_of(file)] == list(range(1, 31))


def test_a_killed_writer_leaves_whole_runs_only(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    log = tmp_path / "runs.db-wal"
    keep(file, ORIGIN, many(10))
    for size in (100_000, 1_000_000):  # in the middle of a run's 3 MB
        with writer(file, cases=20_000, runs=1) as one:
            until(lambda size=size: one.poll() is not None or (log.exists() and log.stat().st_size > size))  # type: ignore[misc]
            one.send_signal(signal.SIGKILL)
        assert {begun for begun, _ in checked(file)} <= {10, 20_000}
        assert all(begun == rows for begun, rows in checked(file))
    before = len(runs_of(file))
    assert keep(file, ORIGIN, many(10)) > before
    assert len(runs_of(file)) == before + 1


def test_a_full_disk_leaves_the_runs_that_are_there(tmp_path: Path) -> None:
    """A limit of the size of files is as good as a full disk."""
    file = tmp_path / "runs.db"
    keep(file, ORIGIN, many(10))
    script = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n{WRITER}"
    text = script.format(tests=str(TESTS), cases=5000, runs=1, file=str(file))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    said = done.stderr.splitlines()[-1]
    assert said.endswith(f"DatabaseError: history {str(file)!r}: the disk is full, or does not work"), said
    assert checked(file) == [(10, 10)]


def test_files_that_cannot_be_histories(tmp_path: Path) -> None:
    text, other, newer, fifo = (tmp_path / name for name in ("text", "other", "newer", "fifo"))
    text.write_text("no database, but a text that is long enough for its head to be read\n" * 20)
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE bookmarks (a)")
    HISTORY.prepare(newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 2")
    os.mkfifo(fifo)
    before = other.read_bytes()
    for path, why in {
        text: "it is no SQLite database: name another file, or a new one",
        other: "it is a database of another program: name another file",
        newer: "it is of version 2, and this perft-check knows 1: update perft-check",
        fifo: "it is no regular file",
        tmp_path: "it is a folder: name a file in it",
        tmp_path / "no" / "runs.db": f"there is no folder {str(tmp_path / 'no')!r}",
        Path("/proc/runs.db"): "it cannot be opened: look at its permissions, and at those of its folder",
    }.items():
        with pytest.raises(DatabaseError) as raised:
            HISTORY.prepare(path)
        assert str(raised.value) == f"history {str(path)!r}: {why}"
    assert other.read_bytes() == before
    for path, why in {
        text: "it is no SQLite database: name another file, or a new one",
        tmp_path / "none": "there is no such file: perft-check run --history FILE makes one",
    }.items():
        with pytest.raises(DatabaseError) as raised:
            runs_of(path)
        assert str(raised.value) == f"history {str(path)!r}: {why}"
    (tmp_path / "empty").touch()
    with pytest.raises(DatabaseError, match=r"it is empty: no run has been kept$"):
        runs_of(tmp_path / "empty")


def test_a_file_system_without_shared_memory_is_told(tmp_path: Path) -> None:
    """So are network file systems. SQLite's `unix-dotfile` locks as on one of them."""
    address = f"{(tmp_path / 'runs.db').as_uri()}?vfs=unix-dotfile"
    with closing(sqlite3.connect(address, uri=True)) as connection, pytest.raises(DatabaseError) as raised:
        HISTORY.enter_wal(tmp_path / "runs.db", connection)
    assert str(raised.value).endswith(
        "its file system has no shared memory for SQLite's log: name a file on a local disk"
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE result SET verdict = 'fine'", "'fine' is not a valid Verdict"),
        ("UPDATE result SET depth = 'deep'", "invalid literal for int() with base 10: 'deep'"),
        ("UPDATE run SET settings = '[]'", "'[]' are no settings"),
        ("UPDATE run SET settings = '{'", "Expecting property name"),
    ],
)
def test_what_others_have_written_is_checked(tmp_path: Path, change: str, why: str) -> None:
    file = tmp_path / "runs.db"
    keep(file, ORIGIN, many(2))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(DatabaseError) as raised:
        cases_of(file, runs_of(file)[0])
    assert f"it is damaged: {why}" in str(raised.value)


def test_nothing_is_added_to_a_file_whose_pages_do_not_fit_together(tmp_path: Path) -> None:
    """SQLite would add to it, and `perft-check history` would refuse it afterwards."""
    file = tmp_path / "runs.db"
    for _ in range(2):
        keep(file, ORIGIN, many(2))
    right = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'run'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    cells = (page - 1) * size + 8  # where the rows of a page begin, two bytes for each
    file.write_bytes(right[:cells] + right[cells + 2 : cells + 4] + right[cells : cells + 2] + right[cells + 4 :])
    damaged = file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT id FROM run").fetchall() == [(2,), (1,)]
    with pytest.raises(DatabaseError, match=r"runs\.db': it is damaged: put a copy in its place"):
        keep(file, ORIGIN, many(2))
    assert file.read_bytes() == damaged
