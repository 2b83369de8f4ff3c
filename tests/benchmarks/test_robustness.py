"""Small runs of `benchmarks/robustness/`: no input makes perft-check fail, and no kill loses results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.budget import budget

SCRIPTS = Path(__file__).parents[2] / "benchmarks" / "robustness"


def rows(script: str, *arguments: str) -> list[list[str]]:
    """Run a script that must succeed; return the rows of the table that it prints."""
    command = [sys.executable, str(SCRIPTS / script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:] if line]


@budget(1, 100)
@pytest.mark.slow
def test_mutated_inputs(number: int) -> None:
    counts = {"fens": 100 * number, "suites": 30 * number, "descriptors": 5 * number}
    options = [word for kind, count in counts.items() for word in (f"--{kind}", str(count))]
    for kind, inputs, run, refused, faults, _ in rows("inputs.py", *options):
        assert int(run.replace(",", "")) + int(refused.replace(",", "")) == int(inputs.replace(",", "")), kind
        assert faults == "0", kind


@pytest.mark.slow
def test_damaged_files_and_unusual_collections() -> None:
    counts = {"ledgers": 6, "reports": 2, "collections": 3}
    options = [word for kind, count in counts.items() for word in (f"--{kind}", str(count))]
    found = rows("damaged_files.py", *options)
    assert [row[:2] for row in found] == [[kind, str(count)] for kind, count in counts.items()]
    for kind, files, run, refused, faults, _ in found:
        assert int(run) + int(refused) == int(files), kind
        assert faults == "0", kind


@pytest.mark.skipif(sys.platform != "linux", reason="children are found in /proc")
@pytest.mark.long
def test_kills() -> None:
    assert {row[-1] for row in rows("kills.py", "--kills", "200")} == {"0"}
