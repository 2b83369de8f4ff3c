"""Seeded faults are found by the real program, reduced to few pieces, named, shown again, and kept as a suite."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from faulty.generators import FAULTS
from fuzzing.kit import TESTS, WIDE, faulty, told
from perft_check.harness.explaining.rules import Rule
from perft_check.suites.loader import load_suite
from program import run_in

MORE = 2
"""A find may have so many pieces more than the smallest position that is known."""


@dataclass(frozen=True)
class Seeded:
    """A seeded fault, and the smallest position that is known to meet what it is about."""

    name: str
    pieces: int
    prints_fen: bool = False
    """Ask the server, which prints the position it has reached: then a wrong state is seen as such."""

    @property
    def engine(self) -> str:
        server = [sys.executable, str(TESTS / "faulty" / "serve.py"), self.name]
        return f"uci:{shlex.join(server)}" if self.prints_fen else faulty(self.name)

    @property
    def titles(self) -> set[str]:
        return {Rule(rule).title for rule in FAULTS[self.name].rules}


SEEDED = [
    Seeded("ep_pinned_along", 5),
    Seeded("ep_no_evasion", 4),
    Seeded("ep_discovered_check_unseen", 5),
    Seeded("ep_victim_rank_inverted", 4, prints_fen=True),
    Seeded("castling_right_ignored", 3),
    Seeded("castling_sides_swapped", 3, prints_fen=True),
    Seeded("promotion_no_bishop", 3),
    Seeded("promotion_hash_move_twice", 3),
    Seeded("one_of_two_checkers", 4),
    Seeded("king_along_the_check", 3),
    Seeded("pins_forgotten", 4),
    Seeded("pinned_frozen", 4),
    Seeded("right_survives_capture", 3, prints_fen=True),
    Seeded("slider_stops_before_the_edge", 3),
    Seeded("chess960_king_in_the_way", 3),
    Seeded("chess960_rook_attacked", 4),
    Seeded("chess960_uncovers_king", 4),
]


@pytest.mark.parametrize("seeded", SEEDED, ids=[seeded.name for seeded in SEEDED])
def test_a_seeded_fault(seeded: Seeded, tmp_path: Path) -> None:
    variant = ["--chess960"] if FAULTS[seeded.name].chess960 else []
    options = ["--seed", "1", "--fail-fast", "-n", "3000", "-j", "1", "--corpus", "finds.epd", *variant]
    done = run_in(tmp_path, "fuzz", "-e", seeded.engine, *options, **WIDE)
    assert done.returncode == 1, done.stderr
    finds = told(done.stdout)
    find = next(find for find in finds if any(title in find.title for title in seeded.titles))
    assert find.pieces <= seeded.pieces + MORE

    again = run_in(tmp_path, *find.replay, **WIDE)
    assert again.returncode == 1
    assert f". {find.title}" in again.stdout

    assert len(load_suite(tmp_path / "finds.epd").cases) <= len(finds)
    suite = ["run", "--suite", "finds.epd", "--no-explain", *variant]
    assert run_in(tmp_path, *suite, "-e", seeded.engine, **WIDE).returncode == 1
    assert run_in(tmp_path, *suite, "-e", "own", **WIDE).returncode == 0


def test_the_faults_are_of_many_classes() -> None:
    faults = [FAULTS[seeded.name] for seeded in SEEDED]
    assert {fault.kind for fault in faults} == {"extra", "missing", "duplicate", "state"}
    assert sum(fault.chess960 for fault in faults) == 3
    assert len({rule for fault in faults for rule in fault.rules}) >= 12
