"""Our program as a file in a folder of programs, and other programs of this environment."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def put_into(folder: Path) -> None:
    """Make a folder whose `perft-check` is the one of these tests."""
    folder.mkdir(parents=True)
    program = folder / "perft-check"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m perft_check "$@"\n', encoding="utf-8")
    program.chmod(0o755)


def complaints(module: str, *words: object) -> str:
    """Return what a Python program of this environment prints where it fails, else nothing."""
    command = [sys.executable, "-m", module, *map(str, words)]
    finished = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return finished.stdout + finished.stderr if finished.returncode else ""
