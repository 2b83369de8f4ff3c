"""The corpus has every finding once, after the earlier lines, and is always a complete file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess
import pytest
from helpers.games import game_from, leaves
from helpers.planted import add_to_corpus, discrepancy_at
from helpers.processes import PATIENCE
from perft_check.generator.game import Game
from perft_check.harness.fuzzing.corpus import HEADER, Corpus, check_corpus
from perft_check.suites.case import SuiteError
from perft_check.suites.loader import load_suite

ROOK = game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
PAWN = game_from("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1")
PLAYED = game_from("4k2r/6K1/8/8/8/8/8/8 w k - 0 1", "g7h8", "e8d8")
STARTPOS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SUITE = f"# mine\n\n{STARTPOS} ;D1 20 ;D2 400 ;id start\n"


def test_a_new_file_has_a_header_and_a_line_for_each_finding(tmp_path: Path) -> None:
    path = tmp_path / "findings.epd"
    assert add_to_corpus(path, discrepancy_at(ROOK, "castling-in-check"), 1)
    assert add_to_corpus(path, discrepancy_at(PAWN, "en-passant-along-pin", "missing"), 2)
    first, second, third = path.read_text().splitlines()
    assert first + "\n" == HEADER
    assert second.startswith('4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;D3 1197 ;id "extra castling-in-check ')
    assert third.startswith("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1 ;D1 6 ;D2 121 ;D3 711 ")
    assert ';id "missing en-passant-along-pin ' in third
    assert sorted(os.listdir(tmp_path)) == ["findings.epd"]


@pytest.mark.parametrize("place", [ROOK, PAWN, PLAYED])
@pytest.mark.parametrize("depth", [1, 2])
def test_counts_are_correct_and_deep_enough(tmp_path: Path, place: Game, depth: int) -> None:
    add_to_corpus(tmp_path / "findings.epd", discrepancy_at(place, "x"), depth)
    (case,) = load_suite(tmp_path / "findings.epd").cases
    assert case.position == place.base
    assert case.counts[-1][0] >= len(place.moves) + depth
    for plies, nodes in case.counts:
        assert nodes == leaves(chess.Board(place.base.fen()), plies)


def test_a_mate_is_stored(tmp_path: Path) -> None:
    add_to_corpus(tmp_path / "findings.epd", discrepancy_at(game_from("Q7/8/k7/2K5/8/8/8/8 b - - 0 3"), "x"), 2)
    (case,) = load_suite(tmp_path / "findings.epd").cases
    assert case.counts == ((1, 0),)


def test_a_position_is_stored_once(tmp_path: Path) -> None:
    path = tmp_path / "findings.epd"
    assert add_to_corpus(path, discrepancy_at(ROOK, "one"), 1)
    before = path.read_bytes()
    assert not add_to_corpus(path, discrepancy_at(ROOK, "another"), 1)
    assert path.read_bytes() == before


def test_a_line_with_too_few_counts_is_replaced(tmp_path: Path) -> None:
    """The counts in the file may end above the depth that shows the discrepancy."""
    path = tmp_path / "findings.epd"
    path.write_text(f"{PAWN.base.fen()} ;D1 6 ;id shallow\n")
    add_to_corpus(path, discrepancy_at(PAWN, "x"), 2)
    (case,) = load_suite(path)
    assert [depth for depth, _ in case.counts] == [1, 2, 3]


def test_findings_after_different_moves_are_separate_lines(tmp_path: Path) -> None:
    """A crash may need its moves, so neither game replaces the other."""
    path = tmp_path / "findings.epd"
    lines = [ROOK, *(game_from(ROOK.base.fen(), move) for move in ("e1g1", "h1h8"))]
    corpus = Corpus(path)
    for line in [*lines, *lines]:
        corpus.keep(discrepancy_at(line, "crash"), 1)
    assert [tuple(move.uci() for move in case.moves) for case in load_suite(path)] == [(), ("e1g1",), ("h1h8",)]
    for line in lines[:2]:
        corpus.keep_reduced(discrepancy_at(PAWN, "crash"), 1, discrepancy_at(line, "crash"))
        corpus.keep_reduced(discrepancy_at(PAWN, "crash"), 1, discrepancy_at(line, "crash"))
    assert [tuple(move.uci() for move in case.moves) for case in load_suite(path)] == [("h1h8",), ()]


@pytest.mark.parametrize("end", ["\n", "", "\n\n", "\r\n"])
def test_the_other_lines_of_the_file_are_unchanged(tmp_path: Path, end: str) -> None:
    path = tmp_path / "mine.epd"
    before = (SUITE.removesuffix("\n") + end).encode()
    path.write_bytes(before)
    check_corpus(path)
    assert add_to_corpus(path, discrepancy_at(ROOK, "x"), 1)
    assert path.read_bytes().startswith(before)
    assert load_suite(path).cases[0].name == "start"
    assert [case.position for case in load_suite(path)][1:] == [ROOK.base]


@pytest.mark.parametrize(
    "before",
    [
        SUITE.replace("mine", "r\xe9union").encode("latin-1"),
        SUITE.encode("utf-16"),
        f"id start\nepd {STARTPOS.removesuffix(' 0 1')}\nperft 1 20\n".encode(),
    ],
    ids=["Latin-1", "UTF-16", "blocks"],
)
def test_a_suite_is_extended_or_refused_before_the_run(tmp_path: Path, before: bytes) -> None:
    """A file must not be refused after a long run."""
    path = tmp_path / "mine.epd"
    path.write_bytes(before)
    assert len(load_suite(path).cases) == 1
    try:
        check_corpus(path)
    except SuiteError:
        assert path.read_bytes() == before
        return
    assert add_to_corpus(path, discrepancy_at(ROOK, "x"), 1)
    assert [case.position.fen() for case in load_suite(path)] == [STARTPOS, ROOK.base.fen()]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (f"fen;depth;nodes\n{STARTPOS};1;20\n", "a table"),
        ("fen\td1\n", "a table"),
        (f'[{{"fen": "{STARTPOS}", "d1": 20}}]', "JSON"),
        (f"id start\nepd {STARTPOS}\nperft 1 20\n", "in the format of .perft files"),
    ],
)
def test_a_file_in_another_format_is_refused(tmp_path: Path, said: str, kind: str) -> None:
    path = tmp_path / "mine.epd"
    path.write_text(said)
    with pytest.raises(SuiteError) as raised:
        check_corpus(path)
    assert str(raised.value) == (
        f"--corpus {path}: findings are added as EPD lines, and this file is {kind}: give another file"
    )
    assert path.read_text() == said


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "findings.epd"):
        with pytest.raises(SuiteError) as caught:
            check_corpus(path)
        assert str(caught.value) == f"--corpus {path}: must be a file in an existing folder"
    (tmp_path / "file").touch()
    with pytest.raises(SuiteError) as caught:
        add_to_corpus(tmp_path / "file" / "findings.epd", discrepancy_at(ROOK, "x"), 1)
    assert str(caught.value) == f"cannot write {tmp_path / 'file' / 'findings.epd'}: File exists"


def positions(path: Path) -> list[object]:
    return [case.position for case in load_suite(path)]


def test_a_reduced_finding_replaces_the_original(tmp_path: Path) -> None:
    path = tmp_path / "findings.epd"
    path.write_text(SUITE)
    corpus, found = Corpus(path), discrepancy_at(PAWN, "x")
    assert corpus.keep(found, 1)
    assert corpus.keep(discrepancy_at(PLAYED, "y"), 1)
    start, *_ = positions(path)
    assert positions(path) == [start, PAWN.base, PLAYED.base]
    assert corpus.keep_reduced(discrepancy_at(ROOK, "x"), 1, found)
    assert positions(path) == [start, ROOK.base, PLAYED.base]
    assert path.read_text().startswith(SUITE)


def test_a_finding_that_cannot_be_reduced_stays(tmp_path: Path) -> None:
    corpus, found = Corpus(tmp_path / "findings.epd"), discrepancy_at(PAWN, "x")
    corpus.keep(found, 1)
    before = (tmp_path / "findings.epd").read_bytes()
    assert not corpus.keep_reduced(found, 1, found)
    assert (tmp_path / "findings.epd").read_bytes() == before


def test_a_position_of_the_user_stays(tmp_path: Path) -> None:
    path = tmp_path / "findings.epd"
    add_to_corpus(path, discrepancy_at(PAWN, "mine"), 1)
    corpus, found = Corpus(path), discrepancy_at(PAWN, "x")
    assert not corpus.keep(found, 1)
    corpus.keep_reduced(discrepancy_at(ROOK, "x"), 1, found)
    assert positions(path) == [PAWN.base, ROOK.base]


def test_a_position_of_another_finding_stays_until_that_is_reduced(tmp_path: Path) -> None:
    path = tmp_path / "findings.epd"
    corpus, one, other = Corpus(path), discrepancy_at(PAWN, "one"), discrepancy_at(PAWN, "other")
    corpus.keep(one, 1)
    corpus.keep(other, 1)
    corpus.keep_reduced(discrepancy_at(ROOK, "one"), 1, one)
    assert positions(path) == [PAWN.base, ROOK.base]
    corpus.keep_reduced(discrepancy_at(ROOK, "other"), 1, other)
    assert positions(path) == [ROOK.base]


_WRITER = """
import sys
from pathlib import Path
from helpers.games import game_from
from helpers.planted import add_to_corpus, discrepancy_at
print("ready", flush=True)
sys.stdin.read()
for number in range(8):
    line = game_from(f"k7/8/8/8/8/8/8/K7 w - - {sys.argv[2]} {number + 1}")
    add_to_corpus(Path(sys.argv[1]), discrepancy_at(line, "x"), 1)
"""


@pytest.mark.slow
def test_eight_writers_lose_no_line(tmp_path: Path) -> None:
    path, environment = tmp_path / "findings.epd", os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(writer)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        for writer in range(8)
    ]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.close()
    assert [writer.wait(PATIENCE) for writer in writers] == [0] * 8
    kept = sorted((case.position.halfmove, case.position.fullmove) for case in load_suite(path))
    assert kept == [(writer, number) for writer in range(8) for number in range(1, 9)]
