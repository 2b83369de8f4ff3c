"""Castling written as O-O is understood from engines of all types, legal or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky, quirky_descriptor, quirky_program, quirky_script
from helpers.headlines import without_moves
from helpers.program import Run
from perft_check.generator import Position
from perft_check.harness.engines.root_moves import as_king_takes_rook

pytestmark = pytest.mark.slow  # most tests start processes

SUITE = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039\n"
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1 ;D1 26 ;D2 568\n"
)


def engine_of(engine_type: str, folder: Path, *quirks: str) -> str:
    if engine_type == "descriptor":
        return quirky_descriptor(folder / "mine.json", "plain", *quirks)
    return {"uci": quirky, "cmd": quirky_program, "script": quirky_script}[engine_type](*quirks)


@pytest.mark.parametrize(
    ("engine_type", "castling"), [("uci", "O-O"), ("cmd", "0-0"), ("script", "O-O"), ("descriptor", "0-0")]
)
def test_correct_engine_agrees_on_every_root_move(run: Run, tmp_path: Path, engine_type: str, castling: str) -> None:
    engine = engine_of(engine_type, tmp_path, f"castling={castling}")
    for line in SUITE.splitlines():
        done = run("divide", line.partition(" ;")[0], "2", "-e", engine, "-a", "own")
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("engine_type", "fen", "move", "rule"),
    [
        ("uci", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", "Castling through an attacked square"),
        ("cmd", "1n2k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "Castling through pieces"),
        ("script", "r3k2r/8/8/4R3/8/8/8/4K3 b kq - 0 1", "e8g8", "Castling out of check"),
        ("descriptor", "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", "Castling through an attacked square"),
    ],
)
def test_illegal_castling_is_explained(
    run: Run, tmp_path: Path, engine_type: str, fen: str, move: str, rule: str
) -> None:
    engine = engine_of(engine_type, tmp_path, "castling=O-O", "castles-always")
    done = run("divide", fen, "1", "-e", engine, "-a", "own")
    assert (done.returncode, f"extra move: {rule}" in without_moves(done.stdout)) == (1, True), done.stdout
    assert move in done.stdout
    assert "no move" not in done.stdout


@pytest.mark.parametrize(
    ("fen", "text", "written"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "e1h1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", "e1a1"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O-O", "e8a8"),
        ("4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "O-O-O", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "O-O-O", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O", "e1g1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O-O", "e1c1"),
        ("4k3/8/8/8/8/8/8/1R3KRR w Gb - 0 1", "O-O", "f1g1"),
    ],
)
def test_o_o_is_converted_to_king_takes_rook(fen: str, text: str, written: str) -> None:
    fen, chess960 = (fen.replace("Gb", "G"), True) if "Gb" in fen else (fen, False)
    assert as_king_takes_rook(Position.from_fen(fen, chess960), text) == written
