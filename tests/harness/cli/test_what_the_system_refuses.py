"""What the operating system refuses is told by its name, and not as a failure of the output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.program import IN_A_PIPE, PROGRAM

pytestmark = pytest.mark.slow  # each test starts a process
GONE = (
    "perft-check: the working folder no longer exists; perhaps an engine deleted it: "
    "start perft-check in another folder\n"
)


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps a folder in which somebody works")
@pytest.mark.parametrize("command", ["run -s smoke", "fuzz -n 20 -e own"])
def test_a_folder_that_is_gone_is_reported(command: str, tmp_path: Path) -> None:
    script = f'mkdir gone && cd gone && rmdir ../gone && exec "$@" {command}'
    words = ["sh", "-c", script, "sh", str(Path(sys.executable).with_name("perft-check"))]
    done = subprocess.run(words, cwd=tmp_path, env=os.environ | IN_A_PIPE, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.splitlines(keepends=True)[-1]) == (2, "", GONE)


def test_a_compiler_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite/__init__.py").write_text(
        "raise OSError(\"Could not find/load shared object file 'libllvmlite.so' from resource location: "
        "'llvmlite.binding'\")\n"
    )
    environment = os.environ | IN_A_PIPE | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    words = [*PROGRAM, "perft", "startpos", "4", "-e", "own:turbo"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "197281\n")
    told = (
        "perft-check: kernels are plain Python, some thousand times slower, because of OSError: Could not find/load "
        "shared object file 'libllvmlite.so' from resource location: 'llvmlite.binding'; "
        "pip install --force-reinstall numba llvmlite (numba "
    )
    assert [line[: len(told)] for line in done.stderr.splitlines() if "because of" in line] == [told]
