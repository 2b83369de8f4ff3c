"""Fixtures of the harness tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from helpers.program import Run, run_in


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `perft-check` with arguments in an empty folder."""
    return partial(run_in, tmp_path)
