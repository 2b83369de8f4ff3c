"""A FEN with an unreadable field is a finding about printing, because the engine may play correctly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.fakes import quirky
from helpers.fuzz_report import titles
from helpers.headlines import without_moves
from helpers.program import Run

pytestmark = pytest.mark.slow  # most tests start processes

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
FIELDS = [
    ("fen:2=Q:R", "Castling field that cannot be read", "in which 'R' stands for no right"),
    ("fen:2=k:0", "Castling field that cannot be read", "in which '0' stands for no right"),
    ("fen:2=q:O-O-O", "Castling field that cannot be read", "in which 'O' stands for no right"),
    ("fen:3=-:none", "En passant field that cannot be read", "is 'none', which is neither a square nor '-'"),
    ("fen:3=-:0", "En passant field that cannot be read", "is '0', which is neither a square nor '-'"),
    ("fen:4=1:one", "Clocks that cannot be read", "The halfmove clock of the FEN is 'one', which is no number."),
    ("fen:5=1:#1", "Clocks that cannot be read", "The move number of the FEN is '#1', which is no number."),
    ("fen:0=/:|", "Position that cannot be read", "the board has 1 ranks instead of 8"),
    ("fen:0=8:.", "Position that cannot be read", "is '.', which does not describe eight squares"),
    ("fen:1=b:black", "Position that cannot be read", "the side to move is 'black' instead of 'w' or 'b'"),
]


@pytest.mark.parametrize(("quirk", "title", "sentence"), FIELDS)
def test_the_field_is_named(fuzz: Run, quirk: str, title: str, sentence: str) -> None:
    done = fuzz("--replay", CASTLING, "-e", quirky(quirk))
    assert (done.returncode, set(titles(done.stdout))) == (1, {f"wrong FEN: {title}"}), done.stdout
    assert sentence in done.stdout
    assert "This concerns the FEN that the engine prints; its counts may be correct." in done.stdout
    assert "plays a move wrongly" not in done.stdout


@pytest.mark.parametrize(
    ("quirk", "title"), [("fen:2=k:", "Castling right is lost"), ("fen:4=1:7", "Wrong halfmove clock")]
)
def test_a_readable_field_is_a_wrong_state(fuzz: Run, quirk: str, title: str) -> None:
    done = fuzz("--replay", CASTLING, "-e", quirky(quirk))
    assert (done.returncode, f"wrong state: {title}" in without_moves(done.stdout)) == (1, True), done.stdout


def test_clocks_may_be_ignored(fuzz: Run) -> None:
    done = fuzz("--replay", CASTLING, "-e", quirky("fen:4=1:one"), "--ignore", "clocks")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("quirk", ["fen:2=Q:R", "fen:3=-:none"])
def test_a_missing_move_is_reported_as_well(fuzz: Run, quirk: str) -> None:
    engine = quirky(quirk, "lacks=queen-moves")
    fen = CASTLING.replace("/8/8/R3", "/8/Q7/R3")
    done = fuzz("--replay", fen, "-e", engine, "--depth", "1")
    assert {title.partition(":")[0] for title in titles(done.stdout)} == {"missing move", "wrong FEN"}


def test_json_has_the_cause(fuzz: Run, tmp_path: Path) -> None:
    fuzz(
        *("-e", quirky("fen:2=Q:R"), "--examples", "60", "--seed", "2", "--strategy", "templates", "--careful"),
        *("--jobs", "1", "--report", "json=out.json"),
    )
    findings = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert [(finding["finding"]["cause"], finding["name"]) for finding in findings] == [
        ("fen", "fen unreadable-castling")
    ]
