"""The tested perft-check and other Python programs of this environment as commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def put_into(folder: Path) -> None:
    """Create a folder with a command `perft-check` that starts the tested one."""
    folder.mkdir(parents=True)
    program = folder / "perft-check"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m perft_check "$@"\n', encoding="utf-8")
    program.chmod(0o755)


def errors_of(module: str, *words: object) -> str:
    """Return the output of a Python program of this environment if it fails, else an empty string."""
    command = [sys.executable, "-m", module, *map(str, words)]
    finished = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return finished.stdout + finished.stderr if finished.returncode else ""
