"""Running the program as its users do: a process, its two outputs, its exit status."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "perft_check"]
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")

Run = Callable[..., subprocess.CompletedProcess[str]]

needs_stockfish = pytest.mark.skipif(STOCKFISH is None, reason="Stockfish is not installed")


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that has ended, but that nobody has waited for, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def run_in(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `perft-check` in a folder, as in a pipe: no colors, 100 columns; `variables` go to its environment."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=folder,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"} | variables,
        stdin=subprocess.DEVNULL,
        check=False,
    )
