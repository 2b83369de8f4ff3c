"""The slider back-ends of this machine; those other than the default are tested only by slow tests."""

from __future__ import annotations

import pytest
from perft_check.generator.kernels.tables import BACKENDS, Backend, default_backend

OTHERS: tuple[Backend, ...] = ("magic",) if default_backend() == "pext" else ()
"""Back-ends other than the default. Without PEXT there is only the magic one."""
HERE: tuple[Backend, ...] = (default_backend(), *OTHERS)
EACH_BACKEND = pytest.mark.parametrize(
    "backend", [pytest.param(one, marks=[pytest.mark.slow] * (one in OTHERS)) for one in BACKENDS if one in HERE]
)
