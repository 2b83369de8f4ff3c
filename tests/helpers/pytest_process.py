"""Run pytest in a separate process and folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from perft_check.generator.kernels.machine.folders import cache_root

KERNELS = cache_root()
"""The folder of compiled kernels, found before pytester changes HOME."""
Pytest = Callable[..., pytest.RunResult]


def pytest_of(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Pytest:
    """Return a function that runs pytest. Import nothing in a test with `pytester`: it removes new modules."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(KERNELS))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return partial(pytester.runpytest_subprocess, "-p", "no:cov", *arguments)
