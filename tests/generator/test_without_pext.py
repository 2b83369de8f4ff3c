"""Kernels that are compiled for a generic target without PEXT, as on arm64, give the same counts."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers.program import PROGRAM

SUITES = ["-s", "standard", "-s", "chess960", "-s", "special", "-s", "chess960-special"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel", [*(pytest.param(name, marks=pytest.mark.long) for name in ("own", "own:turbo")), "own:two-plies"]
)
def test_kernels_for_a_generic_target_count_the_suites(kernel: str, tmp_path: Path) -> None:
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    done = subprocess.run(
        [*PROGRAM, "run", "-e", kernel, *SUITES, "--max-nodes", "20k"],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | generic,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^all 426 positions agree  ", done.stdout, re.MULTILINE)
    (folder,) = (tmp_path / "kernels").iterdir()
    assert list(folder.glob("*.kernel")), "the kernels were compiled in this test, for this target"
