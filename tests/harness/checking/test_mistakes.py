"""A mistake is one cause, however many rules it breaks."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.games import epd
from helpers.program import Run

pytestmark = pytest.mark.slow  # most tests start processes

ONE_MISTAKE = shlex.join([sys.executable, str(FAKES / "one_mistake.py")])
EDGE = "extra move: Move across the edge of the board"
LETTERS = "wrong state: Promotion letters are shifted by one"


@pytest.mark.parametrize(
    ("mistake", "strategy", "title"),
    [
        ("letters-up", "templates", f"{LETTERS} up"),
        pytest.param("letters-down", "templates", f"{LETTERS} down", marks=pytest.mark.slow),
        ("letters-around", "templates", f"{LETTERS} up, around"),
        ("wrapping-knights", "templates", EDGE),
        pytest.param("wrapping-kings", "placements", EDGE, marks=pytest.mark.slow),
        pytest.param("wrapping-pawns", "placements", EDGE, marks=pytest.mark.slow),
    ],
)
def test_fuzz_reports_one_cause(mistake: str, strategy: str, title: str, fuzz: Run) -> None:
    limits = ("-n", "80", "--seed", "1", "-j", "1", "--careful", "--strategy", strategy)
    done = fuzz("-e", f"uci:{ONE_MISTAKE} {mistake}", *limits, "--report", "json=-")
    assert done.returncode == 1, done.stderr
    assert [cause["title"] for cause in json.loads(done.stdout)["causes"]] == [title]


BOTH_WINGS = {
    "wings-of-fens": (
        "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
        "4k3/8/8/8/8/8/P7/4K2R w K - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b q - 0 1",
    ),
    "wings-of-black": (
        "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1",
        "r3k3/8/8/8/8/8/8/4K3 b q - 0 1",
        "r3k2r/7p/8/8/8/8/8/K7 w q - 0 1",
    ),
    "wings-of-white": (
        "r3k3/8/8/8/8/8/8/R3K2R w K - 0 1",
        "4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1",
        "4k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
    ),
    "wings-of-moves": (
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1",
        "r3k2r/8/8/8/8/8/8/4K2R b Kkq - 0 1",
    ),
}


@pytest.mark.parametrize("mistake", BOTH_WINGS)
def test_swapped_rights_of_both_wings_are_one_cause(mistake: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "wings.epd").write_text("".join(epd(fen, 1, 2, 3) for fen in BOTH_WINGS[mistake]))
    done = run("run", "-s", "wings.epd", "-e", f"uci:{ONE_MISTAKE} {mistake}", "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    (cause,) = json.loads(done.stdout)["causes"]
    if mistake != "wings-of-moves":  # where no rook comes back, that shows as castling that is missing
        assert cause["title"].endswith("Castling rights of the two wings are swapped")
    assert cause["positions"] == 3
