"""`benchmarks/guided/measure.py` builds engines with coverage counters."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest
from conditional_faults import faults
from measure import FLAGS, build


@pytest.mark.slow
@pytest.mark.parametrize("compiler", sorted(FLAGS))
def test_a_library_counts_its_branches(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"not installed: {compiler}")
    assert build(faults()[0], tmp_path, "c", compiler) == "lib:./libengine.so"
    library = ctypes.CDLL(str(tmp_path / "libengine.so"))
    assert library.perft_check_perft(faults()[0].fen.encode(), 1) > 0
    assert library.perft_check_coverage_branches() > 100
