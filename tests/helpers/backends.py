"""The slider back-ends of this machine: its own every time, the other one only where slow tests run."""

from __future__ import annotations

import pytest
from perft_check.generator.kernels.tables import BACKENDS, Backend, default_backend

OTHERS: tuple[Backend, ...] = ("magic",) if default_backend() == "pext" else ()
"""Back-ends besides the default; without PEXT the magic one is all there is."""
HERE: tuple[Backend, ...] = (default_backend(), *OTHERS)
EACH_BACKEND = pytest.mark.parametrize(
    "backend", [pytest.param(one, marks=[pytest.mark.slow] * (one in OTHERS)) for one in BACKENDS if one in HERE]
)
