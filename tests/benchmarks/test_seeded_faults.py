"""The seeded faults of a compiled generator show and are found, and the controls are correct."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.libraries import needs_cc

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "seeded_faults.py"
FAULTS = 38
SHOWN = ("right-off-the-corner-kept", "list-of-200-moves", "key-without-depth", "castling-check-unseen")
HUNTED = ("en-passant-victim-misplaced", "right-off-the-corner-kept")

pytestmark = [needs_cc, pytest.mark.slow]  # each test compiles engines


def run_script(*arguments: str) -> tuple[int, list[str]]:
    """Return the exit status of the script and the lines of its output."""
    command = [sys.executable, str(SCRIPT), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not ended.stderr, ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_some_faults_show() -> None:
    status, lines = run_script("--prove", *SHOWN)
    assert (status, [line.split(":")[0] for line in lines]) == (0, sorted(SHOWN, key=list(SHOWN).index))


def test_some_faults_are_found() -> None:
    status, lines = run_script("--time", "60", *HUNTED)
    assert (status, lines[-1].split(";")[0]) == (0, "2 of 2 found within 60 s")


@pytest.mark.long
def test_every_fault_shows() -> None:
    status, lines = run_script("--prove")
    assert (status, len(lines)) == (0, FAULTS)


@pytest.mark.long
def test_every_fault_is_found() -> None:
    status, lines = run_script("--time", "60")
    assert (status, lines[-1].split(";")[0]) == (0, f"{FAULTS} of {FAULTS} found within 60 s")


@pytest.mark.long
def test_the_controls_have_no_findings() -> None:
    status, lines = run_script("--controls", "--time", "20")
    assert (status, lines[-1]) == (0, "0 of 3 found within 20 s")
