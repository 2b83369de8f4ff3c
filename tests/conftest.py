"""What all tests have: the program, called in this process."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from helpers.program import WIDE, Run, called_in


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Carry out a command line of `perft-check` in an empty folder."""
    return partial(called_in, tmp_path, capfd)


@pytest.fixture
def fuzz(run: Run) -> Run:
    """Carry out `perft-check fuzz`, in lines as long as they want to be."""
    return partial(run, "fuzz", **WIDE)
