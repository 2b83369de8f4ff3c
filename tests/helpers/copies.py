"""Copies of our sources, to be edited."""

from __future__ import annotations

import shutil
from pathlib import Path

import perft_check

PACKAGE = Path(perft_check.__file__).parent


def copy_generator(folder: Path) -> Path:
    """Copy the generator, and the modules that it needs, as a package into a folder; return the generator's folder."""
    copied = folder / "perft_check"
    for package in ("generator", "platforms"):
        shutil.copytree(PACKAGE / package, copied / package)
    for module in ("__init__.py", "atomic.py", "errors.py"):
        shutil.copy(PACKAGE / module, copied)
    return copied / "generator"
