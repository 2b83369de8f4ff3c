"""Of several positions with the same cause, one that looks reachable is shown first, even if others are smaller."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.games import epd
from helpers.program import Run
from perft_check.generator import Position
from perft_check.generator.reachability.classification import Reachability, reachability_of

ONE_BUG = shlex.join([sys.executable, str(FAKES / "one_bug.py"), "uci"])
CASES = {
    "right-survives-capture": ("4k2r/6B1/8/8/8/8/8/K7 w k - 0 1", 2),
    "promotion-no-bishop": ("4k2r/P7/8/8/8/8/8/4K3 w k - 0 1", 1),
    "pinned-frozen": ("4k2r/8/8/8/7R/8/8/7K w k - 0 1", 1),
}
"""For each fault, a position and a depth at which it occurs; Black may castle, so only a pawn can have moved last."""

SMALL = ("-n", "300", "--seed", "3", "-j", "1", "--careful")


@pytest.mark.slow
@pytest.mark.parametrize("fault", CASES)
def test_a_run_shows_the_reachable_position_first(fault: str, run: Run, tmp_path: Path) -> None:
    small, depth = CASES[fault]
    large = small.replace("/8/8/", "/8/p7/", 1)
    for fen, label in ((small, Reachability.VALID), (large, Reachability.REACHABLE)):
        assert reachability_of(Position.from_fen(fen)) is label, fen
    (tmp_path / "two.epd").write_text(epd(small, depth) + epd(large, depth))
    done = run("run", "-s", "two.epd", "-e", f"uci:{ONE_BUG} {fault}", "--report", "json=-", "-j", "1")
    assert done.returncode == 1, done.stderr
    (cause,) = json.loads(done.stdout)["causes"]
    assert (cause["positions"], cause["failures"][0]) == (2, "two:2"), cause


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["right-survives-capture", "right-survives-king", "right-of-wrong-color"])
def test_a_finding_is_not_reduced_to_an_unreachable_position(fault: str, fuzz: Run) -> None:
    done = fuzz("-e", f"uci:{ONE_BUG} {fault}", *SMALL, "--report", "json=-")
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert {finding["reachability"] for finding in findings} == {"reachable"}
