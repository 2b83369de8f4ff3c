"""Silent rejections are distinguished from faults that lead to the answer of the previous position."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.blocks import correct_block
from helpers.fakes import quirky
from helpers.headlines import without_moves
from helpers.program import Run
from helpers.streams import doubtful_positions, open_stream
from perft_check.generator import Position, perft
from perft_check.harness.engines.stdio.sentinels import SENTINELS

pytestmark = pytest.mark.slow  # most tests start processes

LEFT_OUT = ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "8/8/8/2k5/2Pp4/8/8/4K3 b - c3 0 1", "7k/P7/8/8/8/8/8/K7 w - - 0 1")
REFUSED = "counts another position: it has refused this one without a word"


def suite(folder: Path, *fens: str, depth: int = 2) -> str:
    lines = []
    for fen in fens:
        position = Position.from_fen(fen)
        counts = (f";D{plies} {perft(position, plies)}" for plies in range(1, depth + 1))
        lines.append(f"{fen} {' '.join(counts)}\n")
    (folder / "mine.epd").write_text("".join(lines))
    return "mine.epd"


@pytest.mark.parametrize(
    ("lacks", "fen", "missing", "prints"),
    [
        ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Castling", "moves"),
        ("castling", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "Castling", "counts"),
        ("rook-moves", "7k/8/8/3B4/8/2N5/K7/6R1 w - - 0 1", "Ordinary move", "counts"),
        ("queen-moves", "7k/8/8/3B4/8/2N5/K7/1Q6 w - - 0 1", "Ordinary move", "moves"),
        ("rook-moves", "7k/8/8/4N3/2B5/8/K7/5R2 w - - 0 1", "Ordinary move", "moves"),
    ],
)
def test_fault_with_the_moves_of_a_sentinel_is_not_a_rejection(
    run: Run, tmp_path: Path, lacks: str, fen: str, missing: str, prints: str
) -> None:
    engine = quirky(f"lacks={lacks}", *[prints] * (prints == "counts"))
    done = run("run", "-e", engine, "-s", suite(tmp_path, fen, depth=1))
    assert done.returncode == 1
    assert REFUSED not in done.stdout
    assert "MISMATCH" in done.stdout
    if prints == "moves":
        assert f"missing move: {missing}" in without_moves(done.stdout)


@pytest.mark.parametrize(
    ("fen", "prints", "depth"),
    [
        (LEFT_OUT[0], "moves", 1),
        (LEFT_OUT[0], "counts", 3),
        (LEFT_OUT[1], "counts", 1),
        (LEFT_OUT[1], "moves", 3),
        (LEFT_OUT[2], "moves", 3),
        (LEFT_OUT[2], "counts", 1),
    ],
)
def test_silent_rejections_are_recognized(run: Run, tmp_path: Path, fen: str, prints: str, depth: int) -> None:
    engine = quirky(f"keeps={fen.split()[0]}", *[prints] * (prints == "counts"))
    count = perft(Position.from_fen(fen), depth)
    (tmp_path / "mine.epd").write_text(f"{fen} ;D{depth} {count}\n")
    done = run("run", "-e", engine, "-s", "mine.epd")
    assert (done.returncode, REFUSED in done.stdout) == (3, True), done.stdout


@pytest.mark.parametrize(
    ("text", "field"), [(" 149 ", "a halfmove clock of three"), (" 1005", "a move number of four")]
)
@pytest.mark.parametrize("prints", ["moves", "counts"])
def test_silently_rejected_fen_field_is_a_limitation(
    run: Run, tmp_path: Path, text: str, field: str, prints: str
) -> None:
    (tmp_path / "mine.epd").write_text(
        "7k/8/8/8/8/8/6K1/8 w - - 100 90 ;D1 8\n7k/8/8/8/8/8/6K1/8 w - - 149 1005 ;D1 8\n"
    )
    done = run("run", "-e", quirky(f"keeps={text}", *[prints] * (prints == "counts")), "-s", "mine.epd")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count(f"does not take {field} digits: such positions are skipped") == 1
    assert "1 of 2 positions agree, 1 not compared" in done.stdout


@pytest.mark.parametrize("sentinel", SENTINELS)
def test_sentinels_are_counted_correctly(run: Run, tmp_path: Path, sentinel: str) -> None:
    done = run("run", "-e", quirky(), "-s", suite(tmp_path, sentinel, depth=3))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("lacks", "fen"),
    [
        ("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("castling", "4k3/8/8/8/8/8/8/Q3K2R w K - 0 1"),
        ("castling", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1"),
    ],
)
def test_incorrect_answer_is_not_mistaken_for_a_marker(lacks: str, fen: str) -> None:
    positions = [Position.from_fen(one) for one in (SENTINELS[0], fen, SENTINELS[1], "8/8/8/8/k7/8/8/K6Q w - - 0 1")]
    block = correct_block(positions * 3, 2)
    with open_stream(quirky(f"lacks={lacks}")) as one:
        assert doubtful_positions(one, block, block) == [[1, 5, 9]] * 2
