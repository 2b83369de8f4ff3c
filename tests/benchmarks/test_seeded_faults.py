"""The faults of a compiled generator are faults, the controls are right, and `fuzz` tells them apart."""

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


def done(*arguments: str) -> tuple[int, list[str]]:
    """Return the exit status of the script, and the lines that it prints."""
    command = [sys.executable, str(SCRIPT), *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not ended.stderr, ended.stderr
    return ended.returncode, ended.stdout.splitlines()


def test_some_faults_show() -> None:
    status, lines = done("--prove", *SHOWN)
    assert (status, [line.split(":")[0] for line in lines]) == (0, sorted(SHOWN, key=list(SHOWN).index))


def test_some_faults_are_found() -> None:
    status, lines = done("--time", "60", *HUNTED)
    assert (status, lines[-1].split(";")[0]) == (0, "2 of 2 found within 60 s")


@pytest.mark.long
def test_every_fault_shows() -> None:
    status, lines = done("--prove")
    assert (status, len(lines)) == (0, FAULTS)


@pytest.mark.long
def test_every_fault_is_found() -> None:
    status, lines = done("--time", "60")
    assert (status, lines[-1].split(";")[0]) == (0, f"{FAULTS} of {FAULTS} found within 60 s")


@pytest.mark.long
def test_no_control_is_accused() -> None:
    status, lines = done("--controls", "--time", "20")
    assert (status, lines[-1]) == (0, "0 of 3 found within 20 s")
