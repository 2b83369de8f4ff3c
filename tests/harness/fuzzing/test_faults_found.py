"""The real program finds seeded faults, reduces them to few pieces, names and replays them, and writes a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fuzz_report import reported_findings
from helpers.program import WIDE, Run
from perft_check.harness.explaining.rules import Rule
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # most tests start processes

SMALLEST = {
    "ep-pinned-along": 5,
    "ep-no-evasion": 4,
    "ep-discovered-check-unseen": 5,
    "ep-victim-rank-inverted": 4,
    "castling-right-ignored": 3,
    "castling-sides-swapped": 3,
    "promotion-no-bishop": 3,
    "hash-move-twice": 3,
    "one-of-two-checkers": 4,
    "king-along-the-check": 3,
    "pins-forgotten": 4,
    "pinned-frozen": 4,
    "right-survives-capture": 3,
    "slider-stops-before-the-edge": 3,
    "chess960-king-in-the-way": 3,
    "chess960-rook-attacked": 4,
    "chess960-uncovers-king": 4,
}
"""The pieces of the smallest known position that shows the fault."""
DAILY = {"ep-pinned-along": 1, "one-of-two-checkers": 1, "right-survives-capture": 4, "hash-move-twice": 1}
"""Faults for every test run, with seeds that find them quickly.

The others run with `pytest -m long`, and `test_detection` covers every fault of the zoo.
"""
SLOW = ("one-of-two-checkers", "hash-move-twice")
MORE = 2
"""How many more pieces a finding may have."""


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.long] * (name not in DAILY) + [pytest.mark.slow] * (name in SLOW)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in SMALLEST])
def test_a_seeded_fault(name: str, fuzz: Run, run: Run, tmp_path: Path) -> None:
    fault, engine = ZOO[name], f"zoo:{name}"
    titles = {Rule(rule).title for rule in fault.rules}
    variant = ["--chess960"] if fault.demonstration.chess960 else []
    limits = f"--seed {DAILY.get(name, 1)} --fail-fast -n 3000 -j 1 --corpus findings.epd"
    options = [*limits.split(), *variant]
    done = fuzz("-e", engine, *options)
    assert done.returncode == 1, done.stderr
    findings = reported_findings(done.stdout)
    finding = next(finding for finding in findings if any(title in finding.title for title in titles))
    assert finding.pieces <= SMALLEST[name] + MORE

    again = run(*finding.replay, **WIDE)
    assert again.returncode == 1
    assert f". {finding.title}" in again.stdout

    assert len(load_suite(tmp_path / "findings.epd").cases) <= len(findings)
    suite = ["run", "--suite", "findings.epd", "--explain=none", *variant]
    if finding.check != "fen":  # no count shows a fault of printed FENs
        assert run(*suite, "-e", engine).returncode == 1
    assert run(*suite, "-e", "own").returncode == 0


def test_the_faults_are_of_many_classes() -> None:
    faults = [ZOO[name] for name in SMALLEST]
    assert {fault.effect for fault in faults} == {"extra", "missing", "duplicate", "state"}
    assert sum(fault.demonstration.chess960 for fault in faults) == 3
    assert len({rule for fault in faults for rule in fault.rules}) >= 12
