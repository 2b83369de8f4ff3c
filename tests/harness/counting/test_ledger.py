"""The ledger: each piece has one result at most, whoever delivers what, and whenever the process is killed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from helpers.ledgers import is_whole, rows
from perft_check.errors import UsageError
from perft_check.harness.counting.ledger import Ledger, lock_ledger, make_ledger, open_ledger
from perft_check.harness.counting.model import Count, CountedPiece, Cut, ResultOrigin, Verified
from perft_check.harness.model.database import DatabaseError

COUNT = Count("8/8/8/8/8/8/8/K1k5 w - - 0 1", False, 6, 3, "own")
GOOD, OTHER = (ResultOrigin(name, "own", "1", "abc") for name in ("good", "other"))


def made(path: Path, pieces: int = 3) -> Path:
    make_ledger(
        path, COUNT, 2 * pieces, 10**25, [64] * pieces, (bytes([number % 256]) * 32 for number in range(2 * pieces))
    )
    return path


@contextmanager
def ledger_in(folder: Path, pieces: int = 3) -> Iterator[Ledger]:
    with open_ledger(made(folder / "a.ledger", pieces)) as ledger:
        yield ledger


def test_what_is_made_is_read(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        assert (ledger.count, ledger.cut) == (COUNT, Cut(6, 10**25, 3))
        assert [piece.records for piece in ledger.pieces([3, 1])] == [b"\4" * 32 + b"\5" * 32, b"\0" * 32 + b"\1" * 32]
        assert (ledger.pieces_left(), ledger.done(), ledger.nodes()) == ([1, 2, 3], (0, 0.0), 0)
    assert [path.name for path in tmp_path.iterdir()] == ["a.ledger"]


def test_a_piece_keeps_its_first_result(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        assert ledger.keep(
            [(GOOD, [CountedPiece(1, 5, 0.5), CountedPiece(2, 7, 0.25)]), (OTHER, [CountedPiece(2, 8, 1.0)])]
        ) == [1, 2]
        assert ledger.keep([(OTHER, [CountedPiece(1, 9, 1.0)])]) == []
        assert (ledger.pieces_left(), ledger.done(), ledger.nodes()) == ([3], (2, 0.75), 12)
        assert (ledger.nodes_of(2), ledger.nodes_of(3), ledger.origin_of(2)) == (7, None, GOOD)


def test_counts_may_be_larger_than_any_integer_of_sqlite(tmp_path: Path) -> None:
    counts = [2**63 - 1, 2**63, 10**30]
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(number, nodes, 0.0) for number, nodes in enumerate(counts, 1)])])
    with open_ledger(tmp_path / "a.ledger") as ledger:
        assert ledger.nodes() == sum(counts)
        assert [ledger.nodes_of(number) for number in (1, 2, 3)] == counts


def test_what_a_wrong_worker_has_counted_is_kept_aside(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(1, 5, 0.0)]), (OTHER, [CountedPiece(2, 7, 0.0), CountedPiece(3, 9, 0.0)])])
        assert ledger.keep_verified([Verified(1, "own:turbo", 5), Verified(2, "own:turbo", 6)]) == [2]
        assert ledger.agreeing_pieces("own:turbo") == {1}
        assert ledger.discard(OTHER, for_good=True) == 2
        assert ledger.keep([(OTHER, [CountedPiece(2, 7, 0.0)])]) == []
        assert (ledger.pieces_left(), ledger.nodes(), ledger.wrong_workers()) == ([2, 3], 5, ["other"])
    with open_ledger(tmp_path / "a.ledger") as ledger:
        assert ledger.keep([(OTHER, [CountedPiece(2, 7, 0.0)]), (GOOD, [CountedPiece(3, 1, 0.0)])]) == [3]
    assert rows(tmp_path / "a.ledger", "SELECT piece, nodes FROM discarded") == [(2, 7), (3, 9)]
    assert rows(tmp_path / "a.ledger", "SELECT piece, agrees FROM verified") == [(1, 1)]


def test_results_of_this_machine_may_be_counted_again_here(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(1, 5, 0.0)])])
        assert ledger.keep_verified([Verified(1, "own:turbo", 6)]) == [1]
        assert ledger.disputes() == [(1, "own:turbo")]
        assert ledger.discard(GOOD, for_good=False) == 1
        assert (ledger.disputes(), ledger.wrong_workers()) == ([], [])
        assert ledger.keep([(GOOD, [CountedPiece(1, 6, 0.0)])]) == [1]


def test_a_piece_takes_less_than_150_bytes(tmp_path: Path) -> None:
    pieces = 20_000
    path = tmp_path / "a.ledger"
    make_ledger(path, COUNT, pieces, pieces, [32] * pieces, iter([bytes(32 * pieces)]))
    with open_ledger(path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(number, 10**12 + number, 1.5) for number in range(1, pieces + 1)])])
    assert is_whole(path)
    assert path.stat().st_size < 150 * pieces


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = made(tmp_path / "a.ledger")
    with (
        lock_ledger(path),
        pytest.raises(UsageError, match=r"a\.ledger': another perft-check counts with it"),
        lock_ledger(path),
    ):
        pass
    with lock_ledger(path):
        pass
    assert [one.name for one in tmp_path.iterdir()] == ["a.ledger"]


def test_a_ledger_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield bytes(64)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        make_ledger(tmp_path / "a.ledger", COUNT, 4, 4, [64, 64], broken())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no database, but a text that is long enough\n" * 40, "it is no SQLite database: name another file"),
        (b"", "there is no such file: perft-check count --ledger FILE makes one"),
        (None, "there is no such file: perft-check count --ledger FILE makes one"),
    ],
)
def test_files_that_are_no_ledgers(content: bytes | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DatabaseError, match=re.escape(f"ledger {str(path)!r}: {said}")), open_ledger(path):
        pass


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE count SET pieces = 4",
        "UPDATE count SET pieces = -1",
        "INSERT INTO count SELECT * FROM count",
        "UPDATE piece SET number = 7 WHERE number = 3",
        "INSERT INTO piece SELECT 4, records FROM piece WHERE number = 1",
        "DELETE FROM piece WHERE number = 2",
        "UPDATE piece SET records = 'text'",
        "UPDATE piece SET records = x'00'",
        "UPDATE result SET piece = 9 WHERE piece = 1",
        "INSERT INTO result VALUES (8, 1, 1, 1)",
        "UPDATE result SET nodes = ''",
        "UPDATE result SET nodes = '-5'",
        "UPDATE result SET nodes = '12e3'",
        "UPDATE result SET nodes = -1",
        "UPDATE result SET nodes = 1e308",
        "UPDATE result SET nodes = x'ff'",
        "UPDATE result SET microseconds = 'soon'",
        "UPDATE result SET origin = 9",
        "INSERT INTO verified VALUES (1, 'own', 'many', 1)",
        "INSERT INTO verified VALUES (9, 'own', 5, 1)",
    ],
)
def test_a_ledger_whose_tables_do_not_fit_together_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(1, 5, 0.0), CountedPiece(2, 10**30, 0.0)])])
    with open_ledger(path) as ledger:
        assert ledger.nodes() == 10**30 + 5
    with sqlite3.connect(path) as database:
        database.execute(change)
    database.close()
    with pytest.raises(DatabaseError, match=r"a\.ledger': it is damaged: "), open_ledger(path):
        pass


def test_a_damaged_ledger_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "a.ledger", 2_000)
    path.write_bytes(path.read_bytes()[:6_000])
    with pytest.raises(DatabaseError, match="it is damaged"), open_ledger(path) as ledger:
        ledger.pieces_left()


def test_a_ledger_that_has_a_result_twice_is_refused(tmp_path: Path) -> None:
    """SQLite counts such a row, and does not find it, so that the count would never end."""
    path = tmp_path / "a.ledger"
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, [CountedPiece(number, 1 << 40, 0.0) for number in (1, 2)])])
    right = path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'result'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    for place in range(page * size - 1, (page - 1) * size, -1):
        if right[place] == 2:
            path.write_bytes(right[:place] + b"\1" + right[place + 1 :])
            with closing(sqlite3.connect(path)) as database:
                numbers = database.execute("SELECT piece FROM result").fetchall()
            if numbers == [(1,), (1,)]:
                break
    assert numbers == [(1,), (1,)]
    with pytest.raises(DatabaseError, match=r"a\.ledger': it is damaged: put a copy in its place"), open_ledger(path):
        pass
