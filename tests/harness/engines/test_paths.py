"""Paths with unusual characters."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run

FAKE = str(FAKES / "setups.py")
ENGINE = f"""#!{sys.executable}
import runpy, sys
sys.argv = ["setups.py", "none"]
runpy.run_path({FAKE!r}, run_name="__main__")
"""
NAMES = ("engine [v2]", "my engine", "it's mine", 'the "best"', "a,b;c", "of {fen}", "(1) engine [Hash=1]")


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "uci:"])
def test_an_existing_path_may_contain_any_characters(prefix: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "engine").write_text(ENGINE)
    (tmp_path / "engine").chmod(0o755)
    for name in NAMES:
        shutil.copy(tmp_path / "engine", tmp_path / name)
        done = run("perft", "startpos", "1", "--alone", "-e", f"{prefix}./{name}")
        assert (done.returncode, done.stdout) == (0, "20\n"), done.stderr
