"""Fixtures of the fuzzer's tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from helpers.fuzz_runs import WIDE
from helpers.program import Run, run_in


@pytest.fixture
def fuzz(tmp_path: Path) -> Run:
    """Run `perft-check fuzz` with arguments in an empty folder, without breaking lines."""
    return partial(run_in, tmp_path, "fuzz", **WIDE)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `perft-check` in the same way."""
    return partial(run_in, tmp_path, **WIDE)
