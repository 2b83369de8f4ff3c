"""An engine that dies when it has to play a move that it does not list has a missing move, and not a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky
from helpers.fuzz_report import titles
from helpers.headlines import without_moves
from helpers.program import Run

pytestmark = pytest.mark.slow  # most tests start processes

EN_PASSANT = "4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1"
LACKING = [
    ("castling", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8 e1e2", "Castling"),
    ("en-passant", EN_PASSANT, "c2c4 d4c3 e1d1", "En passant"),
    ("underpromotions", "8/P7/8/8/8/k7/8/K7 w - - 0 1", "a7a8n a3b4", "Promotion piece is missing"),
]
WAYS = [["unlisted=dies"], ["unlisted=dies", "counts"], [], ["counts"]]


@pytest.mark.parametrize(
    ("lacks", "fen", "moves", "rule", "way", "plays"),
    [
        (*lacking, way, (row + column) % 2 == 0)
        for row, lacking in enumerate(LACKING)
        for column, way in enumerate(WAYS)
        if row != column
    ],
)
def test_fuzz_reports_only_the_missing_move(
    fuzz: Run, lacks: str, fen: str, moves: str, rule: str, way: list[str], plays: bool
) -> None:
    line = f"{fen} moves {moves}" if plays else fen
    done = fuzz("--replay", line, "-e", quirky(f"lacks={lacks}", *way))
    assert (done.returncode, titles(done.stdout)) == (1, [f"missing move: {rule}"]), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_fuzz_finds_no_crash(fuzz: Run, way: list[str]) -> None:
    engine = quirky("lacks=en-passant", *way)
    done = fuzz("-e", engine, "--careful", "--strategy", "templates", "--examples", "12", "--seed", "3", "--jobs", "1")
    assert (done.returncode, set(titles(done.stdout))) == (1, {"missing move: En passant"}), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_run_names_the_missing_move_of_a_case(run: Run, tmp_path: Path, way: list[str]) -> None:
    moves = "c2c4 d4c3 e1d1"
    (tmp_path / "mine.epd").write_text(f'{EN_PASSANT} ;D1 7 ;moves "{moves}"\n')
    done = run("run", "-e", quirky("lacks=en-passant", *way), "-s", "mine.epd")
    assert (done.returncode, "crash" in done.stdout.lower()) == (1, False), done.stdout
    assert f"d4c3 of the moves {moves} is not in its list\n  missing move: En passant\n" in without_moves(done.stdout)
    assert "reproduce: perft-check divide '4k3/8/8/8/2Pp4/8/8/4K3 b - c3 0 1' 1 -e" in done.stdout


@pytest.mark.parametrize("prints", [[], ["counts"]])
def test_a_crash_after_a_listed_move_is_a_crash(fuzz: Run, run: Run, tmp_path: Path, prints: list[str]) -> None:
    engine = quirky("dies-playing=d4c3", *prints)
    done = fuzz("--replay", f"{EN_PASSANT} moves c2c4 d4c3", "-e", engine)
    assert (done.returncode, titles(done.stdout)) == (3, ["crash"]), done.stdout
    (tmp_path / "mine.epd").write_text(f'{EN_PASSANT} ;D1 7 ;moves "c2c4 d4c3"\n')
    done = run("run", "-e", engine, "-s", "mine.epd")
    assert (done.returncode, "CRASH" in done.stdout) == (3, True), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_self_consistency_does_not_report_missing_moves(run: Run, way: list[str]) -> None:
    engine = quirky("lacks=castling", *way)
    fen = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1"
    done = run("divide", fen, "2", "-e", engine, "--self-consistency")
    assert done.returncode == 0, done.stdout + done.stderr
