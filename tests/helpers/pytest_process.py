"""pytest itself, run in a process and a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from perft_check.generator.kernels.machine.folders import cache_root

KERNELS = cache_root()
"""Where compiled kernels are, while HOME is still the user's: pytester sets another one."""
Pytest = Callable[..., pytest.RunResult]


def pytest_of(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Pytest:
    """Return what runs pytest. Nothing may be imported in a test that has `pytester`: it is forgotten afterwards."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(KERNELS))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return partial(pytester.runpytest_subprocess, "-p", "no:cov", *arguments)
