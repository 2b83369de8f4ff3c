"""The ledger: each piece has one result at most, whoever delivers what, and whenever the process is killed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.ledgers import is_complete, lines
from perft_check.errors import UsageError
from perft_check.generator.counting.records import bytes_of
from perft_check.harness.counting.ledger import (
    Ledger,
    LedgerError,
    LedgerHead,
    cut_of,
    lock_ledger,
    open_ledger,
    read_head,
)
from perft_check.harness.counting.model import Count, CountedPiece, ResultOrigin

COUNT = Count("8/8/8/8/8/8/8/K1k5 w - - 0 1", False, 6, 3, "own")
GOOD, OTHER = (ResultOrigin(name, "1", "abc") for name in ("good", "other"))
RECORDS = np.arange(20, dtype=np.uint64).reshape(5, 4)
HEAD = LedgerHead(COUNT, cut_of(RECORDS, 2))


@contextmanager
def ledger_in(folder: Path) -> Iterator[Ledger]:
    with open_ledger(folder / "a.ledger", HEAD, RECORDS) as ledger:
        yield ledger


def counted(*numbers: tuple[int, int]) -> list[CountedPiece]:
    return [CountedPiece(number, nodes, 0.25) for number, nodes in numbers]


def test_what_is_made_is_read(tmp_path: Path) -> None:
    assert read_head(tmp_path / "a.ledger") is None
    with ledger_in(tmp_path) as ledger:
        assert (ledger.cut.positions, ledger.cut.games, ledger.cut.pieces) == (5, 3 + 7 + 11 + 15 + 19, 3)
        assert [piece.records for piece in ledger.pieces([3, 1])] == [bytes_of(RECORDS[4:]), bytes_of(RECORDS[:2])]
        assert (ledger.pieces_left(), ledger.done(), ledger.nodes()) == ([1, 2, 3], (0, 0.0), 0)
    assert read_head(tmp_path / "a.ledger") == HEAD
    assert [path.name for path in tmp_path.iterdir()] == ["a.ledger"]


def test_a_piece_keeps_its_first_result(tmp_path: Path) -> None:
    with ledger_in(tmp_path) as ledger:
        assert ledger.keep([(GOOD, counted((1, 5), (2, 7))), (OTHER, counted((2, 8)))]) == [1, 2]
        assert ledger.keep([(OTHER, counted((1, 9)))]) == []
        assert (ledger.pieces_left(), ledger.done(), ledger.nodes()) == ([3], (2, 0.5), 12)


def test_counts_may_be_larger_than_64_bits(tmp_path: Path) -> None:
    counts = [2**63 - 1, 2**64, 10**30]
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, counted(*enumerate(counts, 1)))])
    with ledger_in(tmp_path) as ledger:
        assert ledger.nodes() == sum(counts)
    assert is_complete(tmp_path / "a.ledger")


def test_a_last_line_that_is_not_whole_is_dropped_wherever_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, counted((1, 5)))])
    whole = path.read_bytes()
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, counted((2, 7)))])
    longer = path.read_bytes()
    for length in range(len(whole), len(longer)):
        path.write_bytes(longer[:length])
        with ledger_in(tmp_path) as ledger:
            assert ledger.pieces_left() == [2, 3]
            ledger.keep([(OTHER, counted((3, 1)))])
        with ledger_in(tmp_path) as ledger:
            assert (ledger.pieces_left(), ledger.nodes()) == ([2], 6)


def test_a_first_line_that_is_not_whole_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    for length in (0, len(HEAD.line) - 1):
        path.write_bytes(HEAD.line[:length])
        with ledger_in(tmp_path) as ledger:
            ledger.keep([(GOOD, counted((1, 5)))])
        assert (read_head(path), len(lines(path))) == (HEAD, 2)


@pytest.mark.parametrize(("first", "second"), [("a.ledger", "a.ledger"), ("a.ledger", "link"), ("link", "a.ledger")])
def test_one_process_at_a_time_uses_a_ledger_also_through_a_link(tmp_path: Path, first: str, second: str) -> None:
    if "link" in (first, second):
        (tmp_path / "a.ledger").touch()
        (tmp_path / "link").symlink_to("a.ledger")
    before = set(tmp_path.iterdir())
    with (
        lock_ledger(tmp_path / first),
        pytest.raises(UsageError, match=r"': another perft-check process is using it"),
        lock_ledger(tmp_path / second),
    ):
        pass
    with lock_ledger(tmp_path / second):
        pass
    assert set(tmp_path.iterdir()) == before


def test_a_ledger_of_another_cut_is_refused(tmp_path: Path) -> None:
    with ledger_in(tmp_path):
        pass
    others = RECORDS + np.uint64(1)
    with (
        pytest.raises(LedgerError, match="its tree was cut by another version of perft-check"),
        open_ledger(tmp_path / "a.ledger", HEAD, others),
    ):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"no JSON\n",
        b"[1]\n",
        b"{}\n",
        b"\xff\xfe\n",
        b"[" * 20_000,
        HEAD.line.replace(b'"depth": 6', b'"depth": -6'),
        HEAD.line.replace(b'"ledger": 1', b'"ledger": 0'),
    ],
)
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    path.write_bytes(content)
    said = f"ledger {str(path)!r}: not a ledger file: give another file, or a new one"
    with pytest.raises(LedgerError, match=re.escape(said)):
        read_head(path)


def test_a_ledger_of_a_later_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.ledger").write_bytes(HEAD.line.replace(b'"ledger": 1', b'"ledger": 2'))
    with pytest.raises(LedgerError, match="its format is 2, but this version reads 1: update perft-check"):
        read_head(tmp_path / "a.ledger")


RESULT = {"piece": 2, "nodes": 7, "seconds": 0.5, "worker": "good", "version": "1", "digest": "abc"}


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        "[]",
        {},
        RESULT | {"piece": 4},
        RESULT | {"piece": 0},
        RESULT | {"piece": 1},
        RESULT | {"nodes": -1},
        RESULT | {"nodes": 1.5},
        RESULT | {"seconds": "soon"},
        RESULT | {"seconds": float("nan")},
        RESULT | {"seconds": -1.0},
        {name: value for name, value in RESULT.items() if name != "digest"},
    ],
)
def test_an_invalid_line_is_refused_with_its_number(line: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    with ledger_in(tmp_path) as ledger:
        ledger.keep([(GOOD, counted((1, 5)))])
    right = path.read_bytes()
    wrong = right + (line if isinstance(line, str) else json.dumps(line)).encode() + b"\n"
    path.write_bytes(wrong)
    with pytest.raises(LedgerError, match=r"a\.ledger': line 3 is invalid"), ledger_in(tmp_path):
        pass
    assert path.read_bytes() == wrong
    assert len(lines(path)) == 3 if not isinstance(line, str) else True
