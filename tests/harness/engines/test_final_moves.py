"""Engines that omit root moves with a count of 0: moves that end the game are not missing moves, but others are."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.blocks import correct_block
from helpers.fakes import quirky, quirky_engine
from helpers.program import WIDE, Run
from helpers.streams import doubtful_positions, open_stream
from perft_check.generator import Position

pytestmark = pytest.mark.slow  # most tests start processes

MATES = [
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "7k/5K2/8/6N1/8/8/8/6R1 w - - 0 1",
    "5K1k/6R1/6Q1/8/8/8/8/8 w - - 0 1",
    "8/8/8/8/8/8/5kq1/7K w - - 0 1",
    "k7/2Q5/8/1K6/8/8/8/8 w - - 0 1",
]
"""Positions with moves that give mate or stalemate, one with only such moves, and one without moves."""
ENGINE_TYPES = ["uci", "from depth 2", "descriptor", "cmd", "script"]
TOLD = "omits root moves with a count of 0, which end the game: that is not a fault"


def engine_of(engine_type: str, folder: Path, *quirks: str) -> str:
    if engine_type == "from depth 2":
        return quirky("root-moves-from-depth-2", "no-zeros", *quirks)
    return quirky_engine(engine_type, folder, "no-zeros", *quirks)


@pytest.mark.parametrize(
    ("engine_type", "depth", "fen"),
    [
        *(("uci", "2", fen) for fen in MATES),
        *((engine_type, "2", fen) for engine_type, fen in zip(ENGINE_TYPES[1:], MATES, strict=False)),
        ("uci", "3", MATES[4]),
        ("from depth 2", "1", MATES[2]),
    ],
)
def test_correct_engine_has_no_finding(fuzz: Run, tmp_path: Path, engine_type: str, depth: str, fen: str) -> None:
    done = fuzz("--replay", fen, "-e", engine_of(engine_type, tmp_path), "--depth", depth)
    assert (done.returncode, "no fault" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize("engine_type", ["uci", "descriptor", "cmd"])
def test_only_the_fault_is_reported(fuzz: Run, tmp_path: Path, engine_type: str) -> None:
    engine = engine_of(engine_type, tmp_path, "lacks=knight-moves")
    done = fuzz("--replay", MATES[1], "-e", engine)
    message = [line for line in done.stdout.splitlines() if " missing: " in line]
    assert done.returncode == 1
    assert {line.split(" missing: ")[0].split()[-2][:2] for line in message} == {"g5"}


@pytest.mark.parametrize("engine_type", ["uci", "descriptor", "cmd"])
def test_a_missing_move_that_ends_the_game_is_found(fuzz: Run, tmp_path: Path, engine_type: str) -> None:
    castling_mates = "8/8/8/8/8/8/2Q5/R3K1k1 w Q - 0 1"
    done = fuzz("--replay", castling_mates, "-e", engine_of(engine_type, tmp_path, "lacks=castling"))
    message = [line for line in done.stdout.splitlines() if line[:1].isdigit() and line[1:3] == ". "]
    assert (done.returncode, message) == (1, ["1. missing move e1c1: Castling"]), done.stdout


@pytest.mark.parametrize("engine_type", ["uci", "from depth 2", "descriptor"])
def test_no_mismatch_when_asked_ahead(tmp_path: Path, engine_type: str) -> None:
    positions = [Position.from_fen(fen) for fen in MATES]
    with open_stream(engine_of(engine_type, tmp_path)) as one:
        wrong = correct_block(positions, 3)
        wrong.counts[wrong.ends[0] - 1] += 1
        assert doubtful_positions(one, correct_block(positions, 2), wrong, correct_block(positions, 1)) == [[], [0], []]


@pytest.mark.parametrize("engine_type", ENGINE_TYPES)
def test_run_and_doctor_report_it_in_one_line(run: Run, tmp_path: Path, engine_type: str) -> None:
    (tmp_path / "mine.epd").write_text(f"{MATES[0]} ;D1 15\n")
    engine, name = engine_of(engine_type, tmp_path), "mine" if engine_type == "descriptor" else "quirks.py"
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    assert [line for line in done.stderr.splitlines() if "end the game" in line] == [f"{name} {TOLD}"]
    message = "moves that end the game" in run("doctor", "-e", engine, **WIDE).stdout
    assert message


@pytest.mark.parametrize("prints", [[], ["counts"], ["root-moves-from-depth-2"]])
def test_other_engines_get_no_notice(run: Run, tmp_path: Path, prints: list[str]) -> None:
    (tmp_path / "mine.epd").write_text(f"{MATES[0]} ;D1 15\n")
    engine = quirky(*prints)
    assert "end the game" not in run("run", "-e", engine, "-s", "mine.epd").stderr
    assert "end the game" not in run("doctor", "-e", engine).stdout
